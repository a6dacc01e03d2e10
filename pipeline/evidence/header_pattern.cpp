#include "pipeline/evidence/header_pattern.hpp"

#include "common/error.hpp"

#include <algorithm>
#include <iterator>

#include <unicode/regex.h>

namespace touchstone::pipeline::evidence {
namespace {

struct HeaderWords {
  std::string_view language, header;
};
constexpr HeaderWords kHeaders[] = {
    {"en", "names?"},
    {"de", "\\p{L}*name[n]?\\b|bezeichnung"},
    {"fr", "noms?|nom et prénom"},
    {"es", "nombres?"},
    {"it", "nome|nomi|denominazione"},
    {"pt", "nomes?"},
    {"nl", "\\p{L}*na(am|men)\\b"},
    {"pl", "nazwa|nazwy|nazwisko|imię"},
    {"ru", "название|имя|наименование"},
    {"uk", "назва|ім'я"},
    {"cs", "název|jméno"},
    {"sv", "namn"},
    {"da", "navn"},
    {"ja", "名前|名称|氏名"},
    {"zh", "名称|名稱|姓名"},
    {"lv", "nosaukums|vārds"},
    {"ltg", "nūsaukums|vuords"},
};

std::string_view base_language(std::string_view language) {
  return language == "simple" ? "en" : language.substr(0, language.find('-'));
}

std::string with_word_bounds(const std::string& pattern) {
  const bool words_only = pattern.find_first_of(".^$*+\\[]{}") == std::string::npos && !pattern.starts_with("(?");
  if (!words_only) return pattern;
  const std::string letter = "[[\\p{L}\\p{N}]--[\\p{Han}\\p{Hiragana}\\p{Katakana}\\p{Thai}]]";
  return "(?<!" + letter + ")(?:" + pattern + ")(?!" + letter + ")";
}

}  // namespace

struct HeaderPattern::Impl {
  std::unique_ptr<icu::RegexMatcher> matcher;
};

HeaderPattern::HeaderPattern(const std::string& pattern) : impl_(std::make_unique<Impl>()) {
  UErrorCode status = U_ZERO_ERROR;
  impl_->matcher = std::make_unique<icu::RegexMatcher>(icu::UnicodeString::fromUTF8(with_word_bounds(pattern)),
                                                       UREGEX_CASE_INSENSITIVE, status);
  if (U_FAILURE(status)) throw ConfigError("groups.header is no regular expression: " + pattern);
  impl_->matcher->setTimeLimit(1000, status);
}

HeaderPattern::~HeaderPattern() = default;
HeaderPattern::HeaderPattern(HeaderPattern&&) noexcept = default;

bool HeaderPattern::found_in(const std::string& text) {
  const auto subject = icu::UnicodeString::fromUTF8(text);
  impl_->matcher->reset(subject);
  UErrorCode status = U_ZERO_ERROR;
  const bool found = impl_->matcher->find(status) != 0;
  if (U_FAILURE(status))
    throw ConfigError("groups.header takes too long to match \"" + text + "\"; simplify the expression");
  return found;
}

std::string default_header(std::string_view language) {
  for (const auto& words : kHeaders) {
    if (words.language == base_language(language)) return std::string(words.header);
  }
  return "names?";
}

bool is_header_of_names(const std::string& header, std::string_view language) {
  return HeaderPattern("^(?:" + default_header(language) + ")$").found_in(header);
}

}  // namespace touchstone::pipeline::evidence
