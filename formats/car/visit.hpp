#pragma once

#include "formats/car/records.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace touchstone::formats::car {

/// Whether visit_skeleton walks over captions of images and values of infoboxes. Their paragraphs are no passages.
enum class Insides : std::uint8_t { kVisited, kLeftOut };

/// Walks over the elements of a page in page order. `visitor.enter(section, level)` is called before the content of
/// each section (level 1: outermost), `visitor.leave(section)` behind it, and `visitor.element(content)` for every
/// paragraph, image, list item and infobox, before what is in it.
template <Insides insides = Insides::kVisited, class Visitor>
void visit_skeleton(const std::vector<Skeleton>& elements, Visitor& visitor, std::size_t level = 1) {
  for (const auto& element : elements) {
    if (const auto* section = std::get_if<Section>(&element.element)) {
      visitor.enter(*section, level);
      visit_skeleton<insides>(section->children, visitor, level + 1);
      visitor.leave(*section);
    } else if (const auto* paragraph = std::get_if<Paragraph>(&element.element)) {
      visitor.element(*paragraph);
    } else if (const auto* item = std::get_if<ListItem>(&element.element)) {
      visitor.element(*item);
    } else if (const auto* image = std::get_if<Image>(&element.element)) {
      visitor.element(*image);
      if constexpr (insides == Insides::kVisited) visit_skeleton<insides>(image->caption, visitor, level);
    } else if (const auto* infobox = std::get_if<Infobox>(&element.element)) {
      visitor.element(*infobox);
      if constexpr (insides == Insides::kVisited) {
        for (const auto& [key, value] : infobox->entries) visit_skeleton<insides>(value, visitor, level);
      }
    }
  }
}

}  // namespace touchstone::formats::car
