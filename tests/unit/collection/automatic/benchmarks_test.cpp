#include "collection/automatic/benchmarks.hpp"

#include "tests/unit/collection/automatic/sample_page.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace touchstone::collection::automatic {
namespace {

using namespace testing;  // NOLINT: builders of pages
using nlohmann::json;

std::vector<json> json_lines(const std::string& text) {
  std::vector<json> lines;
  for (std::size_t begin = 0; begin < text.size();) {
    const auto end = text.find('\n', begin);
    lines.push_back(json::parse(text.substr(begin, end - begin)));
    begin = end + 1;
  }
  return lines;
}

TEST(Benchmarks, ClustersAreTheTopLevelSections) {
  const auto page = urban_sprawl();
  const auto line = json_lines(cluster_line(derive(page))).at(0);
  EXPECT_EQ(line["query_id"], "enwiki:Urban%20sprawl");
  EXPECT_EQ(line["query_text"], "Urban sprawl");
  EXPECT_EQ(line["elements"], json::array({"p1", "p2", "p3", "p4", "p5", "p6"}));
  EXPECT_EQ(line["true_cluster_idx"], json::array({0, 2, 2, 2, 2, 1}));  // Characteristics, Debate, Effects
  EXPECT_EQ(line["true_cluster_labels"].size(), 6U);
  EXPECT_EQ(line["true_cluster_labels"][3], json({{"section_path_id", "enwiki:Urban%20sprawl/Effects"},
                                                  {"section_path_headings", json::array({"Effects"})}}));
  EXPECT_EQ(line.size(), 5U);
}

TEST(Benchmarks, APassageInSeveralSectionsCountsInTheLast) {
  const auto page = testing::page("A", {section("B", {para("p1"), para("p2")}), section("C", {para("p1")})});
  const auto line = json_lines(cluster_line(derive(page))).at(0);
  EXPECT_EQ(line["elements"], json::array({"p1", "p2"}));
  EXPECT_EQ(line["true_cluster_idx"], json::array({1, 0}));
}

TEST(Benchmarks, PagesWithFewerThanTwoClustersHaveNoLine) {
  const auto one = testing::page("A", {para("p0"), section("B", {para("p1"), section("C", {para("p2")})})});
  EXPECT_EQ(cluster_line(derive(one)), "");
  const auto without_text = testing::page("A", {section("B", {}), section("C", {})});
  EXPECT_EQ(cluster_line(derive(without_text)), "");
}

TEST(Benchmarks, EntityLinkingHasALineForEachPassageWithALink) {
  const auto page = urban_sprawl();
  const auto lines = json_lines(testing::entity_linking_lines(derive(page)));
  ASSERT_EQ(lines.size(), 5U);
  EXPECT_EQ(lines[3]["query_id"], "enwiki:Urban%20sprawl");
  EXPECT_EQ(lines[3]["query_text"], "Urban sprawl");
  EXPECT_EQ(lines[3]["paragraph_id"], "p3");
  EXPECT_EQ(lines[3]["text_only_paragraph"],
            json({{"para_id", "p3"}, {"para_body", json::array({{{"text", "see enwiki:Car%20crash"}}})}}));
  const json& body = lines[3]["true_linked_paragraph"]["para_body"];
  EXPECT_EQ(body[0]["target_page_id"], "enwiki:Car%20crash");
  EXPECT_EQ(body[0]["text"], "see enwiki:Car%20crash");
  EXPECT_EQ(lines[3]["true_label_page_ids"], json::array({"enwiki:Car%20crash"}));
  EXPECT_EQ(lines[3]["true_label_qids"], json::array({"Q9687"}));
  EXPECT_EQ(lines[3]["acceptable_label_page_ids"],
            json::array(
                {"enwiki:Urban%20sprawl", "enwiki:City", "enwiki:Traffic", "enwiki:Automobile", "enwiki:Car%20crash"}));
  EXPECT_EQ(lines[3]["acceptable_label_qids"], json::array({"Q9687"}));
  EXPECT_EQ(lines[3].size(), 9U);
}

TEST(Benchmarks, RepresentativesReplaceIdsInBothBenchmarks) {
  const auto page = urban_sprawl();
  const auto derivation = derive(page, {.representative = [](std::string_view id) { return "r-" + std::string(id); }});
  EXPECT_EQ(json_lines(cluster_line(derivation)).at(0)["elements"][0], "r-p1");
  const auto line = json_lines(testing::entity_linking_lines(derivation)).at(0);
  EXPECT_EQ(line["paragraph_id"], "r-p0");
  EXPECT_EQ(line["text_only_paragraph"]["para_id"], "r-p0");
  EXPECT_EQ(line["true_linked_paragraph"]["para_id"], "r-p0");
}

}  // namespace
}  // namespace touchstone::collection::automatic
