#pragma once

#include "common/reject_reason.hpp"
#include "common/stop.hpp"
#include "pipeline/corpus/title_index.hpp"
#include "pipeline/evidence/date_titles.hpp"
#include "pipeline/headings/heading_words.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace touchstone::pipeline::evidence {

/// Why the tables and items of a page are no lists of things.
enum class NoListPage : std::uint8_t {
  kMainPage,
  kNavigation,   ///< it only leads elsewhere, or says what changed: contents, change logs
  kDate,         ///< a day, a year
  kTalk,         ///< a discussion
  kTranslation,  ///< the same in another language: "Lights/fr"
};
const RejectReason& describe(NoListPage reason);

/// Tells by their titles the pages that may hold lists of things. Thread-safe for reading.
class ListPageRules {
 public:
  /// All must outlive this.
  ListPageRules(const corpus::TitleIndex& titles, const headings::HeadingWords& words, const DateTitles& dates);

  /// \param title  of an article
  std::optional<NoListPage> refuse(const std::string& title) const;

 private:
  bool is_translation(const std::string& title) const;

  const corpus::TitleIndex& titles_;
  const headings::HeadingWords& words_;
  const DateTitles& dates_;
  std::string main_page_;
};

/// True if one of the headings has the language's word for a list: "List of shrines" on the page of a town.
bool names_a_list(const std::vector<std::string>& headings, const std::vector<std::string>& list_words);

/// The articles with such a heading, by page id. Throws Interrupted on a stop request.
std::map<PageId, std::string> pages_with_list_headings(const storage::Store& store, const corpus::TitleIndex& titles,
                                                       const std::vector<std::string>& list_words,
                                                       const StopFlag& stop);

}  // namespace touchstone::pipeline::evidence
