#include "pipeline/automatic/selection/content_filter.hpp"

#include "common/unicode.hpp"
#include "pipeline/headings/title_text.hpp"

#include <algorithm>

namespace touchstone::pipeline::automatic::selection {
namespace {

namespace car = formats::car;
using Children = std::vector<car::Skeleton>;

bool is_section(const car::Skeleton& skeleton) noexcept {
  return std::holds_alternative<car::Section>(skeleton.element);
}

bool is_image(const car::Skeleton& skeleton) noexcept {
  return std::holds_alternative<car::Image>(skeleton.element);
}

bool is_lead_text(const car::Skeleton& skeleton) noexcept {
  return std::holds_alternative<car::Paragraph>(skeleton.element) ||
         std::holds_alternative<car::ListItem>(skeleton.element);
}

void add_content(RemovedContent& content, const car::Skeleton& skeleton) {
  if (const auto* section = std::get_if<car::Section>(&skeleton.element)) {
    ++content.sections;
    for (const auto& child : section->children) add_content(content, child);
  } else if (is_image(skeleton)) {
    ++content.images;
  } else if (std::holds_alternative<car::Paragraph>(skeleton.element)) {
    ++content.paragraphs;
  } else if (std::holds_alternative<car::ListItem>(skeleton.element)) {
    ++content.list_items;
  } else {
    ++content.infoboxes;
  }
}

}  // namespace

std::string_view to_string(FilterReason reason) noexcept {
  constexpr std::string_view kNames[kFilterReasons] = {
      "lead", "image", "forbidden heading", "short heading", "long heading", "empty section", "few sections"};
  return kNames[static_cast<std::size_t>(reason)];
}

RemovedContent& RemovedContent::operator+=(const RemovedContent& other) noexcept {
  sections += other.sections;
  paragraphs += other.paragraphs;
  list_items += other.list_items;
  images += other.images;
  infoboxes += other.infoboxes;
  pages += other.pages;
  return *this;
}

FilterCounts& FilterCounts::operator+=(const FilterCounts& other) noexcept {
  for (std::size_t i = 0; i < kFilterReasons; ++i) removed[i] += other.removed[i];
  return *this;
}

ContentFilter::ContentFilter(const ContentRules& rules, headings::PhraseSet forbidden)
    : rules_(rules), forbidden_(std::move(forbidden)) {}

std::optional<FilterReason> ContentFilter::heading_reason(std::string_view heading,
                                                          std::optional<FilterReason> off) const {
  const auto on = [&](FilterReason reason) { return off != reason; };
  if (rules_.drop_forbidden_headings && on(FilterReason::kForbiddenHeading) && forbidden_.matches(heading))
    return FilterReason::kForbiddenHeading;
  if (on(FilterReason::kShortHeading) && headings::count_letters(heading) < rules_.min_heading_letters)
    return FilterReason::kShortHeading;
  if (rules_.max_heading_characters > 0 && on(FilterReason::kLongHeading) &&
      count_code_points(heading) > rules_.max_heading_characters)
    return FilterReason::kLongHeading;
  return std::nullopt;
}

std::optional<FilterReason> ContentFilter::removal_of(car::Skeleton& child, FilterCounts& counts) const {
  if (is_image(child)) return rules_.drop_images ? std::optional(FilterReason::kImage) : std::nullopt;
  auto* section = std::get_if<car::Section>(&child.element);
  if (section == nullptr) return std::nullopt;
  if (const auto reason = heading_reason(section->heading)) return reason;
  filter_children(section->children, counts);
  return section->children.empty() ? std::optional(FilterReason::kEmptySection) : std::nullopt;
}

void ContentFilter::filter_children(Children& children, FilterCounts& counts) const {
  std::erase_if(children, [&](car::Skeleton& child) {
    const auto reason = removal_of(child, counts);
    if (reason) add_content(counts.of(*reason), child);
    return reason.has_value();
  });
}

bool ContentFilter::apply(car::Page& page, FilterCounts& counts) const {
  filter_children(page.skeleton, counts);
  if (rules_.drop_lead) {
    std::erase_if(page.skeleton, [&](const car::Skeleton& child) {
      if (is_lead_text(child)) add_content(counts.of(FilterReason::kLead), child);
      return is_lead_text(child);
    });
  }
  if (top_level_sections(page) >= rules_.min_sections) return true;
  auto& removed = counts.of(FilterReason::kFewSections);
  removed += content_of(page);
  ++removed.pages;
  return false;
}

bool ContentFilter::survives(const car::Skeleton& child, std::optional<FilterReason> off) const {
  if (is_image(child)) return !rules_.drop_images || off == FilterReason::kImage;
  const auto* section = std::get_if<car::Section>(&child.element);
  if (section == nullptr) return true;
  if (heading_reason(section->heading, off)) return false;
  return off == FilterReason::kEmptySection ||
         std::any_of(section->children.begin(), section->children.end(),
                     [&](const car::Skeleton& inner) { return survives(inner, off); });
}

std::size_t ContentFilter::sections_left(const car::Page& page, std::optional<FilterReason> off) const {
  return static_cast<std::size_t>(
      std::count_if(page.skeleton.begin(), page.skeleton.end(),
                    [&](const car::Skeleton& child) { return is_section(child) && survives(child, off); }));
}

std::size_t top_level_sections(const car::Page& page) noexcept {
  return static_cast<std::size_t>(std::count_if(page.skeleton.begin(), page.skeleton.end(), is_section));
}

RemovedContent content_of(const car::Page& page) {
  RemovedContent content;
  for (const auto& child : page.skeleton) add_content(content, child);
  return content;
}

}  // namespace touchstone::pipeline::automatic::selection
