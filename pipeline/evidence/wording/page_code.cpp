#include "pipeline/evidence/wording/page_code.hpp"

#include "common/unicode.hpp"
#include "text/characters.hpp"
#include "text/words.hpp"

#include <algorithm>
#include <cctype>
#include <iterator>

#include <unicode/uchar.h>
#include <unicode/uscript.h>

namespace touchstone::pipeline::evidence::wording {
namespace {

bool has_file_ending(std::string_view word) {
  const auto dot = word.rfind('.');
  if (dot == std::string_view::npos || dot == 0 || word.size() - dot < 2 || word.size() - dot > 5) return false;
  return std::all_of(word.begin() + static_cast<std::ptrdiff_t>(dot) + 1, word.end(),
                     [](unsigned char c) { return std::islower(c) != 0 || std::isdigit(c) != 0; }) &&
         std::any_of(word.begin(), word.begin() + static_cast<std::ptrdiff_t>(dot),
                     [](unsigned char c) { return std::isalpha(c) != 0; });
}

/// Whether a full stop ends a word that is not an abbreviation, and another one follows.
bool has_full_stop(std::string_view text) {
  constexpr std::size_t kLongestAbbreviation = 3;
  for (auto at = text.find(". "); at != std::string_view::npos; at = text.find(". ", at + 1)) {
    const auto blank = text.rfind(' ', at == 0 ? 0 : at - 1);
    const auto word = text.substr(blank == std::string_view::npos ? 0 : blank + 1, at - (blank + 1));
    if (word.size() > kLongestAbbreviation && word.find('.') == std::string_view::npos) return true;
  }
  return false;
}

bool is_digit(char c) {
  return std::isdigit(static_cast<unsigned char>(c)) != 0;
}

/// "2.0.1", "v1.4", "Version 3", "Release 2.x": the number of a version with or without a word for it.
bool is_version_number(std::string_view text) {
  constexpr std::string_view kWords[] = {"version", "release", "patch", "update", "build", "rev", "v", "r"};
  auto number = lower_case(text);
  for (const auto word : kWords) {
    if (!number.starts_with(word)) continue;
    number.erase(0, word.size());
    break;
  }
  const auto begin = number.find_first_not_of(" .");
  if (begin == std::string::npos || !is_digit(number[begin])) return false;
  const auto signs = std::string_view(number).substr(begin);
  const bool version = signs.find_first_not_of("0123456789.x-+") == std::string_view::npos;
  return version && (begin > 0 || number.size() < text.size() || signs.find('.') != std::string_view::npos);
}

/// Whether a word of the text is the number of a version: "Quillbase 3.1.4 plugins".
bool holds_version_number(std::string_view text) {
  constexpr std::ptrdiff_t kDots = 2;
  for (const auto word : text::parts_of(text)) {
    if (word.find_first_not_of("0123456789.x") == std::string_view::npos &&
        std::count(word.begin(), word.end(), '.') >= kDots)
      return true;
  }
  return false;
}

/// "config.yml", "settings.ini" as a word of a longer text.
bool names_a_file(std::string_view text) {
  constexpr std::string_view kEndings[] = {".txt", ".cfg", ".conf", ".ini", ".xml", ".yml",  ".yaml", ".json", ".lua",
                                           ".py",  ".sh",  ".png",  ".jpg", ".svg", ".gif",  ".pdf",  ".exe",  ".dll",
                                           ".so",  ".log", ".zip",  ".gz",  ".csv", ".html", ".php",  ".cpp",  ".grf"};
  const auto lower = lower_case(text);
  for (const auto word : text::parts_of(lower)) {
    if (std::any_of(std::begin(kEndings), std::end(kEndings),
                    [&](auto ending) { return word.size() > ending.size() && word.ends_with(ending); }))
      return true;
  }
  return false;
}

/// What templates and exports leave behind: "$1", "&nbsp;", "''", a character that could not be read.
bool has_residue(std::string_view text) {
  for (std::size_t at = 0; at + 1 < text.size(); ++at) {
    if (text[at] == '$' && is_digit(text[at + 1])) return true;
  }
  const auto entity = text.find('&');
  const bool has_entity = entity != std::string_view::npos && entity + 1 < text.size() && text[entity + 1] != ' ' &&
                          text.find(';', entity) != std::string_view::npos;
  return has_entity || text.find("''") != std::string_view::npos || text.find("://") != std::string_view::npos ||
         text.find("\xEF\xBF\xBD") != std::string_view::npos;
}

}  // namespace

bool is_in_other_script(std::string_view text, std::string_view language) {
  const auto scripts = text::scripts_of_language(language);
  if (scripts.empty()) return false;
  std::size_t own = 0, other = 0;
  for (const char32_t c : to_utf32(text)) {
    if (!u_isalpha(static_cast<UChar32>(c))) continue;
    const auto script = text::script_of(c);
    const bool known = script == USCRIPT_LATIN || std::find(scripts.begin(), scripts.end(), script) != scripts.end();
    ++(known ? own : other);
  }
  return other > own;
}

std::vector<std::string_view> parts_of_title(std::string_view title) {
  return text::parts_of(title, "/");
}

std::string why_no_words(std::string_view text, std::string_view language) {
  if (text.find_first_of("_{}<>=\\|[]~^*`") != std::string_view::npos || text.find("::") != std::string_view::npos ||
      text.find("»") != std::string_view::npos || text.find("()") != std::string_view::npos || has_residue(text))
    return "it is code or markup";
  const auto colon = text.find(':');
  if (colon != std::string_view::npos && colon + 1 < text.size() && text[colon + 1] != ' ')
    return "it is the code of a page";
  if (is_version_number(text) || holds_version_number(text)) return "it is the number of a version";
  if (names_a_file(text)) return "it is the name of a file";
  const auto parts = parts_of_title(text);
  for (const auto part : parts) {
    const bool one_word = part.find(' ') == std::string_view::npos;
    const bool code = parts.size() > 1 && one_word && parts_of_word(part).size() > 1;
    if (code || (one_word && has_file_ending(part))) return "it is the code of a page";
  }
  constexpr std::string_view kEnds[] = {"?", "!", "？", "！", "。"};
  if (has_full_stop(text) ||
      std::any_of(std::begin(kEnds), std::end(kEnds), [&](auto end) { return text.ends_with(end); }))
    return "it is a sentence";
  if (is_in_other_script(text, language)) return "it is not in the wiki's language";
  return {};
}

std::vector<std::string> parts_of_word(std::string_view word) {
  std::vector<std::string> parts;
  std::size_t begin = 0;
  const auto upper = [&](std::size_t i) { return std::isupper(static_cast<unsigned char>(word[i])) != 0; };
  const auto lower = [&](std::size_t i) { return std::islower(static_cast<unsigned char>(word[i])) != 0; };
  for (std::size_t i = 1; i < word.size(); ++i) {
    // "APIReference" is cut before "Reference", "PDAs" is not.
    const bool ends_capitals = upper(i - 1) && lower(i) && i >= 2 && upper(i - 2) && word.substr(i) != "s";
    const auto cut = ends_capitals ? i - 1 : lower(i - 1) && upper(i) ? i : begin;
    if (cut == begin) continue;
    parts.emplace_back(word.substr(begin, cut - begin));
    begin = cut;
  }
  parts.emplace_back(word.substr(begin));
  return parts;
}

}  // namespace touchstone::pipeline::evidence::wording
