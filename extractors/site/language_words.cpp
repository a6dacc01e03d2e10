#include "extractors/site/language_words.hpp"

#include "common/unicode.hpp"
#include "extractors/site/language_data.hpp"

namespace touchstone::extractors::site {
namespace {

ImageOption option_of(std::string_view kind) {
  if (kind == "thumb" || kind == "manualthumb" || kind == "frame") return ImageOption::kFrame;
  if (kind == "left" || kind == "right" || kind == "center" || kind == "none") return ImageOption::kAligned;
  if (kind == "frameless") return ImageOption::kFrameless;
  if (kind == "link") return ImageOption::kLink;
  if (kind == "alt") return ImageOption::kAlt;
  return ImageOption::kOther;
}

void add_image_word(LanguageWords& words, std::string_view kind, std::string_view word) {
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

void add_markup_words(LanguageWords& words, std::string_view code) {
  for (const auto& [meaning, word] : markup_words(code)) {
    if (meaning == "redirect") {
      words.redirect.push_back(lower_case(word));
    } else if (meaning == "switch") {
      words.behavior_switches.emplace(lower_case(word), true);
    } else {
      add_image_word(words, meaning, word);
    }
  }
}

/// Words of the language itself come before those it falls back to.
void add_magic_words(LanguageWords& words, std::string_view code) {
  for (const auto& [meaning, word] : magic_words(code)) {
    if (meaning.front() >= 'A' && meaning.front() <= 'Z') {
      words.page_variables.emplace(word, meaning);
    } else {
      words.functions.emplace(lower_case(word), meaning);
    }
  }
}

void add_trail(LanguageWords& words, std::string_view letters) {
  std::size_t position = 0;
  while (position < letters.size()) {
    const char32_t low = next_code_point(letters, position);
    if (position >= letters.size()) break;
    const char32_t high = next_code_point(letters, position);
    words.trail.emplace_back(low, high);
  }
}

std::string_view or_same(const std::unordered_map<std::string, std::string>& words, const std::string& name,
                         std::string_view given) {
  if (words.empty()) return given;
  const auto found = words.find(name);
  return found == words.end() ? given : std::string_view(found->second);
}

}  // namespace

std::string_view LanguageWords::canonical_variable(std::string_view name) const {
  return page_variables.empty() ? name : or_same(page_variables, std::string(name), name);
}

std::string_view LanguageWords::canonical_function(const std::string& lower_name) const {
  return or_same(functions, lower_name, lower_name);
}

LanguageWords::LanguageWords(std::string_view code) : language(code), variants(find_variant_language(code)) {
  std::vector<std::string_view> codes = language_chain(code);
  for (const std::string_view variant : language_variants(code)) codes.push_back(variant);
  for (const std::string_view one : codes) {
    add_markup_words(*this, one);
    add_magic_words(*this, one);
    if (trail.empty()) add_trail(*this, trail_letters(one));
  }
  if (trail.empty()) trail.emplace_back(U'a', U'z');
  // Of extensions that Wikimedia's wikis and most others have: Disambiguator, Wikibase and GlobalUserPage.
  for (const char* word : {"__disambig__", "__expected_unconnected_page__", "__noglobal__"})
    behavior_switches.emplace(word, true);
}

bool LanguageWords::in_trail(char32_t code_point) const noexcept {
  for (const auto& [low, high] : trail) {
    if (code_point >= low && code_point <= high) return true;
  }
  return false;
}

std::uint32_t LanguageWords::trail_length(std::string_view text) const noexcept {
  std::size_t position = 0;
  while (position < text.size()) {
    std::size_t next = position;
    if (!in_trail(next_code_point(text, next))) break;
    position = next;
  }
  return static_cast<std::uint32_t>(position);
}

}  // namespace touchstone::extractors::site
