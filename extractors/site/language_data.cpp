#include "extractors/site/language_data.hpp"

#include "extractors/data/data_table.hpp"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <system_error>
#include <utility>

namespace touchstone::extractors::site {
using data::data_table;
using data::DataRow;
using data::DataTable;
using data::for_each_row;
using data::for_each_row_of;
using data::throw_bad_row;
namespace {

/// Languages whose wikis are read in several scripts, with the codes of those: names in each of them are names there.
constexpr std::pair<std::string_view, std::string_view> kVariants[] = {
    {"ban", "ban-bali"},
    {"crh", "crh-cyrl crh-latn"},
    {"gan", "gan-hans gan-hant"},
    {"iu", "ike-cans ike-latn"},
    {"kk", "kk-cyrl kk-latn kk-arab kk-kz kk-tr kk-cn"},
    {"ku", "ku-arab ku-latn"},
    {"sr", "sr-ec sr-el"},
    {"tg", "tg-latn"},
    {"zh", "zh-hans zh-hant zh-cn zh-hk zh-mo zh-my zh-sg zh-tw"},
};

/// Codes of wikis that are not those of their languages.
constexpr std::pair<std::string_view, std::string_view> kOtherCodes[] = {
    {"als", "gsw"},     {"bat-smg", "sgs"}, {"be-x-old", "be-tarask"}, {"fiu-vro", "vro"},    {"no", "nb"},
    {"roa-rup", "rup"}, {"simple", "en"},   {"zh-classical", "lzh"},   {"zh-min-nan", "nan"}, {"zh-yue", "yue"},
};

template <std::size_t N>
std::string_view look_up(const std::pair<std::string_view, std::string_view> (&pairs)[N], std::string_view key) {
  const auto found =
      std::find_if(std::begin(pairs), std::end(pairs), [&](const auto& one) { return one.first == key; });
  return found == std::end(pairs) ? std::string_view() : found->second;
}

void append_codes(std::string_view list, std::vector<std::string_view>& codes) {
  while (!list.empty()) {
    const std::size_t blank = list.find(' ');
    codes.push_back(list.substr(0, blank));
    list.remove_prefix(blank == std::string_view::npos ? list.size() : blank + 1);
  }
}

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

std::vector<LanguageWord> words_of(const DataTable& table, std::string_view code) {
  std::vector<LanguageWord> words;
  for_each_row_of<3>(table, code, [&](const DataRow<3>& row) {
    const auto& [language, meaning, word] = row;
    words.push_back({meaning, word});
  });
  return words;
}

}  // namespace

std::vector<std::string_view> language_chain(std::string_view code) {
  const std::string_view own = look_up(kOtherCodes, code);
  std::vector<std::string_view> codes{own.empty() ? code : own};
  if (const LanguageData* data = find_language_data(codes.front())) append_codes(data->fallbacks, codes);
  if (codes.back() != "en") codes.push_back("en");
  return codes;
}

bool is_known_language(std::string_view code) {
  return find_language_data(language_chain(code).front()) != nullptr;
}

std::vector<std::string_view> language_variants(std::string_view code) {
  std::vector<std::string_view> codes;
  append_codes(look_up(kVariants, code), codes);
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
    std::int32_t id = 0;
    const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), id);
    if (error != std::errc() || end != number.data() + number.size())
      throw_bad_row(table, number, "expected the number of a namespace");
    names.push_back({id, name});
  });
  return names;
}

std::vector<LanguageWord> markup_words(std::string_view code) {
  return words_of(data_table("markup_words"), code);
}

std::vector<LanguageWord> magic_words(std::string_view code) {
  return words_of(data_table("magic_words"), code);
}

}  // namespace touchstone::extractors::site
