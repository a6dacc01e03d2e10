#include "pipeline/evidence/heading_subject.hpp"

#include "common/unicode.hpp"
#include "pipeline/evidence/section_wording.hpp"

#include <algorithm>
#include <cctype>
#include <iterator>
#include <vector>

namespace touchstone::pipeline::evidence {
namespace {

/// Words in front of a noun that only choose among its members.
constexpr std::string_view kChoosing[] = {"notable",   "major",     "main",   "principal", "representative", "famous",
                                          "prominent", "important", "known",  "selected",  "related",        "other",
                                          "typical",   "surviving", "former", "current"};
/// Prepositions behind which a place or a time stands, before which the page's title fits.
constexpr std::string_view kPlacing[] = {"in",   "on",    "at",     "near",   "across", "around", "within", "outside",
                                         "from", "under", "during", "before", "after",  "since",  "between"};
constexpr std::string_view kJoining[] = {"of",   "for",   "with", "without", "by",   "to",
                                         "that", "which", "who",  "whose",   "where"};
constexpr std::string_view kPronouns[] = {"them", "him", "her", "it"};
/// Nouns of what lists list; a list below their singular has members of this kind.
constexpr std::string_view kListedNouns[] = {
    "deity",    "god",     "goddess",  "spirit",  "saint",   "shrine",    "temple",  "church", "tomb",   "person",
    "member",   "player",  "author",   "artist",  "ruler",   "building",  "bridge",  "castle", "museum", "school",
    "festival", "event",   "ceremony", "ritual",  "station", "line",      "village", "town",   "city",   "district",
    "island",   "river",   "mountain", "lake",    "species", "character", "book",    "film",   "song",   "album",
    "game",     "example", "site",     "company", "product", "subsidiary"};

/// Nouns at the beginning of a heading that say what a text tells of the members named behind them.
constexpr std::string_view kTelling[] = {"distribution", "classification", "comparison", "overview", "summary",
                                         "locations",    "location",       "history",    "origins",  "chronology"};

template <std::size_t kSize>
bool is_among(std::string_view word, const std::string_view (&words)[kSize]) {
  return std::find(std::begin(words), std::end(words), word) != std::end(words);
}

std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  for (std::size_t begin = 0; begin < text.size();) {
    const auto end = std::min(text.find(' ', begin), text.size());
    if (end > begin) words.emplace_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return words;
}

std::string join_words(const std::vector<std::string>& words, std::size_t begin, std::size_t end) {
  std::string text;
  for (auto i = begin; i < end; ++i) text += (text.empty() ? "" : " ") + words[i];
  return text;
}

std::string plural(const std::string& noun) {
  constexpr std::string_view kSibilants[] = {"s", "sh", "ch", "x", "z"};
  if (noun == "species") return noun;
  if (noun == "person") return "people";
  const bool vowel = noun.size() > 1 && std::string_view("aeiou").find(noun[noun.size() - 2]) != std::string_view::npos;
  if (noun.ends_with('y') && !vowel) return noun.substr(0, noun.size() - 1) + "ies";
  const bool sibilant =
      std::any_of(std::begin(kSibilants), std::end(kSibilants), [&](auto ending) { return noun.ends_with(ending); });
  return noun + (sibilant ? "es" : "s");
}

/// The place of the first word that narrows a noun before it, or the number of words.
std::size_t end_of_noun(const std::vector<std::string>& words) {
  constexpr std::size_t kShortest = 5;
  for (std::size_t i = 1; i < words.size(); ++i) {
    const auto word = lower_case(words[i]);
    const bool participle = word.size() >= kShortest && (word.ends_with("ing") || word.ends_with("ed"));
    const bool narrows = is_among(word, kPlacing) || is_among(word, kJoining);
    if (narrows || (participle && is_english_plural(words[i - 1]))) return i;
    if (participle && i + 1 < words.size() && word.ends_with("ing") && is_among(lower_case(words[0]), kChoosing))
      return i;
  }
  return words.size();
}

/// "List of the shrines" without "List of the"; empty if the heading starts otherwise.
std::string_view listed_by(std::string_view heading) {
  const auto lower = lower_case(heading);
  for (const std::string_view start : {"list of ", "lists of ", "full list of ", "partial list of "}) {
    if (!lower.starts_with(start)) continue;
    heading.remove_prefix(start.size());
    if (lower.substr(start.size()).starts_with("the ")) heading.remove_prefix(4);
    return heading;
  }
  return {};
}

/// "Notable Tombs" of "Distribution and Notable Tombs", and "Six Mounds" of "Comparison of the Six Mounds": what a text
/// about members tells of them is not what the list lists. A heading that starts otherwise stays.
std::string_view without_telling(std::string_view heading) {
  const auto lower = lower_case(heading);
  for (const auto telling : kTelling) {
    for (const std::string_view joint : {" and ", " of the ", " of "}) {
      const auto start = std::string(telling) + std::string(joint);
      if (!lower.starts_with(start)) continue;
      const auto rest = heading.substr(start.size());
      return is_english_plural(rest) || chooses_members(rest) ? rest : heading;
    }
  }
  return heading;
}

/// "Shrine" of "Shrine list"; empty if the heading ends otherwise.
std::string_view listed_before(std::string_view heading) {
  const auto lower = lower_case(heading);
  for (const std::string_view end : {" list", " lists"}) {
    if (lower.ends_with(end)) return heading.substr(0, heading.size() - end.size());
  }
  return {};
}

std::string in_plural(std::string noun) {
  const auto blank = noun.rfind(' ');
  const auto begin = blank == std::string::npos ? 0 : blank + 1;
  const auto last = lower_case(noun.substr(begin));
  if (!is_among(last, kListedNouns)) return inside_sentence(noun);
  return inside_sentence(noun.substr(0, begin) + plural(last));
}

/// The words that narrow a noun; the first and a verb behind "that" lose the capital of a heading.
std::string narrowing_text(std::vector<std::string> words, std::size_t begin) {
  for (auto i = begin; i < words.size(); ++i) {
    const bool verb = i > begin && (lower_case(words[i - 1]) == "that" || lower_case(words[i - 1]) == "who");
    if (i == begin || verb || is_among(lower_case(words[i]), kPlacing) || is_among(lower_case(words[i]), kJoining))
      words[i] = lower_case(words[i]);
  }
  constexpr std::size_t kShort = 2;  // "with Articles"
  if (words.size() - begin == kShort && is_english_plural(words.back())) words.back() = lower_case(words.back());
  return begin == words.size() ? "" : " " + join_words(words, begin, words.size());
}

/// Puts the title in the place of a pronoun at the end ("them", "this deity"); returns whether there was one.
bool replace_pronoun(std::string& narrowed, const std::string& title) {
  auto words = words_of(narrowed);
  if (words.size() < 2) return false;
  const auto before_last = lower_case(words[words.size() - 2]);
  std::size_t replaced = is_among(lower_case(words.back()), kPronouns) ? 1 : 0;
  if (words.size() > 2 && (before_last == "this" || before_last == "these")) replaced = 2;
  if (replaced == 0) return false;
  narrowed = " " + join_words(words, 0, words.size() - replaced) + " " + title;
  return true;
}

}  // namespace

std::string_view without_last_dot(std::string_view heading) {
  return heading.ends_with('.') ? heading.substr(0, heading.size() - 1) : heading;
}

bool is_about_lists(std::string_view heading) {
  return !listed_before(heading).empty();
}

bool names_members(std::string_view heading) {
  if (!listed_by(heading).empty() || is_about_lists(heading) || is_english_plural(heading)) return true;
  const auto words = words_of(heading);
  const auto end = end_of_noun(words);
  return end > 0 && is_english_plural(words[end - 1]);
}

bool chooses_members(std::string_view heading) {
  const auto words = words_of(heading);
  return end_of_noun(words) > 1 && is_among(lower_case(words[0]), kChoosing);
}

HeadingSubject heading_subject(std::string_view heading) {
  if (const auto listed = listed_by(heading); !listed.empty()) heading = listed;
  if (const auto listed = listed_before(heading); !listed.empty()) heading = listed;
  heading = without_telling(heading);
  auto words = words_of(heading);
  const auto end = end_of_noun(words);
  HeadingSubject subject{in_plural(join_words(words, 0, end)), ""};
  const bool one_participle = end + 1 == words.size() && lower_case(words[end]).ends_with("ed");
  if (one_participle)
    subject.noun = lower_case(words[end]) + " " + subject.noun;
  else
    subject.narrowed = narrowing_text(std::move(words), end);
  return subject;
}

std::string subject_of_page(const HeadingSubject& subject, const std::string& title, bool about_title) {
  auto narrowed = subject.narrowed;
  if (replace_pronoun(narrowed, title)) return subject.noun + narrowed;
  if (!about_title) return subject.noun + narrowed;
  if (narrowed.empty()) return subject.noun + " of " + title;
  const auto first = std::string_view(narrowed).substr(1, narrowed.find(' ', 1) - 1);
  return is_among(first, kPlacing) ? subject.noun + " of " + title + narrowed : subject.noun + narrowed + ", " + title;
}

}  // namespace touchstone::pipeline::evidence
