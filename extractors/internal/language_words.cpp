#include "extractors/internal/language_words.hpp"

#include "common/unicode.hpp"
#include "extractors/internal/language_data.hpp"
#include "extractors/internal/language_variants.hpp"
#include "extractors/internal/magic_word_data.hpp"

namespace touchstone::extractors::internal {
namespace {

template <class Use>
void for_each_word(std::string_view list, Use&& use) {
  while (!list.empty()) {
    const std::size_t bar = list.find('|');
    use(list.substr(0, bar));
    if (bar == std::string_view::npos) return;
    list.remove_prefix(bar + 1);
  }
}

ImageOption option_of(std::string_view kind) {
  if (kind == "thumb" || kind == "manualthumb" || kind == "frame") return ImageOption::kFrame;
  if (kind == "left" || kind == "right" || kind == "center" || kind == "none") return ImageOption::kAligned;
  if (kind == "frameless") return ImageOption::kFrameless;
  if (kind == "link") return ImageOption::kLink;
  if (kind == "alt") return ImageOption::kAlt;
  return ImageOption::kOther;
}

void add_image_word(LanguageWords& words, std::string_view entry) {
  const std::size_t colon = entry.find(':');
  const std::string_view kind = entry.substr(0, colon);
  const std::string_view word = entry.substr(colon + 1);
  const std::size_t value = word.find("$1");
  if (value == std::string_view::npos) {
    words.plain_image_words.emplace(word, option_of(kind));
    return;
  }
  using Value = LanguageWords::ImageWord::Value;
  const Value form = kind == "width"     ? Value::kSize
                     : kind == "lang"    ? Value::kLanguage
                     : kind == "upright" ? Value::kNumber
                                         : Value::kAny;
  words.image_words_with_value.push_back(
      {std::string(word.substr(0, value)), std::string(word.substr(value + 2)), option_of(kind), form});
}

/// Words of the language itself come before those it falls back to.
void add_magic_words(LanguageWords& words, std::string_view code) {
  const MagicWordData* data = find_magic_words(code);
  if (data == nullptr) return;
  for_each_word(data->words, [&](std::string_view entry) {
    const std::size_t equals = entry.find('=');
    const std::string_view local = entry.substr(0, equals), canonical = entry.substr(equals + 1);
    if (canonical.front() >= 'A' && canonical.front() <= 'Z') {
      words.page_words.emplace(local, canonical);
    } else {
      words.functions.emplace(lower_case(local), canonical);
    }
  });
}

std::string_view or_same(const std::unordered_map<std::string, std::string>& words, const std::string& name,
                         std::string_view given) {
  if (words.empty()) return given;
  const auto found = words.find(name);
  return found == words.end() ? given : std::string_view(found->second);
}

}  // namespace

std::string_view LanguageWords::canonical_word(std::string_view name) const {
  return page_words.empty() ? name : or_same(page_words, std::string(name), name);
}

std::string_view LanguageWords::canonical_function(const std::string& lower_name) const {
  return or_same(functions, lower_name, lower_name);
}

LanguageWords::LanguageWords(std::string_view code) : language(code), variants(find_variant_language(code)) {
  std::vector<std::string_view> codes = language_chain(code);
  for (const std::string_view variant : language_variants(code)) codes.push_back(variant);
  for (const std::string_view one : codes) {
    const LanguageData* data = find_language_data(one);
    if (data == nullptr) continue;
    for_each_word(data->redirect, [&](std::string_view word) { redirect.push_back(lower_case(word)); });
    for_each_word(data->switches, [&](std::string_view word) { switches.emplace(lower_case(word), true); });
    for_each_word(data->image_options, [&](std::string_view word) { add_image_word(*this, word); });
    add_magic_words(*this, one);
    if (!trail.empty()) continue;
    std::size_t position = 0;
    while (position < data->trail.size()) {
      const char32_t low = next_code_point(data->trail, position);
      if (position >= data->trail.size()) break;
      const char32_t high = next_code_point(data->trail, position);
      trail.emplace_back(low, high);
    }
  }
  if (trail.empty()) trail.emplace_back(U'a', U'z');
}

bool LanguageWords::in_trail(char32_t code_point) const noexcept {
  for (const auto& [low, high] : trail) {
    if (code_point >= low && code_point <= high) return true;
  }
  return false;
}

}  // namespace touchstone::extractors::internal
