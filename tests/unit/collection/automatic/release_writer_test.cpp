#include "collection/automatic/release_writer.hpp"

#include "analysis/measures/evaluate.hpp"
#include "collection/automatic/benchmarks.hpp"
#include "collection/automatic/judgments.hpp"
#include "common/error.hpp"
#include "formats/trec/topics.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/support/text_file.hpp"
#include "tests/unit/collection/automatic/sample_page.hpp"
#include "tests/unit/collection/evidence/sample_collection.hpp"

#include <cmath>
#include <set>

#include <gtest/gtest.h>

namespace touchstone::collection::automatic {
namespace {

namespace fs = std::filesystem;
using touchstone::collection::evidence::testing::read_text;
using touchstone::testing::TemporaryFolder;
using touchstone::testing::write_text;

std::vector<formats::car::Page> sample_pages() {
  auto sprawl = testing::urban_sprawl();
  sprawl.metadata.qid = "Q193351";
  return {sprawl, testing::page("AC/DC", {testing::para("a1"), testing::section("A/B", {testing::para("a2")})})};
}

void write_release(const fs::path& folder, const std::vector<formats::car::Page>& pages) {
  fs::create_directories(folder);
  ReleaseWriter writer(folder, {"test"});
  for (const auto& page : pages) writer.add(release_lines(derive(page)), {0});
  writer.finish();
}

void write_index(const fs::path& folder, const std::vector<formats::car::Page>& pages) {
  fs::create_directories(folder);
  ReleaseIndex index(folder);
  for (const auto& page : pages) index.add(index_lines(derive(page)));
  index.finish();
}

TEST(ReleaseWriter, WritesTheFilesThatUsersKnow) {
  const TemporaryFolder folder;
  write_release(folder / "r", sample_pages());
  std::set<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder / "r")) names.insert(entry.path().filename().string());
  EXPECT_EQ(names, (std::set<std::string>{
                       "test.faceted.qrels", "test.pages.cbor-article.entity.qrels", "test.pages.cbor-article.qrels",
                       "test.pages.cbor-entity-linking.jsonl.gz", "test.pages.cbor-hierarchical.entity.qrels",
                       "test.pages.cbor-hierarchical.qrels", "test.pages.cbor-toplevel.cluster.jsonl.gz",
                       "test.pages.cbor-toplevel.entity.qrels", "test.pages.cbor-toplevel.qrels",
                       "test.pages.cbor-tree.entitypsg.qrels", "test.pages.cbor-tree.qrels"}));
}

TEST(ReleaseIndex, ListsTitlesTopicsQidsAndIds) {
  const TemporaryFolder folder;
  write_index(folder / "r", sample_pages());
  EXPECT_EQ(read_text(folder / "r" / "titles"), "Urban sprawl\nAC/DC\n");
  EXPECT_EQ(read_text(folder / "r" / "qids"), "Q193351\n");
  EXPECT_EQ(read_text(folder / "r" / "topics"),
            "enwiki:Urban%20sprawl\nenwiki:Urban%20sprawl/Characteristics\nenwiki:Urban%20sprawl/Effects\n"
            "enwiki:Urban%20sprawl/Effects/Safety\nenwiki:Urban%20sprawl/Effects/Social\n"
            "enwiki:Urban%20sprawl/Debate\nenwiki:AC/DC\nenwiki:AC/DC/A/B\n");
  EXPECT_TRUE(read_text(folder / "r" / "ids.tsv")
                  .ends_with("enwiki:AC/DC\tenwiki:AC%2FDC\nenwiki:AC/DC/A/B\tenwiki:AC%2FDC/A%2FB\n"));
  const auto topics = formats::trec::read_topics(folder / "r" / "topics.tsv");
  ASSERT_EQ(topics.size(), 2U);
  EXPECT_EQ(topics[1].id, "enwiki:AC%2FDC");
  EXPECT_EQ(topics[1].text, "AC/DC");
}

TEST(ReleaseIndex, EntitiesWhoseQidIsKnownAreMappedToIt) {
  const TemporaryFolder folder;
  auto with_links = testing::page("A", {testing::para("p")});
  auto& bodies = std::get<formats::car::Paragraph>(with_links.skeleton.at(0).element).bodies;
  bodies.push_back(formats::car::Link{"C", "enwiki:C", std::nullopt, "c", "Q3"});
  bodies.push_back(formats::car::Link{"B", "enwiki:B", std::nullopt, "b", "Q2"});
  bodies.push_back(formats::car::Link{"D", "enwiki:D", std::nullopt, "d", ""});
  write_index(folder / "r", {with_links, with_links});
  EXPECT_EQ(read_text(folder / "r" / "entity-qids.tsv"), "enwiki:B\tQ2\nenwiki:C\tQ3\n");
}

TEST(ReleaseIndex, ATopicIsListedOnceAndTheMapTellsItsFacetsApart) {
  const TemporaryFolder folder;
  write_index(folder / "r", {testing::page("A", {testing::section("B C", {}), testing::section("B%20C", {})})});
  EXPECT_EQ(read_text(folder / "r" / "topics"), "enwiki:A\nenwiki:A/B%20C\n");
  EXPECT_EQ(read_text(folder / "r" / "ids.tsv"),
            "enwiki:A\tenwiki:A\nenwiki:A/B%20C\tenwiki:A/B%20C\nenwiki:A/B%20C\tenwiki:A/B%2520C\n");
}

TEST(ReleaseWriter, JudgmentsAreThoseOfThePages) {
  const TemporaryFolder folder;
  const auto pages = sample_pages();
  write_release(folder / "r", pages);
  std::set<std::string> expected, found;
  for (const auto& page : pages)
    for (const auto& qrel : support_passage_qrels(derive(page))) expected.insert(formats::trec::qrel_line(qrel));
  formats::trec::for_each_qrel(folder / "r" / "test.pages.cbor-tree.entitypsg.qrels",
                               [&](const auto& qrel, std::uint64_t) { found.insert(formats::trec::qrel_line(qrel)); });
  EXPECT_EQ(found, expected);
  EXPECT_EQ(read_text(folder / "r" / "test.pages.cbor-hierarchical.qrels").substr(0, 44),
            "enwiki:AC/DC 0 a1 1\nenwiki:AC/DC/A/B 0 a2 1\n");
  const auto sprawl = derive(pages[0]);
  EXPECT_EQ(read_text(folder / "r" / "test.pages.cbor-toplevel.cluster.jsonl.gz"), cluster_line(sprawl));
  EXPECT_EQ(read_text(folder / "r" / "test.pages.cbor-entity-linking.jsonl.gz"), testing::entity_linking_lines(sprawl));
}

TEST(ReleaseWriter, EqualPagesGiveEqualBytes) {
  const TemporaryFolder folder;
  write_release(folder / "a", sample_pages());
  write_release(folder / "b", sample_pages());
  for (const auto& entry : fs::directory_iterator(folder / "a")) {
    const auto name = entry.path().filename();
    EXPECT_EQ(read_file(entry.path()), read_file(folder / "b" / name.string())) << name;
  }
}

TEST(ReleaseWriter, EachPartHasTheFilesThatItWouldHaveAlone) {
  const TemporaryFolder folder;
  const auto pages = sample_pages();
  write_release(folder / "first", {pages[0]});
  write_release(folder / "second", {pages[1]});
  write_release(folder / "both", pages);
  fs::create_directories(folder / "parted");
  ReleaseWriter writer(folder / "parted", {"both", "first", "second", "none"});
  writer.add(release_lines(derive(pages[0])), {0, 1});
  writer.add(release_lines(derive(pages[1])), {0, 2});
  writer.finish();
  for (const std::string part : {"both", "first", "second"}) {
    for (const auto& entry : fs::directory_iterator(folder / part)) {
      const auto name = entry.path().filename().string();
      EXPECT_EQ(read_text(entry.path()), read_text(folder / "parted" / (part + name.substr(4)))) << part << name;
    }
  }
  EXPECT_EQ(read_text(folder / "parted" / "none.pages.cbor-tree.qrels"), "");
}

TEST(ReleaseWriter, PagesThatShareIdsOfTrecCarHaveTheirLinesOnceInAPart) {
  const TemporaryFolder folder;
  const auto outer = testing::page("A", {testing::section("B/C", {testing::para("p")})});
  const auto inner = testing::page("A/B", {testing::section("C", {testing::para("p")})});
  ReleaseWriter writer(folder.path(), {"test", "fold-0-test", "fold-1-test"});
  writer.add(release_lines(derive(outer)), {0, 1});
  writer.add(release_lines(derive(inner)), {0, 2});
  writer.finish();
  for (const std::string part : {"test", "fold-0-test", "fold-1-test"})
    EXPECT_EQ(read_text(folder / (part + ".pages.cbor-hierarchical.qrels")), "enwiki:A/B/C 0 p 1\n") << part;
}

TEST(ReleaseWriter, FilesAppearOnlyWhenComplete) {
  const TemporaryFolder folder;
  {
    ReleaseWriter writer(folder.path(), {"test"});
    writer.add(release_lines(derive(sample_pages()[0])), {0});
  }
  EXPECT_TRUE(fs::is_empty(folder.path()));
}

/// Section 3.2: "query facets are used in intent-aware evaluation measures".
TEST(ReleaseWriter, FacetedQrelsAreScoredByMeasuresOfFacets) {
  const TemporaryFolder folder;
  write_release(folder / "r", {testing::page("A/B", {testing::section("C", {testing::para("p1")}),
                                                     testing::section("D", {testing::para("p1"), testing::para("p2")}),
                                                     testing::section("E", {testing::para("p3")})})});
  write_text(folder / "run", "enwiki:A%2FB Q0 p2 1 9 t\nenwiki:A%2FB Q0 p1 2 8 t\n");
  const std::vector<fs::path> runs = {folder / "run"};
  const auto score = [&](const char* measure) {
    const auto evaluation = analysis::measures::evaluate(folder / "r" / "test.faceted.qrels", runs,
                                                         analysis::measures::parse_measure(measure));
    EXPECT_EQ(evaluation.topics, std::vector<std::string>{"enwiki:A%2FB"});
    return evaluation.runs.at(0).means.at(0);
  };
  // p2 has the facet D, p1 has C and D. The ideal ranking is p1, p3, p2.
  EXPECT_NEAR(score("alpha_nDCG@2"), (1 + 1.5 / std::log2(3.)) / (2 + 1 / std::log2(3.)), 1e-9);
  EXPECT_NEAR(score("StRecall@1"), 1 / 3., 1e-9);
  EXPECT_NEAR(score("StRecall@2"), 2 / 3., 1e-9);
  EXPECT_GT(score("ERR_IA@2"), 0);
}

}  // namespace
}  // namespace touchstone::collection::automatic
