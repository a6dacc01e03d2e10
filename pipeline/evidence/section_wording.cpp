#include "pipeline/evidence/section_wording.hpp"

#include "common/unicode.hpp"

#include <algorithm>
#include <cctype>
#include <iterator>

namespace touchstone::pipeline::evidence {
namespace {

/// First words that continue a sentence.
constexpr std::string_view kContinuing[] = {"in",     "on",     "at",      "from",    "of",      "under",
                                            "during", "with",   "within",  "without", "outside", "near",
                                            "before", "after",  "since",   "until",   "between", "for",
                                            "along",  "around", "through", "over",    "against"};
/// Participles that continue a sentence if such a word follows: "Served with the navy".
constexpr std::string_view kParticiples[] = {"born",  "built", "held", "made", "written",
                                             "known", "sunk",  "lost", "won"};
/// Words that are before what they tell about.
constexpr std::string_view kAdjectives[] = {
    "current",      "former",    "active",     "inactive",     "defunct",        "historic",   "historical",
    "fictional",    "ancient",   "modern",     "medieval",     "male",           "female",     "planned",
    "proposed",     "extinct",   "living",     "deceased",     "annual",         "minor",      "major",
    "abandoned",    "closed",    "unofficial", "official",     "international",  "domestic",   "national",
    "regional",     "local",     "foreign",    "public",       "private",        "completed",  "unfinished",
    "discontinued", "obsolete",  "retired",    "mythological", "legendary",      "unreleased", "upcoming",
    "permanent",    "temporary", "notable",    "main",         "principal",      "famous",     "prominent",
    "important",    "known",     "related",    "other",        "representative", "optional",   "deprecated",
    "playable",     "recurring", "secret",     "hidden",       "unique",         "rare"};
/// Last words of what things are on, and of times, which need an article.
constexpr std::string_view kGround[] = {"island",   "islands",   "coast", "shore",
                                        "mainland", "peninsula", "moon",  "moons"};
constexpr std::string_view kTimes[] = {"period", "era", "age", "ages", "century", "dynasty", "years", "war"};
/// Nouns of lists whose headings are often the names of months and other times.
constexpr std::string_view kDatedNouns[] = {"days", "dates", "holidays", "observances", "events", "births", "deaths"};
/// Last words of the names of places; those of areas need an article.
constexpr std::string_view kAreas[] = {"region", "area", "basin", "valley", "district"};
constexpr std::string_view kPlaces[] = {"prefecture", "province", "county", "city", "town", "village", "ward"};
constexpr std::string_view kDirections[] = {"north",     "south",     "east",     "west",   "northeast", "northwest",
                                            "southeast", "southwest", "interior", "centre", "center"};

template <std::size_t kSize>
bool is_one_of(std::string_view word, const std::string_view (&words)[kSize]) {
  return std::find(std::begin(words), std::end(words), word) != std::end(words);
}

std::string first_word(std::string_view phrase) {
  return lower_case(phrase.substr(0, phrase.find(' ')));
}

std::string last_word(std::string_view phrase) {
  const auto blank = phrase.rfind(' ');
  return lower_case(blank == std::string_view::npos ? phrase : phrase.substr(blank + 1));
}

/// The first letter, an ASCII capital, in lower case.
std::string lower_first(std::string_view phrase) {
  std::string text(phrase);
  if (!text.empty()) text[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(text[0])));
  return text;
}

bool continues(std::string_view heading) {
  const auto blank = heading.find(' ');
  if (blank == std::string_view::npos) return false;
  const auto word = first_word(heading);
  if (is_one_of(word, kContinuing)) return true;
  const bool participle = is_one_of(word, kParticiples) || (word.size() > 4 && word.ends_with("ed"));
  return participle && is_one_of(first_word(heading.substr(blank + 1)), kContinuing);
}

std::string spelled_out(std::string_view heading) {
  std::string text(heading);
  if (const auto at = text.find(" & "); at != std::string::npos) text.replace(at, 3, " and ");
  return text;
}

std::string with_article(std::string_view phrase) {
  return first_word(phrase) == "the" ? lower_first(phrase) : "the " + std::string(phrase);
}

bool is_nationality(std::string_view word) {
  constexpr std::string_view kEndings[] = {"ese", "ish", "ian", "ean", "ican"};
  return word.size() > 4 && std::any_of(std::begin(kEndings), std::end(kEndings),
                                        [&](std::string_view ending) { return word.ends_with(ending); });
}

/// "Other Notable Tolmouth Lights" with "other notable": the adjectives at the beginning of a heading are not names.
std::string with_lower_adjectives(std::string_view heading) {
  std::string text(heading);
  for (std::size_t begin = 0; begin < heading.size();) {
    const auto end = std::min(heading.find(' ', begin), heading.size());
    if (!is_one_of(lower_case(heading.substr(begin, end - begin)), kAdjectives)) break;
    text[begin] = static_cast<char>(std::tolower(static_cast<unsigned char>(text[begin])));
    begin = end + 1;
  }
  return text;
}

/// Whether a heading of one or two words, such as "Muharram", is likely a time in a list of days or events.
bool is_name_of_time(std::string_view heading, std::string_view subject) {
  return is_one_of(first_word(subject), kDatedNouns) && !is_english_plural(heading) &&
         std::count(heading.begin(), heading.end(), ' ') <= 1;
}

/// "1990s" and "19th century" need an article, "1990" and "May 1990" do not.
bool is_span_of_years(std::string_view date) {
  const auto word = last_word(date);
  const bool decade = word.size() > 2 && word.back() == 's' && std::isdigit(static_cast<unsigned char>(word.end()[-2]));
  return decade || word == "century" || date.find("century") != std::string_view::npos;
}

/// The phrase with its first letter in lower case where the capital only begins a heading: its other words are in lower
/// case, and the first is neither an abbreviation nor a nationality.
std::string without_heading_capital(std::string_view phrase) {
  const auto is_capital = [](char c) { return c >= 'A' && c <= 'Z'; };
  const auto others = phrase.empty() ? phrase : phrase.substr(1);
  const bool name = std::any_of(others.begin(), others.end(), is_capital) || is_nationality(first_word(phrase));
  return name ? std::string(phrase) : lower_first(phrase);
}

}  // namespace

std::string inside_sentence(std::string_view heading) {
  std::string text;
  bool has_name = false;
  for (std::size_t begin = 0; begin <= heading.size();) {
    const auto blank = std::min(heading.find(' ', begin), heading.size());
    const auto word = heading.substr(begin, blank - begin);
    const auto lower = lower_case(word);
    const bool common = is_one_of(lower, kAdjectives) || (word.size() > 4 && lower.ends_with("ed")) ||
                        (blank == heading.size() && is_english_plural(word));
    has_name |= begin > 0 && !common && !word.empty() && word[0] >= 'A' && word[0] <= 'Z';
    text += (begin == 0 ? "" : " ") + (common ? lower_first(word) : std::string(word));
    begin = blank + 1;
  }
  return has_name ? with_lower_adjectives(heading) : without_heading_capital(text);
}

bool is_english_plural(std::string_view phrase) {
  const auto word = last_word(phrase);
  const bool looks_so = word.size() > 3 && word.ends_with('s') && !word.ends_with("ss") && !word.ends_with("us") &&
                        !word.ends_with("is") && !word.ends_with("'s") && !word.ends_with("ics");
  return looks_so || word == "people" || word == "men" || word == "women" || word == "children" || word == "alumni";
}

bool orders_by_place(std::string_view heading) {
  constexpr std::string_view kFurther[] = {"country", "state", "continent", "location", "place", "island"};
  const auto last = last_word(heading);
  return first_word(heading) == "by" &&
         (is_one_of(last, kAreas) || is_one_of(last, kPlaces) || is_one_of(last, kFurther));
}

bool names_things(std::string_view phrase) {
  const auto last = last_word(phrase);
  const auto lower = lower_case(phrase);
  if (last == "list" || last == "lists" || lower.starts_with("list of ") || lower.starts_with("lists of ")) return true;
  for (std::size_t end = phrase.find(' '); end != std::string_view::npos; end = phrase.find(' ', end + 1)) {
    const auto next = first_word(phrase.substr(end + 1));
    const bool narrows = is_one_of(next, kContinuing) || next == "by" || next == "and" || next == "to" ||
                         next == "that" || next == "who" || next == "which" || next.starts_with('(');
    if (narrows) return is_english_plural(phrase.substr(0, end));
  }
  return is_english_plural(phrase);
}

bool narrow_in_english(WordedList& list, std::string_view original, const HeadingFacts& facts) {
  const auto heading = spelled_out(original);
  const auto lowered =
      facts.name_first && !is_one_of(first_word(heading), kAdjectives) ? heading : inside_sentence(heading);
  const auto last = last_word(heading);
  const bool one_word = heading.find(' ') == std::string::npos;
  if (facts.ends_in_subject && !one_word) {
    list.subject = lowered.substr(0, lowered.rfind(' ') + 1) + list.subject;
  } else if (one_word && is_one_of(last, kAdjectives)) {
    list.subject = lower_first(heading) + " " + list.subject;
  } else if (continues(heading)) {
    list.narrowed += " " + lower_first(heading);
  } else if (facts.date) {
    list.narrowed += " in " + (is_span_of_years(heading) ? with_article(lowered) : heading);
  } else if (is_one_of(last, kTimes)) {
    list.narrowed += " in " + with_article(lowered);
  } else if (is_one_of(last, kGround)) {
    list.narrowed += " on " + with_article(lowered);
  } else if (!one_word && is_one_of(last, kAreas)) {
    list.narrowed += " in " + with_article(heading);
  } else if (!one_word && is_one_of(last, kPlaces)) {
    list.narrowed += " in " + heading;
  } else if (one_word && is_one_of(last, kDirections)) {
    list.narrowed += " in the " + lower_first(heading);
  } else if (facts.place || is_name_of_time(heading, list.subject)) {
    list.narrowed += " in " + heading;
  } else {
    return false;
  }
  return true;
}

}  // namespace touchstone::pipeline::evidence
