#include "pipeline/evidence/query_template.hpp"

#include "common/unicode.hpp"
#include "pipeline/corpus/terms.hpp"
#include "pipeline/corpus/wiki_language.hpp"
#include "pipeline/evidence/header_pattern.hpp"
#include "pipeline/evidence/query_wording.hpp"
#include "pipeline/headings/heading_words.hpp"

#include <map>
#include <set>
#include <string>
#include <string_view>

namespace touchstone::pipeline::evidence {
namespace {

using corpus::TermSplitter;

/// What the wiki's language is known to say.
struct Words {
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

/// A heading that only says how the list is ordered.
bool only_orders(std::string_view heading) {
  return heading.starts_with("By ") || heading.starts_with("Alphabetical ");
}

/// The headings that narrow what `query` says, each behind `joint`.
std::string narrowing_headings(const Group& group, const Words& words, SaidWords& said, std::string_view joint) {
  std::string text;
  for (const auto& heading : group.section_path) {
    const auto short_heading = without_parenthesis(heading);
    if (words.headings.forbidden.matches(heading) || words.headings.miscellaneous.matches(heading)) continue;
    if ((words.english && only_orders(short_heading)) || !said.add(short_heading)) continue;
    text += std::string(joint) + std::string(short_heading);
  }
  return text;
}

bool is_name_column(const Group& group, Words& words) {
  return group.column == kListItemColumn || words.name_header.found_in(group.column);
}

std::string phrase(const Group& group, Words& words, TermSplitter& splitter) {
  SaidWords said(splitter);
  const auto wording = list_wording(words.language, group.page);
  const auto subject = wording ? list_subject(*wording, group.page) : group.page;
  said.add(subject);
  const auto headings = narrowing_headings(group, words, said, wording ? ", " : ": ");
  const bool names = is_name_column(group, words) || !said.add(group.column);
  if (!wording) return subject + headings + (names ? "" : ": " + group.column);
  const auto asked = names ? std::string(wording->names) : group.column;
  const auto joint = std::string(wording->joint);
  return wording->list.starts_with('*') ? subject + headings + joint + asked : asked + joint + subject + headings;
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
  Words words{.language = language,
              .english = language == "simple" || language.starts_with("en"),
              .headings = headings::heading_words(language),
              .name_header = HeaderPattern(default_header(language))};
  TermSplitter splitter(corpus::stemmer_name(language));
  std::vector<TopicQuery> queries;
  for (const auto* group : groups) queries.push_back({group->topic, phrase(*group, words, splitter), "template/2"});
  tell_apart(groups, queries);
  return queries;
}

}  // namespace touchstone::pipeline::evidence
