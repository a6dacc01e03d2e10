#include "pipeline/evidence/query_template.hpp"

#include "common/unicode.hpp"
#include "pipeline/corpus/terms.hpp"
#include "pipeline/corpus/wiki_language.hpp"
#include "pipeline/evidence/header_pattern.hpp"
#include "pipeline/evidence/heading_subject.hpp"
#include "pipeline/evidence/query_wording.hpp"
#include "pipeline/evidence/section_wording.hpp"
#include "pipeline/evidence/subject_noun.hpp"
#include "pipeline/headings/heading_words.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace touchstone::pipeline::evidence {
namespace {

using corpus::TermSplitter;

/// What is known of the wiki and its language.
struct Words {
  const corpus::TitleIndex& titles;
  std::string language;
  bool english;
  headings::HeadingWords headings;
  HeaderPattern name_header;
};

/// `heading` without a qualifier in parentheses at its end, in which wikis repeat a name in another script.
std::string_view without_parenthesis(std::string_view heading) {
  heading = without_last_dot(heading);
  const auto open = heading.rfind(" (");
  return open != std::string_view::npos && heading.ends_with(')') ? heading.substr(0, open) : heading;
}

/// Says which words a query has already.
class SaidWords {
 public:
  explicit SaidWords(TermSplitter& splitter) : splitter_(splitter) {}
  /// Adds the words of `text`; returns whether one of them that carries meaning is new.
  bool add(std::string_view text) {
    bool anything_new = false;
    for (auto& term : splitter_.split(text)) {
      if (!splitter_.is_stop_word(term.stem)) anything_new |= said_.insert(std::move(term.stem)).second;
    }
    return anything_new;
  }

 private:
  TermSplitter& splitter_;
  std::set<std::string> said_;
};

/// A shorter word is no short form of the subject's noun, as "lights" is of "lighthouses".
constexpr std::size_t kMinNoun = 4;

HeadingFacts facts_of(std::string_view heading, const std::string& subject, const Words& words,
                      TermSplitter& splitter) {
  const auto is_article = [&](std::string_view title) {
    return words.titles.resolve(Title{0, std::string(title)}).has_value();
  };
  const auto terms = splitter.split(heading);
  const auto noun = subject_noun(splitter, words.language, subject);
  return {
      .date = words.headings.dates.matches(heading),
      .article = is_article(heading),
      .name_first = is_article(heading.substr(0, heading.find(' '))),
      .ends_in_subject = !terms.empty() && terms.back().stem.size() >= kMinNoun && noun.starts_with(terms.back().stem)};
}

/// The headings of a topic that say something of it.
std::vector<std::string> narrowing_headings(const Group& group, const Words& words) {
  std::vector<std::string> headings;
  for (const auto& heading : group.section_path) {
    const auto& known = words.headings;
    if (known.forbidden.matches(heading) || known.miscellaneous.matches(heading) || known.prose.matches(heading))
      continue;
    if (!known.ordering.matches(without_parenthesis(heading))) headings.push_back(heading);
  }
  return headings;
}

/// Adds the headings that narrow what `list` says.
void narrow(WordedList& list, const std::vector<std::string>& headings, const Words& words, TermSplitter& splitter,
            SaidWords& said, std::string_view joint) {
  for (const auto& heading : headings) {
    const auto short_heading = without_parenthesis(heading);
    if (!said.add(short_heading)) continue;
    if (words.english)
      narrow_in_english(list, short_heading, facts_of(short_heading, list.subject, words, splitter));
    else
      list.narrowed += std::string(joint) + std::string(short_heading);
  }
}

bool is_name_column(const Group& group, Words& words) {
  return group.column == kListItemColumn || words.name_header.found_in(group.column);
}

/// A title without what only tells pages apart: "(disambiguation)" and a Wikidata item, "(Q42)".
std::string without_mark(const std::string& title) {
  const auto open = title.rfind(" (");
  if (open == std::string::npos || !title.ends_with(')')) return title;
  const auto mark = std::string_view(title).substr(open + 2, title.size() - open - 3);
  const bool item = mark.size() > 1 && mark[0] == 'Q' && mark.find_first_not_of("0123456789", 1) == mark.npos;
  return item || mark == "disambiguation" ? title.substr(0, open) : title;
}

/// The place of the heading that an English page which is no list asks for: the innermost that names members, else the
/// innermost that chooses among them, else, for a column of names, the innermost that would only stand behind a comma.
std::optional<std::size_t> heading_of_members(const std::vector<std::string>& headings, const std::string& title,
                                              bool names, const Words& words, TermSplitter& splitter) {
  const auto is_loose = [&](std::string_view heading) {
    WordedList trial{title, ""};
    narrow_in_english(trial, heading, facts_of(heading, title, words, splitter));
    return names && trial.narrowed.starts_with(", ");
  };
  const auto innermost = [&](const auto& is_wanted) -> std::optional<std::size_t> {
    for (auto i = headings.size(); i-- > 0;) {
      if (is_wanted(without_parenthesis(headings[i]))) return i;
    }
    return std::nullopt;
  };
  if (const auto found = innermost(names_members)) return found;
  if (const auto found = innermost(chooses_members)) return found;
  return innermost(is_loose);
}

/// Whether two texts share a word that carries meaning.
bool share_a_word(TermSplitter& splitter, std::string_view a, std::string_view b) {
  std::set<std::string> words;
  for (auto& term : splitter.split(a)) words.insert(std::move(term.stem));
  const auto terms = splitter.split(b);
  return std::any_of(terms.begin(), terms.end(),
                     [&](const auto& term) { return words.contains(term.stem) && !splitter.is_stop_word(term.stem); });
}

/// A first word that the title has too is a name, unless it is a plural, which the title's noun may be.
bool begins_with_name(std::string_view heading, const std::string& title) {
  const auto word = heading.substr(0, heading.find(' '));
  return word.size() < heading.size() && !is_english_plural(word) &&
         (" " + title + " ").find(" " + std::string(word) + " ") != std::string::npos;
}

/// In English, a page that is no list asks for what one of its headings names: "enshrined deities of Amber Shrine".
/// That heading is taken out of `headings`, as are those that only say that there are lists.
std::string english_subject(const std::string& title, std::vector<std::string>& headings, bool names,
                            const Words& words, TermSplitter& splitter) {
  const auto place = heading_of_members(headings, title, names, words, splitter);
  if (!place) return title;
  const std::string heading(without_parenthesis(headings[*place]));
  auto subject = heading_subject(heading);
  if (begins_with_name(heading, title) && subject.noun.size() > 1 &&
      lower_case(heading).starts_with(lower_case(subject.noun.substr(0, subject.noun.find(' ')))))
    subject.noun[0] = heading[0];
  headings.erase(headings.begin() + static_cast<std::ptrdiff_t>(*place));
  std::erase_if(headings, [](const auto& other) { return is_about_lists(without_parenthesis(other)); });
  SaidWords said(splitter);
  said.add(subject.noun + subject.narrowed);
  return subject_of_page(subject, title,
                         said.add(without_parenthesis(title)) && !share_a_word(splitter, subject.narrowed, title));
}

/// What stands between a title and its headings.
std::string_view joint_of_headings(const std::optional<ListWording>& wording) {
  if (!wording) return ": ";
  return wording->list == "*" ? wording->joint : ", ";
}

/// Whether the column is named by the noun that the list's title asks for.
bool is_own_noun(const Group& group, const std::string& subject, const Words& words, TermSplitter& splitter) {
  const auto terms = splitter.split(group.column);
  const bool stemmed = !corpus::stemmer_name(words.language).empty();
  return terms.size() == 1 && is_same_noun(terms[0].stem, subject_noun(splitter, words.language, subject), stemmed);
}

std::string phrase(const Group& group, Words& words, TermSplitter& splitter) {
  SaidWords said(splitter);
  auto wording = list_wording(words.language, group.page);
  auto headings = narrowing_headings(group, words);
  WordedList list{wording ? list_subject(*wording, group.page) : group.page, ""};
  if (!wording && words.english) {
    list.subject = english_subject(without_mark(group.page), headings, is_name_column(group, words), words, splitter);
    wording = ListWording{.language = "en", .list = "", .names = "names", .joint = " of "};
  }
  if (!wording) wording = page_wording(words.language);
  said.add(list.subject);
  narrow(list, headings, words, splitter, said, joint_of_headings(wording));
  const bool names =
      is_name_column(group, words) || !said.add(group.column) || is_own_noun(group, list.subject, words, splitter);
  const auto text = list.subject + list.narrowed;
  if (!wording) return text + (names ? "" : ": " + group.column);
  const auto asked = names ? std::string(wording->names) : group.column;
  const auto joint = std::string(wording->joint);
  return wording->list.starts_with('*') ? text + joint + asked : asked + joint + text;
}

/// The parentheses at the ends of headings, which queries leave out.
std::string said_in_parentheses(const Group& group) {
  std::string text;
  for (const auto& heading : group.section_path) text += heading.substr(without_parenthesis(heading).size());
  return text;
}

/// What tells topics apart that the template words alike, from the least to the most that must be said.
std::string longer_phrase(const Group& group, const std::string& query, std::size_t step) {
  if (step == 0) return query + said_in_parentheses(group);
  if (step == 1) {
    if (group.column != kListItemColumn) return query + " (" + group.column + ")";
    return query.find(group.page) == std::string::npos ? query + ", " + group.page : query;
  }
  std::string text = group.page;
  for (const auto& heading : group.section_path) text += ": " + heading;
  text += ": " + group.column;
  return step == 2 ? text : text + " (" + group.topic + ")";
}

}  // namespace

void tell_apart(const std::vector<const Group*>& groups, std::vector<TopicQuery>& queries) {
  for (std::size_t step = 0; step < 4; ++step) {
    std::map<std::string, std::size_t> uses;
    for (const auto& query : queries) ++uses[lower_case(query.query)];
    for (std::size_t i = 0; i < queries.size(); ++i) {
      if (uses.at(lower_case(queries[i].query)) > 1)
        queries[i].query = longer_phrase(*groups[i], queries[i].query, step);
    }
  }
}

std::vector<TopicQuery> template_queries(const std::vector<const Group*>& groups, const corpus::TitleIndex& titles) {
  const auto& language = titles.site().language;
  Words words{.titles = titles,
              .language = language,
              .english = language == "simple" || language.starts_with("en"),
              .headings = headings::wiki_heading_words(language),
              .name_header = HeaderPattern(default_header(language))};
  TermSplitter splitter(corpus::stemmer_name(language));
  std::vector<TopicQuery> queries;
  for (const auto* group : groups) queries.push_back({group->topic, phrase(*group, words, splitter), "template/3"});
  tell_apart(groups, queries);
  return queries;
}

}  // namespace touchstone::pipeline::evidence
