#include "pipeline/evidence/query_template.hpp"

#include "common/unicode.hpp"
#include "pipeline/corpus/terms.hpp"
#include "pipeline/corpus/wiki_language.hpp"
#include "pipeline/evidence/common_words.hpp"
#include "pipeline/evidence/header_pattern.hpp"
#include "pipeline/evidence/keyword_query.hpp"
#include "pipeline/evidence/list_titles.hpp"
#include "pipeline/evidence/section_wording.hpp"
#include "pipeline/evidence/subject_noun.hpp"
#include "pipeline/headings/heading_words.hpp"
#include "pipeline/review/review.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

namespace touchstone::pipeline::evidence {
namespace {

using corpus::TermSplitter;

constexpr const char* kSource = "template/4";
constexpr std::size_t kMostWords = 12;  ///< more than a person types
constexpr double kMostKeywords = 6;     ///< with a meaning: more are hard to understand without a sentence
constexpr double kLeastWords = 2;       ///< one word alone asks for everything that has to do with it

/// A shorter word is no short form of the subject's noun, as "lights" is of "lighthouses".
constexpr std::size_t kMinNoun = 4;

/// `heading` without a qualifier in parentheses at its end, in which wikis repeat a name in another script.
std::string_view without_parenthesis(std::string_view heading) {
  if (heading.ends_with('.')) heading.remove_suffix(1);
  const auto open = heading.rfind(" (");
  return open != std::string_view::npos && heading.ends_with(')') ? heading.substr(0, open) : heading;
}

/// A title without what only tells pages apart: "(disambiguation)" and a Wikidata item, "(Q42)".
std::string without_mark(const std::string& title) {
  const auto open = title.rfind(" (");
  if (open == std::string::npos || !title.ends_with(')')) return title;
  const auto mark = std::string_view(title).substr(open + 2, title.size() - open - 3);
  const bool item = mark.size() > 1 && mark[0] == 'Q' && mark.find_first_not_of("0123456789", 1) == mark.npos;
  return item || mark == "disambiguation" ? title.substr(0, open) : title;
}

class Phraser {
 public:
  Phraser(const storage::Store& store, const corpus::TitleIndex& titles, const GroupsOptions& lists,
          const PhraseOptions& options)
      : store_(store),
        titles_(titles),
        language_(titles.site().language),
        english_(language_ == "simple" || language_.starts_with("en")),
        prefixes_(lists.list_words_for(language_)),
        subject_(options.subject),
        headings_(headings::wiki_heading_words(language_)),
        names_(default_header(language_)),
        splitter_(corpus::stemmer_name(language_)) {
    if (!options.review.empty()) review_ = review::read_review(options.review);
  }

  TopicQuery word(const Group& group) {
    if (auto decided = by_review(group)) return std::move(*decided);
    auto query = group_query(group);
    if (query.verdict != QueryVerdict::kUnworded) {
      auto why = why_no_query(query.query, language_);
      const double least = query.verdict == QueryVerdict::kKeywords ? kLeastWords : 1;
      const auto words = count_meaning_words(splitter_, query.query);
      if (why.empty() && words < least) why = "one word alone";
      if (why.empty() && words > kMostKeywords && query.verdict == QueryVerdict::kKeywords)
        why = "more keywords than a person types";
      const bool titled = !without_list_words(group.page, prefixes_).empty();  // its words were chosen to name a list
      if (why.empty() && query.verdict == QueryVerdict::kKeywords && subject_.empty() && !titled &&
          all_common(query.query))
        why = "all its words are common in the wiki: " + query.query;
      if (!why.empty()) return unworded(group, std::move(why));
    }
    return query;
  }

 private:
  static TopicQuery unworded(const Group& group, std::string why) {
    return {group.topic, "", kSource, QueryVerdict::kUnworded, std::move(why)};
  }

  /// Whether each word of a query tells too many articles to mean one topic.
  bool all_common(std::string_view query) {
    if (!common_) common_.emplace(store_, splitter_);
    const auto terms = splitter_.split(query);
    return std::all_of(terms.begin(), terms.end(), [&](const auto& term) { return common_->contain(term.stem); });
  }

  std::optional<TopicQuery> by_review(const Group& group) const {
    const auto* row = review_.find(group.page, review_path(group));
    if (row == nullptr || row->decision == review::ReviewDecision::kKeep) return std::nullopt;
    if (row->decision == review::ReviewDecision::kDrop) return unworded(group, "dropped by the review");
    return TopicQuery{group.topic, row->wording, std::string(kReviewSource), QueryVerdict::kCertain, ""};
  }

  TopicQuery group_query(const Group& group) {
    const auto page = group.pages.size() > 1 ? without_index_letters(group.page) : std::string_view(group.page);
    auto title = without_mark(std::string(without_other_script(page, language_)));
    auto narrowing = narrowing_headings(group);
    if (is_list_by_heading(title, narrowing)) title = std::exchange(narrowing, {}).back();
    for (const auto& text : {std::vector<std::string>{title}, narrowing}) {
      for (const auto& words : text) {
        if (auto why = why_no_words(words, language_); !why.empty())
          return unworded(group, "\"" + words + "\": " + why);
      }
    }
    const auto listed = without_list_words(title, prefixes_);
    const bool attribute = !holds_subject(group, listed.empty() ? title : listed);
    if (!listed.empty() && !attribute) {
      if (auto phrase = list_phrase(title, listed, group, narrowing); !phrase.empty())
        return {group.topic, std::move(phrase), kSource, QueryVerdict::kCertain, ""};
    }
    std::vector<std::string> parts = {english_ && !listed.empty() ? std::string(listed) : title_words(title)};
    parts.insert(parts.end(), narrowing.begin(), narrowing.end());
    if (attribute) parts.push_back(group.column);
    if (!subject_.empty() && listed.empty()) parts.push_back(subject_);
    return {group.topic, keyword_query(splitter_, parts), kSource, QueryVerdict::kKeywords, ""};
  }

  /// The phrase for a list page; empty where grammar or language are not certain.
  std::string list_phrase(const std::string& title, std::string_view listed, const Group& group,
                          const std::vector<std::string>& narrowing) {
    if (title.find_first_of("()/:;|,") != std::string::npos) return {};
    if (!english_) return narrowing.empty() ? title : std::string();
    WordedList list{std::string(listed.starts_with("the ") ? listed.substr(4) : listed), ""};
    for (const auto& heading : narrowing) {
      if (says_nothing_new(list.subject + list.narrowed, heading)) continue;
      if (!narrow_in_english(list, without_parenthesis(heading), facts_of(heading, group, list.subject))) return {};
    }
    return list.subject + list.narrowed;
  }

  bool says_nothing_new(const std::string& said, std::string_view heading) {
    return keyword_query(splitter_, {said}) == keyword_query(splitter_, {said, std::string(heading)});
  }

  HeadingFacts facts_of(std::string_view full_heading, const Group& group, const std::string& subject) {
    const auto heading = without_parenthesis(full_heading);
    const auto is_article = [&](std::string_view title) {
      return titles_.resolve(Title{0, std::string(title)}).has_value();
    };
    const auto at = std::find_if(group.section_path.begin(), group.section_path.end(),
                                 [&](const auto& text) { return text.starts_with(full_heading); });
    const bool below = at != group.section_path.begin() && at != group.section_path.end();
    const auto terms = splitter_.split(heading);
    const auto noun = subject_noun(splitter_, language_, subject);
    return {.date = headings_.dates.matches(heading),
            .place = below && orders_by_place(*(at - 1)) && is_article(heading),
            .name_first = is_article(heading.substr(0, heading.find(' '))),
            .ends_in_subject =
                !terms.empty() && terms.back().stem.size() >= kMinNoun && noun.starts_with(terms.back().stem)};
  }

  /// Whether the innermost heading names a list as a title would: "List of war shrines", and not "List of shrines".
  bool is_list_by_heading(const std::string& title, const std::vector<std::string>& narrowing) {
    constexpr double kTwoWords = 2;
    if (narrowing.empty() || !without_list_words(title, prefixes_).empty()) return false;
    const auto listed = without_list_words(narrowing.back(), corpus::list_prefixes(language_));
    return count_meaning_words(splitter_, listed) >= kTwoWords;
  }

  /// The headings of a topic that say something of it.
  std::vector<std::string> narrowing_headings(const Group& group) const {
    std::vector<std::string> narrowing;
    for (const auto& heading : group.section_path) {
      const auto& known = headings_;
      if (known.forbidden.matches(heading) || known.miscellaneous.matches(heading) || known.prose.matches(heading))
        continue;
      if (!known.ordering.matches(without_parenthesis(heading)))
        narrowing.emplace_back(without_other_script(heading, language_));
    }
    return narrowing;
  }

  /// Whether the column holds what the list lists: its header is a word for names or the list's own noun, or the column
  /// was found as the subject of its table.
  bool holds_subject(const Group& group, std::string_view listed) {
    if (group.subject || group.column == kListItemColumn || names_.found_in(group.column)) return true;
    const auto terms = splitter_.split(group.column);
    const bool stemmed = !corpus::stemmer_name(language_).empty();
    return !terms.empty() && is_same_noun(terms.back().stem, subject_noun(splitter_, language_, listed), stemmed);
  }

  const storage::Store& store_;
  const corpus::TitleIndex& titles_;
  std::string language_;
  bool english_;
  std::vector<std::string> prefixes_;
  std::string subject_;
  headings::HeadingWords headings_;
  HeaderPattern names_;
  TermSplitter splitter_;
  std::optional<CommonWords> common_;  ///< once they are asked for
  review::Review review_;
};

/// What tells topics apart that are worded alike, from the least to the most that must be said.
std::string longer_query(const Group& group, const std::string& query, std::size_t step) {
  if (step == 0) {
    std::string text = query;
    for (const auto& heading : group.section_path) {
      const auto said = heading.substr(without_parenthesis(heading).size());
      if (said.size() > 3 && said.ends_with(')')) text += " " + lower_case(said.substr(2, said.size() - 3));
    }
    return text;
  }
  return group.column == kListItemColumn ? query : query + " " + lower_case(group.column);
}

}  // namespace

std::vector<std::string> review_path(const Group& group) {
  auto path = group.section_path;
  path.push_back(group.column);
  return path;
}

void tell_apart(const std::vector<const Group*>& groups, std::vector<TopicQuery>& queries) {
  std::map<std::string, std::size_t> uses;
  const auto count = [&] {
    uses.clear();
    for (const auto& query : queries) uses[lower_case(query.query)] += query.query.empty() ? 0 : 1;
  };
  for (std::size_t step = 0; step < 2; ++step) {
    count();
    for (std::size_t i = 0; i < queries.size(); ++i) {
      if (uses.at(lower_case(queries[i].query)) > 1)
        queries[i].query = longer_query(*groups[i], queries[i].query, step);
    }
  }
  count();
  std::map<std::string, std::size_t> first;  // of those with the same words, the one with the most members
  for (std::size_t i = 0; i < queries.size(); ++i) {
    if (uses.at(lower_case(queries[i].query)) < 2) continue;
    const auto rank = [&](std::size_t at) {
      return std::tuple(-static_cast<std::ptrdiff_t>(groups[at]->members.size()), groups[at]->structured);
    };
    const auto [found, fresh] = first.try_emplace(lower_case(queries[i].query), i);
    if (!fresh && rank(i) < rank(found->second)) found->second = i;
  }
  for (std::size_t i = 0; i < queries.size(); ++i) {
    const auto found = first.find(lower_case(queries[i].query));
    if (queries[i].query.empty() || found == first.end() || found->second == i) continue;
    queries[i] = {queries[i].topic, "", queries[i].source, QueryVerdict::kUnworded,
                  "topic " + groups[found->second]->topic + " has the same words"};
  }
}

std::string why_no_query(std::string_view query, std::string_view language) {
  if (auto why = why_no_words(query, language); !why.empty()) return why;
  if (query.empty()) return "no words";
  constexpr std::size_t kMostBytes = 200;
  const auto blanks = static_cast<std::size_t>(std::count(query.begin(), query.end(), ' '));
  return blanks >= kMostWords || query.size() > kMostBytes ? "longer than a person types" : "";
}

std::vector<TopicQuery> template_queries(const std::vector<const Group*>& groups, const storage::Store& store,
                                         const corpus::TitleIndex& titles, const GroupsOptions& lists,
                                         const PhraseOptions& options) {
  Phraser phraser(store, titles, lists, options);
  std::vector<TopicQuery> queries;
  queries.reserve(groups.size());
  for (const auto* group : groups) queries.push_back(phraser.word(*group));
  tell_apart(groups, queries);
  return queries;
}

}  // namespace touchstone::pipeline::evidence
