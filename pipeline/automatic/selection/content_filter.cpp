#include "pipeline/automatic/selection/content_filter.hpp"

#include "common/unicode.hpp"
#include "formats/car/ids.hpp"
#include "pipeline/headings/title_text.hpp"

#include <algorithm>
#include <iterator>

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
  const auto reason = heading_reason(section->heading);
  if (reason && reason != FilterReason::kShortHeading) return reason;
  filter_children(section->children, counts);
  if (section->children.empty()) return FilterReason::kEmptySection;
  return reason;
}

void ContentFilter::filter_children(Children& children, FilterCounts& counts) const {
  Children kept;
  kept.reserve(children.size());
  for (auto& child : children) {
    const auto reason = removal_of(child, counts);
    if (!reason) {
      kept.push_back(std::move(child));
    } else if (reason == FilterReason::kShortHeading) {
      ++counts.of(*reason).sections;
      auto& below = std::get<car::Section>(child.element).children;
      std::move(below.begin(), below.end(), std::back_inserter(kept));
    } else {
      add_content(counts.of(*reason), child);
    }
  }
  children = std::move(kept);
}

bool ContentFilter::apply(car::Page& page, FilterCounts& counts) const {
  filter_children(page.skeleton, counts);
  if (rules_.drop_lead) {
    std::erase_if(page.skeleton, [&](const car::Skeleton& child) {
      if (is_lead_text(child)) add_content(counts.of(FilterReason::kLead), child);
      return is_lead_text(child);
    });
  }
  if (sections_left(page) >= rules_.min_sections) return true;
  auto& removed = counts.of(FilterReason::kFewSections);
  removed += content_of(page);
  ++removed.pages;
  return false;
}

bool ContentFilter::holds_passage(const car::Skeleton& child, std::optional<FilterReason> off) const {
  const auto is_passage = [](const car::Paragraph& paragraph) { return !is_invisible(car::paragraph_text(paragraph)); };
  if (const auto* paragraph = std::get_if<car::Paragraph>(&child.element)) return is_passage(*paragraph);
  if (const auto* item = std::get_if<car::ListItem>(&child.element))
    return rules_.list_items && is_passage(item->paragraph);
  const auto any_of = [&](const Children& children) {
    return std::any_of(children.begin(), children.end(),
                       [&](const car::Skeleton& inner) { return holds_passage(inner, off); });
  };
  if (const auto* image = std::get_if<car::Image>(&child.element))
    return rules_.captions && !rules_.drop_images && any_of(image->caption);
  const auto* section = std::get_if<car::Section>(&child.element);
  if (section == nullptr) return false;
  const auto reason = heading_reason(section->heading, off);
  if (reason && reason != FilterReason::kShortHeading) return false;
  return any_of(section->children);
}

std::size_t ContentFilter::count_sections(const Children& children, std::optional<FilterReason> off) const {
  std::size_t count = 0;
  for (const auto& child : children) {
    const auto* section = std::get_if<car::Section>(&child.element);
    if (section == nullptr) continue;
    if (heading_reason(section->heading, off) == FilterReason::kShortHeading)
      count += count_sections(section->children, off);
    else
      count += holds_passage(child, off) ? 1U : 0U;
  }
  return count;
}

std::size_t ContentFilter::sections_left(const car::Page& page, std::optional<FilterReason> off) const {
  return count_sections(page.skeleton, off);
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
