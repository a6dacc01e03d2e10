#pragma once

#include "common/reject_reason.hpp"
#include "common/stop.hpp"
#include "pipeline/corpus/title_index.hpp"
#include "pipeline/evidence/date_titles.hpp"
#include "pipeline/headings/heading_words.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace touchstone::pipeline::evidence {

/// Why the tables and items of a page are not lists of things.
enum class NoListPage : std::uint8_t {
  kMainPage,
  kNavigation,   ///< it only leads elsewhere, or says what changed: contents, change logs
  kDate,         ///< a day, a year
  kTalk,         ///< a discussion
  kTranslation,  ///< the same in another language: "Lights/fr", "Lights (Deutsch)"
  kOtherSpace,   ///< of users, of help, of the project
};
const RejectReason& describe(NoListPage reason);

/// Tells by their titles and headings the pages that may hold lists of things. Thread-safe for reading.
class ListPageRules {
 public:
  /// All must outlive this.
  ListPageRules(const storage::Store& store, const corpus::TitleIndex& titles, const headings::HeadingWords& words,
                const DateTitles& dates);

  /// \param title  with its namespace
  std::optional<NoListPage> refuse(PageId page, const std::string& title) const;

 private:
  bool is_translation(const std::string& title) const;
  bool is_log(PageId page) const;

  const storage::Store& store_;
  const corpus::TitleIndex& titles_;
  const headings::HeadingWords& words_;
  const DateTitles& dates_;
  std::string main_page_;
  std::set<std::string> language_names_;  ///< of other languages in themselves, in lower case
};

/// Whether a heading is the number of a version: "1.2.0", "Version 2.1 beta 3", "OpenTTD 1.4 (2014-04-01)". A number in
/// front of words ("1.2 Setup") orders a text. Pure.
bool is_version_heading(std::string_view heading);

/// True if one of the headings has the language's word for a list: "List of shrines" on the page of a town.
bool names_a_list(const std::vector<std::string>& headings, const std::vector<std::string>& list_words);

/// What makes titles those of lists: the language's words, and of the affixes that are given for this wiki those whose
/// pages are lists as a whole. An affix is not such a word if most of its pages have several headings, like articles:
/// "* district" finds tables of villages, but does not say what they list.
/// \param affixes  as in groups.list_prefixes
/// \param titles   of the list pages
std::vector<std::string> words_of_lists(const storage::Store& store, std::vector<std::string> known,
                                        const std::vector<std::string>& affixes,
                                        const std::vector<std::pair<PageId, std::string>>& titles,
                                        const headings::HeadingWords& words);

/// Why no settings find a list of pages, as a sentence: no table and no list of the articles that may hold some leads
/// to `least` articles, in a column of a table or at the beginnings of items. Empty if one does. Throws Interrupted on
/// a stop request.
std::string why_no_lists(const storage::Store& store, const corpus::TitleIndex& titles, const ListPageRules& rules,
                         const headings::PhraseSet& dates, std::size_t least, const StopFlag& stop);

/// The articles with such a heading, by page id. Throws Interrupted on a stop request.
std::map<PageId, std::string> pages_with_list_headings(const storage::Store& store, const corpus::TitleIndex& titles,
                                                       const std::vector<std::string>& list_words,
                                                       const StopFlag& stop);

}  // namespace touchstone::pipeline::evidence
