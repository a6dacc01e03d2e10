#include "pipeline/evidence/query_template.hpp"

#include "common/unicode.hpp"
#include "pipeline/corpus/terms.hpp"
#include "pipeline/corpus/wiki_language.hpp"
#include "pipeline/evidence/header_pattern.hpp"
#include "pipeline/evidence/query_wording.hpp"
#include "pipeline/evidence/section_wording.hpp"
#include "pipeline/headings/heading_words.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

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

/// Adds the headings that narrow what `list` says.
void narrow(WordedList& list, const Group& group, const Words& words, TermSplitter& splitter, SaidWords& said,
            std::string_view joint) {
  for (const auto& heading : group.section_path) {
    const auto short_heading = without_parenthesis(heading);
    const auto& known = words.headings;
    if (known.forbidden.matches(heading) || known.miscellaneous.matches(heading)) continue;
    if (known.ordering.matches(short_heading) || !said.add(short_heading)) continue;
    if (words.english)
      narrow_in_english(list, short_heading, facts_of(short_heading, list.subject, words, splitter));
    else
      list.narrowed += std::string(joint) + std::string(short_heading);
  }
}

bool is_name_column(const Group& group, Words& words) {
  return group.column == kListItemColumn || words.name_header.found_in(group.column);
}

/// The wording of a title; an English plural without "List of" is asked for as if it had it.
std::optional<ListWording> wording_of(const std::string& title, const Words& words, TermSplitter& splitter) {
  if (auto wording = list_wording(words.language, title)) return wording;
  if (!words.english) return std::nullopt;
  const auto terms = splitter.split(title);
  const auto noun = subject_noun(splitter, title);
  const auto last = std::find_if(terms.begin(), terms.end(), [&](const auto& term) { return term.stem == noun; });
  if (noun.empty() || last == terms.end()) return std::nullopt;
  ByteCounter offsets(title);
  if (!is_english_plural(std::string_view(title).substr(0, offsets.at_code_point(last->end)))) return std::nullopt;
  return ListWording{.language = "en", .list = "", .names = "names", .joint = " of "};
}

std::string phrase(const Group& group, Words& words, TermSplitter& splitter) {
  SaidWords said(splitter);
  const auto wording = wording_of(group.page, words, splitter);
  WordedList list{wording && !wording->list.empty() ? list_subject(*wording, group.page) : group.page, ""};
  said.add(list.subject);
  narrow(list, group, words, splitter, said, wording ? ", " : ": ");
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
