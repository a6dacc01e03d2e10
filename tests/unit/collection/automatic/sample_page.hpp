#pragma once

#include "collection/automatic/benchmarks.hpp"
#include "formats/car/ids.hpp"
#include "formats/car/records.hpp"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// Short ways to write pages in tests.
namespace touchstone::collection::automatic::testing {

namespace car = formats::car;

/// A paragraph with the id `id`, of the bodies.
inline car::Skeleton para(std::string id, std::vector<car::ParagraphBody> bodies) {
  return {car::Paragraph{std::move(id), std::move(bodies)}};
}
inline car::Skeleton para(std::string id) {
  std::string text = "Text of " + id + ".";
  return para(std::move(id), {std::move(text)});
}

inline car::ParagraphBody link(const std::string& page_id, const std::string& qid = "") {
  return car::Link{page_id, page_id, {}, "see " + page_id, qid};
}

inline car::Skeleton section(const std::string& heading, std::vector<car::Skeleton> children) {
  return {car::Section{heading, car::heading_id(heading), std::move(children)}};
}

inline car::Page page(const std::string& name, std::vector<car::Skeleton> skeleton) {
  car::Page made;
  made.name = name;
  made.id = car::page_id("enwiki", name);
  made.skeleton = std::move(skeleton);
  return made;
}

/// The page of figure 1 of "Humans optional?", with texts of ours.
inline car::Page urban_sprawl() {
  return page("Urban sprawl",
              {para("p0", {"Lead with ", link("enwiki:City")}),
               section("Characteristics", {para("p1", {link("enwiki:City"), link("enwiki:Traffic")})}),
               section("Effects", {para("p2", {"Before the sections ", link("enwiki:Automobile")}),
                                   section("Safety", {para("p3", {link("enwiki:Car%20crash", "Q9687")})}),
                                   section("Social", {para("p4"), para("p5", {link("enwiki:City")})})}),
               section("Debate", {para("p6", {link(""), "and nothing known"})})});
}

/// All lines of a page in the benchmark of entity linking.
inline std::string entity_linking_lines(const Derivation& derivation) {
  std::string lines;
  for_each_entity_linking_line(derivation, [&](std::string_view line) { lines += line; });
  return lines;
}

}  // namespace touchstone::collection::automatic::testing
