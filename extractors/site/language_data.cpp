#include "extractors/site/language_data.hpp"

#include "common/named_values.hpp"
#include "common/number_text.hpp"
#include "extractors/data/data_table.hpp"
#include "extractors/scan/text_scan.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <string>
#include <unordered_map>
#include <utility>

namespace touchstone::extractors::site {
using namespace data;
using scan::ascii_lower;
namespace {

/// Codes of wikis that are not those of their languages.
constexpr std::pair<std::string_view, std::string_view> kOtherCodes[] = {
    {"als", "gsw"},     {"bat-smg", "sgs"}, {"be-x-old", "be-tarask"}, {"fiu-vro", "vro"},    {"no", "nb"},
    {"roa-rup", "rup"}, {"simple", "en"},   {"zh-classical", "lzh"},   {"zh-min-nan", "nan"}, {"zh-yue", "yue"},
};

/// A line of languages.tsv.
struct LanguageData {
  std::string_view code;
  std::string_view fallbacks;  ///< codes of languages whose words hold too, separated by blanks, the nearest first
  std::string_view trail;
};

/// Null for unknown codes.
const LanguageData* find_language_data(std::string_view code) {
  static const std::vector<LanguageData> languages = [] {
    std::vector<LanguageData> read;
    for_each_row<3>(data_table("languages"), [&](const DataRow<3>& row) {
      const auto& [own_code, fallbacks, trail] = row;
      read.push_back({own_code, fallbacks, trail});
    });
    return read;
  }();
  const auto found = std::lower_bound(languages.begin(), languages.end(), code,
                                      [](const LanguageData& a, std::string_view b) { return a.code < b; });
  return found != languages.end() && found->code == code ? &*found : nullptr;
}

/// What a prefix of links to other wikis is; empty for other texts.
std::string_view interwiki_kind(std::string_view prefix) {
  static const auto kinds = [] {
    std::unordered_map<std::string_view, std::string_view> read;
    for_each_row<2>(data_table("interwiki"), [&](const DataRow<2>& row) { read.emplace(row[0], row[1]); });
    return read;
  }();
  const auto found = kinds.find(prefix);
  return found == kinds.end() ? std::string_view() : found->second;
}

std::vector<LanguageWord> words_of(const DataTable& table, std::string_view code) {
  std::vector<LanguageWord> words;
  for_each_row_of<3>(table, code, [&](const DataRow<3>& row) {
    const auto& [language, meaning, word] = row;
    words.push_back({meaning, word});
  });
  return words;
}

std::map<std::string_view, VariantLanguage> read_languages() {
  std::map<std::string_view, VariantLanguage> languages;
  data::for_each_row<7>(data::data_table("variant_languages"), [&](const data::DataRow<7>& row) {
    const auto& [code, flags, switches, code_mark, form_mark, shown, defines] = row;
    languages[code] = {{}, flags, switches, code_mark, form_mark, shown == "any", defines == "yes"};
  });
  data::for_each_row<5>(data::data_table("variants"), [&](const data::DataRow<5>& row) {
    const auto& [language, code, standard_code, name, fallbacks] = row;
    languages[language].variants.push_back({code, standard_code, name, fallbacks});
  });
  return languages;
}

}  // namespace

std::vector<std::string_view> language_chain(std::string_view code) {
  const std::string_view* other = find_value(kOtherCodes, code);
  std::vector<std::string_view> codes{other == nullptr ? code : *other};
  const auto add = [&](std::string_view fallback) { codes.push_back(fallback); };
  if (const LanguageData* data = find_language_data(codes.front())) scan::for_each_part(data->fallbacks, ' ', add);
  if (codes.back() != "en") codes.emplace_back("en");
  return codes;
}

bool is_known_language(std::string_view code) {
  return find_language_data(language_chain(code).front()) != nullptr;
}

std::vector<std::string_view> language_variants(std::string_view code) {
  std::vector<std::string_view> codes;
  for_each_row_of<5>(data_table("variants"), code, [&](const DataRow<5>& row) {
    if (row[1] != code) codes.push_back(row[1]);
  });
  return codes;
}

std::string_view trail_letters(std::string_view code) {
  const LanguageData* data = find_language_data(code);
  return data != nullptr ? data->trail : std::string_view();
}

std::vector<NamespaceName> namespace_names(std::string_view code) {
  const DataTable& table = data_table("namespaces");
  std::vector<NamespaceName> names;
  for_each_row_of<3>(table, code, [&](const DataRow<3>& row) {
    const auto& [language, number, name] = row;
    const auto id = to_number<std::int32_t>(number);
    if (!id) throw_bad_row(table, number, "expected the number of a namespace");
    names.push_back({*id, name});
  });
  return names;
}

std::vector<LanguageWord> markup_words(std::string_view code) {
  return words_of(data_table("markup_words"), code);
}

std::vector<LanguageWord> magic_words(std::string_view code) {
  return words_of(data_table("magic_words"), code);
}

bool is_language_code(std::string_view prefix) {
  return interwiki_kind(prefix) == "language";
}

bool is_interwiki_prefix(std::string_view prefix) {
  return interwiki_kind(prefix) == "wiki";
}

std::optional<std::size_t> VariantLanguage::find(std::string_view code) const {
  std::string lower(code);
  std::transform(lower.begin(), lower.end(), lower.begin(), ascii_lower);
  for (std::size_t i = 0; i < variants.size(); ++i) {
    const Variant& variant = variants[i];
    if (lower == variant.code) return i;
    if (scan::equals_ignoring_case(variant.standard_code, lower)) return i;
  }
  return std::nullopt;
}

const VariantLanguage* find_variant_language(std::string_view code) {
  static const std::map<std::string_view, VariantLanguage> languages = read_languages();
  const auto found = languages.find(code);
  return found == languages.end() ? nullptr : &found->second;
}

}  // namespace touchstone::extractors::site
