#pragma once

#include "common/reject_reason.hpp"
#include "pipeline/corpus/title_index.hpp"
#include "pipeline/evidence/date_titles.hpp"
#include "pipeline/headings/heading_words.hpp"

#include <cstdint>
#include <optional>
#include <string>

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

}  // namespace touchstone::pipeline::evidence
