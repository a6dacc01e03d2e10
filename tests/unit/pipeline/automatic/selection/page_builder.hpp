#pragma once

#include "formats/car/records.hpp"

#include <string>
#include <utility>
#include <vector>

/// Short ways to write pages in tests.
namespace touchstone::testing {

namespace car = formats::car;

inline car::Paragraph text_paragraph(const std::string& text) {
  car::Paragraph paragraph;
  paragraph.id = "id of " + text;
  paragraph.bodies.emplace_back(text);
  return paragraph;
}

inline car::Skeleton para(const std::string& text = "text") {
  return {text_paragraph(text)};
}
inline car::Skeleton item(const std::string& text = "item") {
  return {car::ListItem{1, text_paragraph(text)}};
}
inline car::Skeleton image() {
  return {car::Image{"File:A.jpg", {para("caption")}}};
}
inline car::Skeleton infobox() {
  return {car::Infobox{"Infobox", {}}};
}
inline car::Skeleton section(const std::string& heading, std::vector<car::Skeleton> children = {para()}) {
  return {car::Section{heading, heading, std::move(children)}};
}
inline car::Page page(const std::string& name, std::vector<car::Skeleton> skeleton) {
  car::Page made;
  made.name = name;
  made.skeleton = std::move(skeleton);
  return made;
}

/// The headings of a page with one more blank for each level, and `.` for each other element.
inline std::string outline(const std::vector<car::Skeleton>& skeleton, const std::string& indent = "") {
  std::string out;
  for (const auto& child : skeleton) {
    const auto* inner = std::get_if<car::Section>(&child.element);
    out += inner == nullptr ? indent + ".\n" : indent + inner->heading + "\n" + outline(inner->children, indent + " ");
  }
  return out;
}

}  // namespace touchstone::testing
