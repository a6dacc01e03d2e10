#pragma once

#include "formats/car/records.hpp"
#include "pipeline/headings/phrase_set.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace touchstone::pipeline::automatic::selection {

/// Why something is removed from a page, or a page from the query pages.
enum class FilterReason : std::uint8_t {
  kLead,              ///< text above the first heading
  kImage,             ///< images with their captions
  kForbiddenHeading,  ///< "See also", "References", ... in the wiki's language
  kShortHeading,      ///< what is below it stays
  kLongHeading,
  kEmptySection,  ///< nothing is left below the heading
  kFewSections    ///< the page has too few sections with passages at the top level
};
inline constexpr std::size_t kFilterReasons = 7;

/// "lead", "forbidden heading", ...
std::string_view to_string(FilterReason reason) noexcept;

/// What was removed. The content of a section counts with the section.
struct RemovedContent {
  std::uint64_t sections = 0, paragraphs = 0, list_items = 0, images = 0, infoboxes = 0, pages = 0;
  RemovedContent& operator+=(const RemovedContent& other) noexcept;
  template <class Fields>
  void fields(Fields& field) {
    field("sections", sections)("paragraphs", paragraphs)("list_items", list_items)("images", images)(
        "infoboxes", infoboxes)("pages", pages);
  }
  friend bool operator==(const RemovedContent&, const RemovedContent&) = default;
};

/// What was removed from some pages, by reason.
struct FilterCounts {
  std::array<RemovedContent, kFilterReasons> removed{};

  RemovedContent& of(FilterReason reason) noexcept { return removed[static_cast<std::size_t>(reason)]; }
  const RemovedContent& of(FilterReason reason) const noexcept { return removed[static_cast<std::size_t>(reason)]; }
  FilterCounts& operator+=(const FilterCounts& other) noexcept;
  friend bool operator==(const FilterCounts&, const FilterCounts&) = default;
};

/// What a ContentFilter removes. A bound of 0 is none.
struct ContentRules {
  bool drop_lead = false;
  bool drop_images = true;
  bool drop_forbidden_headings = true;
  std::size_t min_heading_letters = 3;       ///< as `count_letters` counts
  std::size_t max_heading_characters = 100;  ///< code points
  std::size_t min_sections = 3;              ///< with passages, at the top level, after all other filters
  bool list_items = false;                   ///< are passages
  bool captions = false;                     ///< are passages
  friend bool operator==(const ContentRules&, const ContentRules&) = default;
};

/// Removes from a page what makes no facets. Several threads may use one object.
/// Source: "Humans optional?", section 3.4 (at least three sections); the filters and their bounds are those of TREC
/// CAR's TransformContent.hs (read 2026-11), except that it counts images, lists and infoboxes at the top level as
/// sections, with or without passages, asks for four, finds headings of two Chinese or Japanese characters too short,
/// and removes what is below a short heading.
class ContentFilter {
 public:
  /// \param forbidden  compared with whole headings
  ContentFilter(const ContentRules& rules, headings::PhraseSet forbidden);

  /// Removes content from the page, and adds it to the counts. Returns false if the page has too few sections left to
  /// be a query page; the page itself then counts as removed, with what is left of it.
  bool apply(formats::car::Page& page, FilterCounts& counts) const;

  /// Why a section with this heading is removed, if it is, when the filter of one reason is off.
  std::optional<FilterReason> heading_reason(std::string_view heading,
                                             std::optional<FilterReason> off = std::nullopt) const;

  /// How many sections with passages `apply` would leave at the top level, if the filter of one reason were off.
  std::size_t sections_left(const formats::car::Page& page, std::optional<FilterReason> off = std::nullopt) const;

  const ContentRules& rules() const noexcept { return rules_; }

 private:
  void filter_children(std::vector<formats::car::Skeleton>& children, FilterCounts& counts) const;
  std::optional<FilterReason> removal_of(formats::car::Skeleton& child, FilterCounts& counts) const;
  bool holds_passage(const formats::car::Skeleton& child, std::optional<FilterReason> off) const;
  std::size_t count_sections(const std::vector<formats::car::Skeleton>& children,
                             std::optional<FilterReason> off) const;

  ContentRules rules_;
  headings::PhraseSet forbidden_;
};

/// Number of sections at the top level of a page.
std::size_t top_level_sections(const formats::car::Page& page) noexcept;

/// What a page holds, all levels together.
RemovedContent content_of(const formats::car::Page& page);

}  // namespace touchstone::pipeline::automatic::selection
