#include "pipeline/evidence/query_template.hpp"

#include "common/unicode.hpp"
#include "pipeline/corpus/wiki_language.hpp"
#include "pipeline/evidence/header_pattern.hpp"
#include "pipeline/evidence/list_titles.hpp"
#include "pipeline/evidence/query_clashes.hpp"
#include "pipeline/evidence/section_wording.hpp"
#include "pipeline/evidence/subject_noun.hpp"
#include "pipeline/evidence/title_kind.hpp"
#include "pipeline/evidence/wording/common_words.hpp"
#include "pipeline/evidence/wording/keyword_query.hpp"
#include "pipeline/evidence/wording/list_affixes.hpp"
#include "pipeline/evidence/wording/listed_words.hpp"
#include "pipeline/evidence/wording/page_code.hpp"
#include "pipeline/headings/heading_words.hpp"
#include "pipeline/review/review.hpp"
#include "text/terms.hpp"
#include "text/words.hpp"

#include <algorithm>
#include <cctype>
#include <iterator>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

namespace touchstone::pipeline::evidence {
namespace {

constexpr const char* kSource = "template/5";
constexpr std::size_t kMostWords = 12;  ///< more than a person types
constexpr double kMostKeywords = 6;     ///< with a meaning: more are hard to understand without a sentence
constexpr double kFewWords = 2;         ///< which mean little outside the wiki
constexpr double kLeastWords = 2;       ///< one word alone asks for everything that has to do with it

constexpr std::string_view kOneWord = "one word alone", kCommonWords = "all its words are common in the wiki: ";

/// A shorter word is not a short form of the subject's noun, as "lights" is of "lighthouses".
constexpr std::size_t kMinNoun = 4;

/// A title without what only tells pages apart: "(disambiguation)" and a Wikidata item, "(Q42)".
std::string without_mark(const std::string& title) {
  const auto open = title.rfind(" (");
  if (open == std::string::npos || !title.ends_with(')')) return title;
  const auto mark = std::string_view(title).substr(open + 2, title.size() - open - 3);
  const bool item = mark.size() > 1 && mark[0] == 'Q' && mark.find_first_not_of("0123456789", 1) == mark.npos;
  return item || mark == "disambiguation" ? title.substr(0, open) : title;
}

/// Whether English words behind "List of" hold a name: a capital that does not only begin a heading in title case.
bool holds_name(std::string_view listed) {
  const auto is_upper = [](unsigned char c) { return std::isupper(c) != 0; };
  if (std::any_of(listed.begin() + 1, listed.end(), is_upper)) return true;
  const auto blank = listed.find(' ');
  return is_upper(static_cast<unsigned char>(listed.front())) && blank != std::string_view::npos;
}

/// Words for a topic before they are tried.
struct Wording {
  std::string query = {};
  QueryVerdict verdict = QueryVerdict::kKeywords;
  bool titled = false;   ///< they are a list's title, which was chosen to name a list
  std::string why = {};  ///< why the topic has no words; empty if it has
};

class Phraser {
 public:
  Phraser(const std::vector<const Group*>& groups, const storage::Store& store, const corpus::TitleIndex& titles,
          const PhraseOptions& options, corpus::ResultPlaces files)
      : store_(store),
        titles_(titles),
        files_(std::move(files)),
        language_(titles.site().language),
        english_(language_ == "simple" || language_.starts_with("en")),
        list_words_(corpus::list_prefixes(language_)),
        subject_(options.subject),
        headings_(headings::wiki_heading_words(language_)),
        names_(default_header(language_)),
        splitter_(corpus::stemmer_name(language_)) {
    if (list_words_.empty()) list_words_ = wording::list_affixes(store, pages_of(groups));
    if (!options.review.empty()) review_ = review::read_review(options.review);
  }

  TopicQuery word(const Group& group) {
    if (auto decided = by_review(group)) return std::move(*decided);
    auto wording = words_for(group);
    if (wording.why.empty()) wording.why = why_not(group, wording);
    if (!wording.why.empty()) return {group.topic, "", kSource, QueryVerdict::kUnworded, std::move(wording.why)};
    return {group.topic, std::move(wording.query), kSource, wording.verdict, ""};
  }

 private:
  static std::vector<std::string> pages_of(const std::vector<const Group*>& groups) {
    std::set<std::string> pages;
    for (const auto* group : groups) pages.insert(group->page);
    return {pages.begin(), pages.end()};
  }

  std::optional<TopicQuery> by_review(const Group& group) const {
    const auto* row = review_.find(group.page, review_path(group));
    if (row == nullptr || row->decision == review::ReviewDecision::kKeep) return std::nullopt;
    const std::string source(kReviewSource);
    if (row->decision == review::ReviewDecision::kDrop)
      return TopicQuery{group.topic, "", source, QueryVerdict::kUnworded, "dropped by the review"};
    return TopicQuery{group.topic, row->wording, source, QueryVerdict::kCertain, ""};
  }

  /// Why words cannot be the query of the topic; empty if they can.
  std::string why_not(const Group& group, const Wording& wording) {
    if (auto why = why_no_query(wording.query, language_); !why.empty()) return why;
    const auto same = [&](const auto& member) { return keywords({member.title}) == keywords({wording.query}); };
    const auto member = std::find_if(group.members.begin(), group.members.end(), same);
    if (member != group.members.end()) return "it is the name of the member \"" + member->title + "\"";
    if (wording.verdict != QueryVerdict::kKeywords || wording.titled) return {};
    const auto words = count_words(wording.query);
    if (words < kLeastWords) return std::string(kOneWord);
    if (words > kMostKeywords) return "more keywords than a person types";
    if (all_common(wording.query)) return std::string(kCommonWords) + wording.query;
    return {};
  }

  Wording words_for(const Group& group) {
    if (group.column == kWikidataColumn) return {group.page, QueryVerdict::kCertain, true, {}};
    const auto page = group.pages.size() > 1 ? without_index_letters(group.page) : std::string_view(group.page);
    auto title = without_mark(std::string(wording::without_other_script(page, language_)));
    auto narrowing = narrowing_headings(group);
    std::string scope;
    if (leads_elsewhere(title)) return {.why = "\"" + title + "\": it leads elsewhere"};
    if (is_list_by_heading(title, narrowing)) scope = std::exchange(title, std::exchange(narrowing, {}).back());
    const bool is_list = !without_list_words(title, list_words_).empty();
    const auto listed = listed_by(title);
    for (auto* text : texts_of(title, narrowing)) {
      if (auto why = make_readable(*text, text == &title && is_list ? listed : *text); !why.empty())
        return {.why = "\"" + *text + "\": " + why};
    }
    if (!scope.empty()) return words_for_heading(scope, listed.empty() ? title : listed);
    return is_list ? words_for_list(group, title, listed, narrowing) : words_for_page(group, title, narrowing);
  }

  /// What a list's title lists, where its words are right without those for "list".
  std::string listed_by(const std::string& title) const {
    if (!english_) return wording::listed_as_it_stands(title, language_);
    const auto listed = without_list_words(title, list_words_);
    return std::string(listed.starts_with("the ") ? listed.substr(4) : listed);
  }

  static std::vector<std::string*> texts_of(std::string& title, std::vector<std::string>& narrowing) {
    std::vector<std::string*> texts = {&title};
    for (auto& heading : narrowing) texts.push_back(&heading);
    return texts;
  }

  /// Why a text does not consist of words of a person; empty if it does. A text of words that capitals join is parted
  /// where the wiki has them as words: "MemoryManager". In longer texts, such words are brands. \param read  what is
  /// asked for of the text
  std::string make_readable(std::string& text, const std::string& read) {
    if (auto why = wording::why_no_words(read.empty() ? text : read, language_); !why.empty()) return why;
    const auto parts = wording::parts_of_word(text);
    if (text.find(' ') != std::string::npos || parts.size() < 2) return {};
    const auto is_abbreviation = [](const auto& part) { return part.size() > 1 && part == upper_case(part); };
    const bool plain =
        std::all_of(parts.begin() + 1, parts.end(), [&](const auto& part) { return is_plain_word(part); }) &&
        (is_abbreviation(parts.front()) || is_plain_word(parts.front()));
    if (!plain) return is_abbreviation(parts.front()) ? "it is the code of a page" : "";
    text.clear();
    for (const auto& part : parts) text += (text.empty() ? "" : " ") + part;
    return {};
  }

  /// A list that a heading names: of what the heading says, or, where that could be anything, of what the page has.
  Wording words_for_heading(const std::string& scope, const std::string& listed) {
    const bool names_something = english_ && holds_name(listed);
    const auto place = title_text(scope);
    const bool told = names_something || says_nothing_new(listed, place);
    if (told && count_words(listed) >= kLeastWords) return {.query = listed, .verdict = QueryVerdict::kCertain};
    if (auto why = wording::why_no_words(place, language_); !why.empty()) return {.why = "\"" + scope + "\": " + why};
    return with_subject({place, listed});
  }

  Wording words_for_list(const Group& group, const std::string& title, const std::string& listed,
                         const std::vector<std::string>& narrowing) {
    const bool attribute = !holds_subject(group, listed.empty() ? title : listed);
    auto phrase = attribute ? std::string() : list_phrase(title, listed, group, narrowing);
    if (!phrase.empty()) {
      const bool known = english_ || !corpus::list_prefixes(language_).empty();
      if (count_words(phrase) >= kLeastWords)
        return {.query = std::move(phrase),
                .verdict = known ? QueryVerdict::kCertain : QueryVerdict::kKeywords,
                .titled = true};
      // One noun means nothing outside the wiki, and everything inside.
      if (subject_.empty()) return {.query = title, .titled = true};
      return {.query = keywords({phrase, subject_}), .titled = true};
    }
    std::vector<std::string> parts = {listed.empty() ? title : listed};
    parts.insert(parts.end(), narrowing.begin(), narrowing.end());
    if (attribute) parts.push_back(group.column);
    return {.query = keywords(parts), .titled = true};
  }

  Wording words_for_page(const Group& group, const std::string& title, const std::vector<std::string>& narrowing) {
    const auto text = title_text(title);
    std::vector<std::string> parts = {text};
    parts.insert(parts.end(), narrowing.begin(), narrowing.end());
    const bool attribute = !holds_subject(group, text);
    const auto names = [&](const std::string& words) { return names_kind(store_, splitter_, language_, words, group); };
    const bool told = std::any_of(parts.begin(), parts.end(), names);
    const bool header = is_header(group.column) && !names_.found_in(group.column);
    // Which headers are words for names is known of few languages.
    if (!told && (!english_ || (!header && narrowing.empty())))
      return {.why = "title and headings do not say what is listed"};
    if (header && (attribute || !told)) parts.push_back(group.column);
    // "Bosses of the Sunken Reach", with the heading "Main bosses", is worded like a list.
    if (english_ && !attribute && names(text)) {
      auto phrase = list_phrase(title, as_listed(text), group, narrowing);
      if (count_words(phrase) > kFewWords) return {.query = std::move(phrase)};
      if (!phrase.empty()) return with_subject({phrase});
    }
    return with_subject(std::move(parts));
  }

  /// An English title as what a list lists: its capital only begins the title, unless it begins a name.
  static std::string as_listed(const std::string& title) {
    auto text = inside_sentence(title);
    if (is_english_plural(title.substr(0, title.find(' ')))) text.front() = lower_case(title.substr(0, 1)).front();
    return text;
  }

  /// Keywords, with what the wiki is about where they are few. Words that much of the wiki has tell no topic with it
  /// either.
  Wording with_subject(std::vector<std::string> parts) {
    // What a later part says in words of its own stays whole: "Derivative distributions of Debian" below "Debian".
    for (std::size_t i = 0; i + 1 < parts.size();) {
      const bool said = std::any_of(
          parts.begin() + static_cast<std::ptrdiff_t>(i) + 1, parts.end(),
          [&](const auto& later) { return says_nothing_new(later, parts[i]) && !says_nothing_new(parts[i], later); });
      if (said)
        parts.erase(parts.begin() + static_cast<std::ptrdiff_t>(i));
      else
        ++i;
    }
    Wording wording{.query = keywords(parts)};
    if (subject_.empty() || count_words(wording.query) > kFewWords || all_common(wording.query)) return wording;
    parts.push_back(subject_);
    auto longer = keywords(parts);
    if (count_words(longer) <= kMostKeywords) wording.query = std::move(longer);
    return wording;
  }

  std::string keywords(const std::vector<std::string>& parts) {
    return wording::keyword_query(splitter_, language_, parts);
  }
  double count_words(std::string_view text) { return wording::count_meaning_words(splitter_, language_, text); }

  /// A title as words. Of a path, a part in front says something if it is not the head of many titles: "Manual/Gares".
  std::string title_text(const std::string& title) {
    auto text = wording::title_words(title);
    const auto last = title.substr(title.rfind('/') + 1);
    const bool has_front = last.size() < title.size() && text.size() > last.size();
    return has_front && all_common(text.substr(0, text.size() - last.size())) ? last : text;
  }

  /// Whether the last part of a path is that of a page which only leads elsewhere, in English on many wikis.
  bool leads_elsewhere(const std::string& title) const {
    const auto slash = title.rfind('/');
    const auto last = title.substr(slash + 1);
    return slash != std::string::npos &&
           (headings_.navigation.matches(last) || english_headings_.navigation.matches(last));
  }

  /// The phrase for a list page; empty where grammar or language are not certain.
  std::string list_phrase(const std::string& title, const std::string& listed, const Group& group,
                          const std::vector<std::string>& narrowing) {
    if ((listed.empty() ? title : listed).find_first_of("()/:;|,") != std::string::npos) return {};
    if (!english_) return !narrowing.empty() ? std::string() : listed.empty() ? title : listed;
    WordedList list{listed, ""};
    for (const auto& heading : narrowing) {
      if (says_nothing_new(list.subject + list.narrowed, heading)) continue;
      if (!narrow_in_english(list, without_parenthesis(heading), facts_of(heading, group, list.subject))) return {};
    }
    return list.subject + list.narrowed;
  }

  bool says_nothing_new(const std::string& said, std::string_view heading) {
    std::string words;  // those that capitals join alone too
    for (const auto word : text::parts_of(heading)) {
      for (const auto& part : wording::parts_of_word(word)) words += part + " ";
    }
    return keywords({said}) == keywords({said, words});
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
    if (narrowing.empty() || !without_list_words(title, list_words_).empty()) return false;
    return !without_list_words(narrowing.back(), list_words_).empty();
  }

  /// The headings of a topic that say something of it.
  std::vector<std::string> narrowing_headings(const Group& group) const {
    std::vector<std::string> narrowing;
    for (const auto& heading : group.section_path) {
      const auto& known = headings_;
      if (known.forbidden.matches(heading) || known.miscellaneous.matches(heading) || known.prose.matches(heading))
        continue;
      if (!known.ordering.matches(without_parenthesis(heading)))
        narrowing.emplace_back(wording::without_other_script(heading, language_));
    }
    return narrowing;
  }

  /// Whether the column holds what the list lists: its header is a word for names or the list's own noun, or the column
  /// was found as the subject of its table.
  bool holds_subject(const Group& group, std::string_view listed) {
    if (group.subject || !is_header(group.column) || names_.found_in(group.column)) return true;
    const auto terms = splitter_.split(group.column);
    const bool stemmed = !corpus::stemmer_name(language_).empty();
    return !terms.empty() && is_same_noun(terms.back().stem, subject_noun(splitter_, language_, listed), stemmed);
  }

  /// Whether each word of a query tells too many articles to mean one topic.
  bool all_common(std::string_view query) {
    const auto terms = splitter_.split(query);
    return std::all_of(terms.begin(), terms.end(), [&](const auto& term) { return words().contain(term.stem); });
  }

  bool is_plain_word(const std::string& part) {
    const auto terms = splitter_.split(part);
    return std::all_of(terms.begin(), terms.end(), [&](const auto& term) { return words().is_plain_word(term.stem); });
  }

  /// The words of the wiki, which are read once they are asked for.
  const wording::CommonWords& words() {
    if (!common_) common_.emplace(store_, splitter_, files_);
    return *common_;
  }

  const storage::Store& store_;
  const corpus::TitleIndex& titles_;
  corpus::ResultPlaces files_;
  std::string language_;
  bool english_;
  std::vector<std::string> list_words_;
  std::string subject_;
  headings::HeadingWords headings_, english_headings_ = headings::heading_words("en");
  HeaderPattern names_;
  text::TermSplitter splitter_;
  std::optional<wording::CommonWords> common_;  ///< once they are asked for
  review::Review review_;
};

}  // namespace

std::vector<std::string> review_path(const Group& group) {
  auto path = group.section_path;
  path.push_back(group.column);
  return path;
}

bool lacks_subject(const TopicQuery& query) {
  return query.verdict == QueryVerdict::kUnworded && query.why == kOneWord;
}

std::string why_no_query(std::string_view query, std::string_view language) {
  if (auto why = wording::why_no_words(query, language); !why.empty()) return why;
  if (query.empty()) return "no words";
  constexpr std::size_t kMostBytes = 200;
  const auto blanks = static_cast<std::size_t>(std::count(query.begin(), query.end(), ' '));
  return blanks >= kMostWords || query.size() > kMostBytes ? "longer than a person types" : "";
}

std::vector<TopicQuery> template_queries(const std::vector<const Group*>& groups, const storage::Store& store,
                                         const corpus::TitleIndex& titles, const PhraseOptions& options,
                                         const corpus::ResultPlaces& files) {
  Phraser phraser(groups, store, titles, options, files);
  std::vector<TopicQuery> queries;
  queries.reserve(groups.size());
  for (const auto* group : groups) queries.push_back(phraser.word(*group));
  tell_apart(groups, queries, titles.site().language);
  return queries;
}

}  // namespace touchstone::pipeline::evidence
