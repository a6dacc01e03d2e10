#include "pipeline/evidence/query_template.hpp"

#include "common/unicode.hpp"
#include "pipeline/corpus/terms.hpp"
#include "pipeline/corpus/wiki_language.hpp"
#include "pipeline/evidence/header_pattern.hpp"
#include "pipeline/evidence/query_wording.hpp"
#include "pipeline/evidence/section_wording.hpp"
#include "pipeline/headings/heading_words.hpp"

#include <algorithm>
#include <iterator>
#include <map>
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

/// The noun of an English subject: the last word before "of", "in", ...
std::string subject_noun(TermSplitter& splitter, const std::string& subject) {
  std::string noun;
  for (auto& term : splitter.split(subject)) {
    const bool stop = splitter.is_stop_word(term.stem);
    if (stop && !noun.empty()) break;
    if (!stop) noun = std::move(term.stem);
  }
  return noun;
}

HeadingFacts facts_of(std::string_view heading, const std::string& subject, const Words& words,
                      TermSplitter& splitter) {
  const auto is_article = [&](std::string_view title) {
    return words.titles.resolve(Title{0, std::string(title)}).has_value();
  };
  const auto terms = splitter.split(heading);
  const auto noun = subject_noun(splitter, subject);
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
    if (known.forbidden.matches(heading) || known.miscellaneous.matches(heading)) continue;
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

std::string without_disambiguation(const std::string& title) {
  constexpr std::string_view kMark = " (disambiguation)";
  return title.ends_with(kMark) ? title.substr(0, title.size() - kMark.size()) : title;
}

/// In English, a page that is no list asks for what its innermost plural heading names: "enshrined deities of Amber
/// Shrine". That heading is taken out of `headings`.
std::string english_subject(const std::string& title, std::vector<std::string>& headings, TermSplitter& splitter) {
  const auto plural = std::find_if(headings.rbegin(), headings.rend(), [](const std::string& heading) {
    return is_english_plural(without_parenthesis(heading));
  });
  if (plural == headings.rend()) return title;
  const auto subject = inside_sentence(without_parenthesis(*plural));
  headings.erase(std::next(plural).base());
  SaidWords said(splitter);
  said.add(subject);
  return said.add(title) ? subject + " of " + title : subject;
}

std::string phrase(const Group& group, Words& words, TermSplitter& splitter) {
  SaidWords said(splitter);
  auto wording = list_wording(words.language, group.page);
  auto headings = narrowing_headings(group, words);
  WordedList list{wording ? list_subject(*wording, group.page) : group.page, ""};
  if (!wording && words.english) {
    list.subject = english_subject(without_disambiguation(group.page), headings, splitter);
    wording = ListWording{.language = "en", .list = "", .names = "names", .joint = " of "};
  }
  said.add(list.subject);
  narrow(list, headings, words, splitter, said, wording ? ", " : ": ");
  const bool names = is_name_column(group, words) || !said.add(group.column);
  const auto text = list.subject + list.narrowed;
  if (!wording) return text + (names ? "" : ": " + group.column);
  const auto asked = names ? std::string(wording->names) : group.column;
  const auto joint = std::string(wording->joint);
  return wording->list.starts_with('*') ? text + joint + asked : asked + joint + text;
}

/// What tells topics apart that the template words alike, from the least to the most that must be said.
std::string longer_phrase(const Group& group, const std::string& query, std::size_t step) {
  if (step == 0) return query + " (" + group.column + ")";
  std::string text = group.page;
  for (const auto& heading : group.section_path) text += ": " + heading;
  text += ": " + group.column;
  return step == 1 ? text : text + " (" + group.topic + ")";
}

}  // namespace

void tell_apart(const std::vector<const Group*>& groups, std::vector<TopicQuery>& queries) {
  for (std::size_t step = 0; step < 3; ++step) {
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
              .headings = headings::heading_words(language),
              .name_header = HeaderPattern(default_header(language))};
  TermSplitter splitter(corpus::stemmer_name(language));
  std::vector<TopicQuery> queries;
  for (const auto* group : groups) queries.push_back({group->topic, phrase(*group, words, splitter), "template/3"});
  tell_apart(groups, queries);
  return queries;
}

}  // namespace touchstone::pipeline::evidence
