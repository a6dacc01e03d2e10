#include "collection/evidence/collection_files.hpp"
#include "collection/evidence/collection_lines.hpp"
#include "collection/release/manifest.hpp"
#include "common/files.hpp"
#include "formats/beir/beir_lines.hpp"
#include "formats/trec/qrels.hpp"
#include "formats/trec/topics.hpp"

#include <string>
#include <string_view>

#include <gtest/gtest.h>

/// docs/collection.md describes what the program writes.
namespace touchstone::collection::evidence {
namespace {

bool manual_holds(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

TEST(CollectionManual, DescribesEveryFile) {
  const std::string manual = read_file(std::string(TS_SOURCE_DIR) + "/docs/collection.md");
  for (const auto& file : kDataFiles) EXPECT_TRUE(manual_holds(manual, "## " + std::string(file.name))) << file.name;
  for (const auto& file : {release::kCard, release::kCroissant, release::kManifest, release::kDigests}) {
    EXPECT_TRUE(manual_holds(manual, "## " + std::string(file.name))) << file.name;
  }
}

/// The first line of the example under `## heading` that starts with `start`.
std::string example(const std::string& manual, const std::string& heading, const std::string& start) {
  const auto at = manual.find("\n" + start, manual.find("\n## " + heading));
  return manual.substr(at + 1, manual.find('\n', at + 1) - at - 1);
}

TEST(CollectionManual, ExamplesAreAsTheProgramWritesThem) {
  const std::string manual = read_file(std::string(TS_SOURCE_DIR) + "/docs/collection.md");
  CollectionLineReader reader;
  const std::string query = example(manual, "queries.jsonl", "{");
  ASSERT_TRUE(reader.query(query)) << query;
  EXPECT_EQ(query_line(*reader.query(query)), query + "\n");
  const std::string member = example(manual, "members.jsonl", "{");
  ASSERT_TRUE(reader.member(member)) << member;
  EXPECT_EQ(member_line(*reader.member(member)), member + "\n");
  const std::string passage = example(manual, "corpus.jsonl.gz", "{");
  ASSERT_TRUE(reader.passage(passage)) << passage;
  EXPECT_EQ(passage_line(*reader.passage(passage)), passage + "\n");
  const std::string judgment = example(manual, "judgments.jsonl.gz", "{");
  ASSERT_TRUE(reader.judgment(judgment)) << judgment;
  EXPECT_EQ(judgment_line(*reader.judgment(judgment)), judgment + "\n");
  const std::string discarded = example(manual, "discarded.tsv", "column");
  ASSERT_TRUE(parse_discarded(discarded)) << discarded;
  EXPECT_EQ(example(manual, "discarded.tsv", "kind"), kDiscardedHeader);
  EXPECT_TRUE(formats::trec::parse_qrel(example(manual, "qrels.txt", "3f9a2c1d")));
  EXPECT_TRUE(formats::trec::parse_topic(example(manual, "topics.tsv", "3f9a2c1d")));
  EXPECT_TRUE(formats::beir::parse_qrel(example(manual, "qrels/test.tsv", "3f9a2c1d")));
  EXPECT_TRUE(manual_holds(manual, "format version " + std::to_string(release::kCollectionFormatVersion)));
}

}  // namespace
}  // namespace touchstone::collection::evidence
