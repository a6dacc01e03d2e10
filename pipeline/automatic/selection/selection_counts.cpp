#include "pipeline/automatic/selection/selection_counts.hpp"

#include "common/number_text.hpp"

#include <algorithm>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace touchstone::pipeline::automatic::selection {
namespace {

constexpr std::string_view kReasonNames[kPageReasons] = {"redirect",           "disambiguation page",
                                                         "category page",      "not selected",
                                                         "short title",        "list title",
                                                         "navigation title",   "date title",
                                                         "number title",       "miscellaneous title",
                                                         "translation title",  "boilerplate title",
                                                         "dropped in review",  "few sections",
                                                         "forbidden headings", "short headings",
                                                         "long headings",      "sections without passages",
                                                         "few facets"};

/// The filters that can take sections from a page.
constexpr std::pair<FilterReason, PageReason> kSectionFilters[] = {
    {FilterReason::kForbiddenHeading, PageReason::kForbiddenHeadings},
    {FilterReason::kShortHeading, PageReason::kShortHeadings},
    {FilterReason::kLongHeading, PageReason::kLongHeadings}};

void set(PageReasons& reasons, PageReason reason, bool value = true) {
  reasons.set(static_cast<std::size_t>(reason), value);
}

/// What the page fails apart from its content.
PageReasons gates(const formats::car::Page& page, const QueryPageRules& rules) {
  PageReasons failed;
  const auto facts = facts_of(page);
  set(failed, PageReason::kRedirect, facts.is_redirect);
  set(failed, PageReason::kDisambiguation, facts.is_disambiguation);
  set(failed, PageReason::kCategory, facts.is_category);
  set(failed, PageReason::kNotSelected, !rules.select->matches(facts));
  const auto flags = rules.topics->flags_of_page(page);
  for (std::size_t i = 0; i < kTopicRules; ++i)
    failed.set(static_cast<std::size_t>(PageReason::kShortTitle) + i, flags[i]);
  const auto* row = rules.review == nullptr ? nullptr : rules.review->find(page.name);
  set(failed, PageReason::kReviewed, row != nullptr && row->decision == review::ReviewDecision::kDrop);
  return failed;
}

/// Filters without which the page would have more sections, and those without which it would have enough.
struct ContentReasons {
  PageReasons failed, enough_without;
};

ContentReasons content_reasons(const formats::car::Page& page, const ContentFilter& filter) {
  ContentReasons reasons;
  const auto needed = filter.rules().min_sections;
  const auto left = filter.sections_left(page);
  if (left >= needed) return reasons;
  if (top_level_sections(page) >= needed) {
    for (const auto& [filter_reason, reason] : kSectionFilters) {
      const auto without = filter.sections_left(page, filter_reason);
      set(reasons.failed, reason, without > left);
      set(reasons.enough_without, reason, without >= needed);
    }
    if (reasons.failed.none()) set(reasons.failed, PageReason::kNoPassages);
  }
  if (reasons.failed.none()) {
    set(reasons.failed, PageReason::kFewSections);
    set(reasons.enough_without, PageReason::kFewSections);
  }
  return reasons;
}

}  // namespace

std::string_view to_string(PageReason reason) noexcept {
  return kReasonNames[static_cast<std::size_t>(reason)];
}

PageOutcome assess_page(const formats::car::Page& page, const QueryPageRules& rules) {
  PageOutcome outcome;
  const auto content = content_of(page);
  outcome.sections = content.sections;
  outcome.paragraphs = content.paragraphs;
  const auto gate_reasons = gates(page, rules);
  const auto content_failed = content_reasons(page, *rules.filter);
  outcome.reasons = gate_reasons | content_failed.failed;
  if (gate_reasons.none())
    outcome.alone = content_failed.enough_without;
  else if (gate_reasons.count() == 1 && content_failed.failed.none())
    outcome.alone = gate_reasons;
  return outcome;
}

void SelectionCounts::add(const PageOutcome& outcome) noexcept {
  ++pages_;
  if (outcome.is_query_page()) {
    ++query_pages_;
    sections_ += outcome.sections;
    paragraphs_ += outcome.paragraphs;
    return;
  }
  bool is_first = true;
  for (std::size_t i = 0; i < kPageReasons; ++i) {
    if (!outcome.reasons[i]) continue;
    ++failed_[i];
    first_[i] += is_first ? 1U : 0U;
    alone_[i] += outcome.alone[i] ? 1U : 0U;
    is_first = false;
  }
}

void SelectionCounts::add(const SelectionCounts& other) noexcept {
  pages_ += other.pages_;
  query_pages_ += other.query_pages_;
  sections_ += other.sections_;
  paragraphs_ += other.paragraphs_;
  for (std::size_t i = 0; i < kPageReasons; ++i) {
    failed_[i] += other.failed_[i];
    first_[i] += other.first_[i];
    alone_[i] += other.alone_[i];
  }
}

std::string SelectionCounts::table() const {
  std::string out =
      fmt::format("{} of {} pages are query pages, with {} sections and {} paragraphs\n", with_commas(query_pages_),
                  with_commas(pages_), with_commas(sections_), with_commas(paragraphs_));
  std::vector<PageReason> costly;
  for (std::size_t i = 0; i < kPageReasons; ++i) {
    if (failed_[i] > 0) costly.push_back(static_cast<PageReason>(i));
  }
  if (costly.empty()) return out;
  std::stable_sort(costly.begin(), costly.end(), [&](PageReason a, PageReason b) {
    return std::tuple(alone(a), first(a)) > std::tuple(alone(b), first(b));
  });
  out += fmt::format("{:<26}{:>12}{:>12}{:>12}\n", "reason", "alone", "first", "all");
  for (const auto reason : costly) {
    out += fmt::format("{:<26}{:>12}{:>12}{:>12}\n", to_string(reason), with_commas(alone(reason)),
                       with_commas(first(reason)), with_commas(failed(reason)));
  }
  return out;
}

void SelectionCounts::write(JsonWriter& json) const {
  json.begin_object().field("pages", pages_).field("query_pages", query_pages_);
  json.field("sections", sections_).field("paragraphs", paragraphs_).key("reasons").begin_array();
  for (std::size_t i = 0; i < kPageReasons; ++i) {
    const auto reason = static_cast<PageReason>(i);
    json.begin_object().field("reason", to_string(reason)).field("failed", failed(reason));
    json.field("first", first(reason)).field("alone", alone(reason)).end_object();
  }
  json.end_array().end_object();
}

}  // namespace touchstone::pipeline::automatic::selection
