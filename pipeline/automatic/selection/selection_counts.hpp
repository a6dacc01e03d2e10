#pragma once

#include "common/json_writer.hpp"
#include "formats/car/records.hpp"
#include "pipeline/automatic/selection/content_filter.hpp"
#include "pipeline/automatic/selection/predicate.hpp"
#include "pipeline/automatic/selection/topic_rules.hpp"
#include "pipeline/review/review.hpp"

#include <array>
#include <bitset>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace touchstone::pipeline::automatic::selection {

/// Why a page is not a query page, in the order in which they are asked.
enum class PageReason : std::uint8_t {
  kRedirect,
  kDisambiguation,
  kCategory,
  kNotSelected,  ///< the predicate of automatic.select
  kShortTitle,   ///< and the other rules for titles, in the order of TopicRule
  kListTitle,
  kNavigationTitle,
  kDateTitle,
  kNumberTitle,
  kMiscellaneousTitle,
  kTranslationTitle,
  kBoilerplateTitle,
  kReviewed,     ///< a person dropped the topic
  kFewSections,  ///< too few before all filters, or the filters only together take too many
  kForbiddenHeadings,
  kShortHeadings,
  kLongHeadings,
  kNoPassages,  ///< too few of the sections hold a passage
  kFewFacets    ///< too few are left without the headings that rules or a person keep from being facets
};
inline constexpr std::size_t kPageReasons = 19;

/// "redirect", "not selected", "date title", ...
std::string_view to_string(PageReason reason) noexcept;

using PageReasons = std::bitset<kPageReasons>;

/// What selection says about one page.
struct PageOutcome {
  PageReasons reasons;                         ///< all that hold; none: a query page
  PageReasons alone;                           ///< switching off any one of these makes it a query page
  std::uint64_t sections = 0, paragraphs = 0;  ///< of the page as it is, all levels

  bool is_query_page() const noexcept { return reasons.none(); }
};

/// The rules by which query pages are selected. The objects must outlive this one; none may be null but the review.
struct QueryPageRules {
  const Predicate* select = nullptr;
  const ContentFilter* filter = nullptr;
  const TopicRules* topics = nullptr;
  const review::Review* review = nullptr;
};

/// Asks all rules about a page that is not filtered yet. Pure; thread-safe as the rules are.
PageOutcome assess_page(const formats::car::Page& page, const QueryPageRules& rules);

/// How many query pages a wiki gives, and what the others fail. Not thread-safe; sums of several are independent of
/// their order.
class SelectionCounts {
 public:
  void add(const PageOutcome& outcome) noexcept;
  void add(const SelectionCounts& other) noexcept;

  std::uint64_t pages() const noexcept { return pages_; }
  std::uint64_t query_pages() const noexcept { return query_pages_; }
  /// Pages that fail this reason, whatever else they fail.
  std::uint64_t failed(PageReason reason) const noexcept { return failed_[static_cast<std::size_t>(reason)]; }
  /// Pages that fail this reason before all others in the order of PageReason; these sum up to the failing pages.
  std::uint64_t first(PageReason reason) const noexcept { return first_[static_cast<std::size_t>(reason)]; }
  /// Query pages to be gained if this reason alone did not count.
  std::uint64_t alone(PageReason reason) const noexcept { return alone_[static_cast<std::size_t>(reason)]; }

  /// A table for people: the totals, then one line for each reason that some page fails, the most costly first (by
  /// `alone`, then by `first`, then in the order of PageReason).
  std::string table() const;
  /// {pages, query_pages, sections, paragraphs, reasons:[{reason, failed, first, alone}]}: the facts of query pages,
  /// and all reasons in the order of PageReason.
  void write(JsonWriter& json) const;

  template <class Fields>
  void fields(Fields& field) {
    field("pages", pages_)("query_pages", query_pages_)("sections", sections_)("paragraphs", paragraphs_)(
        "failed", failed_)("first", first_)("alone", alone_);
  }

 private:
  std::uint64_t pages_ = 0, query_pages_ = 0, sections_ = 0, paragraphs_ = 0;
  std::array<std::uint64_t, kPageReasons> failed_{}, first_{}, alone_{};
};

}  // namespace touchstone::pipeline::automatic::selection
