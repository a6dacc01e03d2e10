#include "pipeline/evidence/wording/wiki_subject.hpp"

#include "common/unicode.hpp"
#include "pipeline/headings/title_text.hpp"
#include "text/words.hpp"

#include <algorithm>
#include <iterator>
#include <vector>

#include <unicode/uchar.h>

namespace touchstone::pipeline::evidence::wording {
namespace {

/// How the names of the encyclopedias of everything begin.
constexpr std::string_view kGeneral[] = {"wikip",    "vikip",   "wikiped", "vikiped",  "viquip",   "wicip",
                                         "вікіп",    "википед", "уикип",   "ウィキペ", "维基百科", "維基百科",
                                         "위키백과", "βικιπ",   "wiktion", "wikibook", "wikisour", "wikivers",
                                         "wikivoy",  "wikiquo", "wikinew", "wikidat"};
/// What a site is, and no part of what it is about.
constexpr std::string_view kKinds[] = {"wiki",
                                       "wikia",
                                       "fandom",
                                       "wici",
                                       "вики",
                                       "вікі",
                                       "encyclopedia",
                                       "encyclopaedia",
                                       "docs",
                                       "doc",
                                       "manual",
                                       "documentation",
                                       "dokumentation",
                                       "documentación",
                                       "handbook",
                                       "help",
                                       "project",
                                       "site",
                                       "community",
                                       "official",
                                       "the",
                                       "das",
                                       "die",
                                       "der",
                                       "le",
                                       "la",
                                       "les",
                                       "el",
                                       "il",
                                       "of",
                                       "du",
                                       "de",
                                       "des",
                                       "della",
                                       "del",
                                       "do",
                                       "da",
                                       "von",
                                       "for",
                                       "zum"};
/// What joins the name without a blank.
constexpr std::string_view kEndings[] = {"wiki", "pedia", "педия", "вики", "ウィキ", "百科", "'s"};

bool is_kind(std::string_view word) {
  const auto lower = lower_case(word);
  return std::find(std::begin(kKinds), std::end(kKinds), lower) != std::end(kKinds);
}

std::string without_ending(std::string word) {
  for (const auto ending : kEndings) {
    if (word.size() > ending.size() && lower_case(word).ends_with(ending)) word.resize(word.size() - ending.size());
  }
  return word;
}

}  // namespace

std::string wiki_subject(std::string_view site_name) {
  const auto lower = lower_case(site_name);
  if (std::any_of(std::begin(kGeneral), std::end(kGeneral),
                  [&](auto name) { return lower.find(name) != std::string::npos; }))
    return {};
  std::vector<std::string> words;
  for (const auto word : text::parts_of(site_name)) words.push_back(without_ending(std::string(word)));
  while (!words.empty() && is_kind(words.front())) words.erase(words.begin());
  while (!words.empty() && is_kind(words.back())) words.pop_back();
  std::string subject;
  for (const auto& word : words) subject += (subject.empty() ? "" : " ") + word;
  std::size_t at = 0;
  const bool named = !subject.empty() && u_islower(static_cast<UChar32>(next_code_point(subject, at))) == 0;
  constexpr std::size_t kLeastLetters = 3, kMostWords = 3;
  const bool fits = headings::count_letters(subject) >= kLeastLetters && words.size() <= kMostWords;
  return named && fits ? subject : std::string();
}

}  // namespace touchstone::pipeline::evidence::wording
