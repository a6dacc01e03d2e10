#include "collection/automatic/judgments.hpp"

#include "tests/unit/collection/automatic/sample_page.hpp"

#include <gtest/gtest.h>

namespace touchstone::collection::automatic {
namespace {

using namespace testing;  // NOLINT: builders of pages
using formats::trec::QrelRecord;

using Lines = std::vector<std::string>;

/// "topic docid" without the page's id, in order.
Lines lines(const std::vector<QrelRecord>& qrels) {
  constexpr std::string_view kPage = "enwiki:Urban%20sprawl";
  Lines all;
  for (const auto& qrel : qrels) {
    EXPECT_TRUE(qrel.topic.starts_with(kPage)) << qrel.topic;
    EXPECT_EQ(qrel.grade, 1);
    all.push_back(qrel.topic.substr(kPage.size()) + " " + qrel.docid);
  }
  return all;
}

TEST(Judgments, ArticleHasAllPassagesOfThePage) {
  const auto page = urban_sprawl();
  EXPECT_EQ(lines(passage_qrels(derive(page), QrelsLevel::kArticle)),
            (Lines{" p0", " p1", " p2", " p3", " p4", " p5", " p6"}));
}

TEST(Judgments, ToplevelHasThePassagesBelowEachOutermostHeading) {
  const auto page = urban_sprawl();
  EXPECT_EQ(
      lines(passage_qrels(derive(page), QrelsLevel::kToplevel)),
      (Lines{" p0", "/Characteristics p1", "/Debate p6", "/Effects p2", "/Effects p3", "/Effects p4", "/Effects p5"}));
}

TEST(Judgments, HierarchicalHasThePassagesOfEachSectionItself) {
  const auto page = urban_sprawl();
  EXPECT_EQ(lines(passage_qrels(derive(page), QrelsLevel::kHierarchical)),
            (Lines{" p0", "/Characteristics p1", "/Debate p6", "/Effects p2", "/Effects/Safety p3",
                   "/Effects/Social p4", "/Effects/Social p5"}));
}

TEST(Judgments, TreeHasThePassagesOfEverySectionWithItsInnerOnes) {
  const auto page = urban_sprawl();
  EXPECT_EQ(lines(passage_qrels(derive(page), QrelsLevel::kTree)),
            (Lines{" p0", " p1", " p2", " p3", " p4", " p5", " p6", "/Characteristics p1", "/Debate p6", "/Effects p2",
                   "/Effects p3", "/Effects p4", "/Effects p5", "/Effects/Safety p3", "/Effects/Social p4",
                   "/Effects/Social p5"}));
}

TEST(Judgments, EntitiesAreTheTargetsOfLinks) {
  const auto page = urban_sprawl();
  const auto derivation = derive(page);
  EXPECT_EQ(lines(entity_qrels(derivation, QrelsLevel::kArticle)),
            (Lines{" enwiki:Automobile", " enwiki:Car%20crash", " enwiki:City", " enwiki:Traffic"}));
  EXPECT_EQ(lines(entity_qrels(derivation, QrelsLevel::kToplevel)),
            (Lines{" enwiki:City", "/Characteristics enwiki:City", "/Characteristics enwiki:Traffic",
                   "/Effects enwiki:Automobile", "/Effects enwiki:Car%20crash", "/Effects enwiki:City"}));
  EXPECT_EQ(lines(entity_qrels(derivation, QrelsLevel::kHierarchical)),
            (Lines{" enwiki:City", "/Characteristics enwiki:City", "/Characteristics enwiki:Traffic",
                   "/Effects enwiki:Automobile", "/Effects/Safety enwiki:Car%20crash", "/Effects/Social enwiki:City"}));
}

TEST(Judgments, SupportPassagesMentionTheEntity) {
  const auto page = urban_sprawl();
  EXPECT_EQ(
      lines(support_passage_qrels(derive(page))),
      (Lines{" p0/enwiki:City", " p1/enwiki:City", " p1/enwiki:Traffic", " p2/enwiki:Automobile",
             " p3/enwiki:Car%20crash", " p5/enwiki:City", "/Characteristics p1/enwiki:City",
             "/Characteristics p1/enwiki:Traffic", "/Effects p2/enwiki:Automobile", "/Effects p3/enwiki:Car%20crash",
             "/Effects p5/enwiki:City", "/Effects/Safety p3/enwiki:Car%20crash", "/Effects/Social p5/enwiki:City"}));
}

TEST(Judgments, FacetsAreTheSectionsAroundAPassage) {
  const auto page = urban_sprawl();
  std::string text;
  for (const auto& judgment : faceted_qrels(derive(page))) {
    const auto& [topic, docid, grade] = judgment.qrel;
    text += topic + " " + judgment.facet + " " + docid + " " + std::to_string(grade) + "\n";
  }
  EXPECT_EQ(text,
            "enwiki:Urban%20sprawl enwiki:Urban%20sprawl/Characteristics p1 1\n"
            "enwiki:Urban%20sprawl enwiki:Urban%20sprawl/Debate p6 1\n"
            "enwiki:Urban%20sprawl enwiki:Urban%20sprawl/Effects p2 1\n"
            "enwiki:Urban%20sprawl enwiki:Urban%20sprawl/Effects p3 1\n"
            "enwiki:Urban%20sprawl enwiki:Urban%20sprawl/Effects p4 1\n"
            "enwiki:Urban%20sprawl enwiki:Urban%20sprawl/Effects p5 1\n"
            "enwiki:Urban%20sprawl enwiki:Urban%20sprawl/Effects/Safety p3 1\n"
            "enwiki:Urban%20sprawl enwiki:Urban%20sprawl/Effects/Social p4 1\n"
            "enwiki:Urban%20sprawl enwiki:Urban%20sprawl/Effects/Social p5 1\n");
}

TEST(Judgments, AJudgmentIsThereOnce) {
  const auto page = testing::page("A", {section("B", {para("p1", {link("e:X")}), para("p1", {link("e:X")})})});
  const auto derivation = derive(page);
  EXPECT_EQ(passage_qrels(derivation, QrelsLevel::kHierarchical).size(), 1U);
  EXPECT_EQ(entity_qrels(derivation, QrelsLevel::kHierarchical).size(), 1U);
  EXPECT_EQ(support_passage_qrels(derivation).size(), 2U);  // of the page and of the section
  EXPECT_EQ(faceted_qrels(derivation).size(), 1U);
}

TEST(Judgments, FacetsThatShareACarIdShareItsJudgments) {
  const auto page = testing::page("A", {section("B C", {para("p1")}), section("B%20C", {para("p1"), para("p2")})});
  const auto derivation = derive(page);
  EXPECT_EQ(passage_qrels(derivation, QrelsLevel::kHierarchical).size(), 2U);
  EXPECT_EQ(passage_qrels(derivation, QrelsLevel::kHierarchical, IdForm::kUnambiguous).size(), 3U);
}

TEST(Judgments, LevelsFollowFromHierarchicalQrels) {
  const std::vector<QrelRecord> hierarchical = {
      {"T", "p0", 1}, {"T/A", "p1", 1}, {"T/A/B", "p2", 1}, {"T/A/C", "p2", 3}, {"U/A", "p1", -2}};
  const auto text = [&](QrelsLevel level) {
    std::string all;
    for (const auto& qrel : qrels_of_level(hierarchical, level)) all += formats::trec::qrel_line(qrel);
    return all;
  };
  EXPECT_EQ(text(QrelsLevel::kArticle), "T 0 p0 1\nT 0 p1 1\nT 0 p2 3\nU 0 p1 -2\n");
  EXPECT_EQ(text(QrelsLevel::kToplevel), "T 0 p0 1\nT/A 0 p1 1\nT/A 0 p2 3\nU/A 0 p1 -2\n");
  EXPECT_EQ(text(QrelsLevel::kHierarchical), "T 0 p0 1\nT/A 0 p1 1\nT/A/B 0 p2 1\nT/A/C 0 p2 3\nU/A 0 p1 -2\n");
  EXPECT_EQ(
      text(QrelsLevel::kTree),
      "T 0 p0 1\nT 0 p1 1\nT 0 p2 3\nT/A 0 p1 1\nT/A 0 p2 3\nT/A/B 0 p2 1\nT/A/C 0 p2 3\nU 0 p1 -2\nU/A 0 p1 -2\n");
}

TEST(Judgments, OfOnePageFollowFromItsHierarchicalOnes) {
  const auto page = urban_sprawl();
  const auto derivation = derive(page);
  const auto hierarchical = passage_qrels(derivation, QrelsLevel::kHierarchical);
  for (const auto& [name, level] : kQrelsLevels)
    EXPECT_EQ(lines(qrels_of_level(hierarchical, level)), lines(passage_qrels(derivation, level))) << name;
}

}  // namespace
}  // namespace touchstone::collection::automatic
