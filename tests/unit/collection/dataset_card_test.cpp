#include "collection/dataset_card.hpp"

#include "collection/collection_files.hpp"
#include "collection/collection_lines.hpp"
#include "common/files.hpp"
#include "formats/beir/beir_lines.hpp"
#include "formats/trec/qrels.hpp"
#include "formats/trec/topics.hpp"
#include "tests/unit/collection/sample_collection.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace touchstone::formats {
namespace {

using testing::read_text;
using testing::sample_info;
using testing::TemporaryFolder;
using testing::write_sample;

bool holds(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

TEST(DatasetCard, FrontMatterNamesLicenceLanguageTaskAndFiles) {
  const TemporaryFolder folder;
  write_sample(folder / "c");
  const std::string card = read_text(folder / "c/README.md");
  EXPECT_EQ(card.rfind("---\npretty_name: \"teawiki-20250101-evidence\"\nlicense: cc-by-sa-4.0\nlanguage:\n- \"en\"\n"
                       "task_categories:\n- text-retrieval\nsize_categories:\n- n<1K\n",
                       0),
            0U)
      << card;
  EXPECT_TRUE(holds(card,
                    "configs:\n- config_name: corpus\n  data_files:\n  - split: corpus\n    path: corpus.jsonl.gz\n"
                    "- config_name: queries\n  data_files:\n  - split: queries\n    path: queries.jsonl\n"
                    "- config_name: default\n  data_files:\n  - split: test\n    path: qrels/test.tsv\n---\n"));
}

TEST(DatasetCard, SaysThatTheLabelsAreABaselineOnlyWhenTheyAre) {
  CollectionInfo info = sample_info();
  EXPECT_TRUE(holds(internal::dataset_card(info, {}), "The labels are a BASELINE"));
  info.baseline_judge = false;
  info.judge = "openai/some-model";
  const std::string card = internal::dataset_card(info, {});
  EXPECT_FALSE(holds(card, "BASELINE"));
  EXPECT_FALSE(holds(card, "baseline-labels"));
  EXPECT_TRUE(holds(card, "openai/some-model"));
}

TEST(DatasetCard, AnUnknownLicenceIsSaid) {
  CollectionInfo info = sample_info();
  info.license = "unknown: see the wiki";
  const std::string card = internal::dataset_card(info, {});
  EXPECT_TRUE(holds(card, "license: unknown\n"));
  EXPECT_TRUE(holds(card, "does not name a licence"));
  info.license = "GFDL-1.3-or-later";
  EXPECT_TRUE(holds(internal::dataset_card(info, {}), "license: other\nlicense_name: \"GFDL-1.3-or-later\"\n"));
}

TEST(DatasetCard, NamesOfAWikiCannotBreakTheMarkup) {
  CollectionInfo info = sample_info();
  info.site_name = "A | <b>wiki</b>\n# head: \"x\"";
  info.language = "no";
  const std::string card = internal::dataset_card(info, {});
  EXPECT_TRUE(holds(card, "A \\| &lt;b\\>wiki&lt;/b\\> \\# head"));
  EXPECT_TRUE(holds(card, "- \"no\"\n"));
}

TEST(DatasetCard, NumbersHaveFixedDigits) {
  EXPECT_EQ(internal::percent(0.3333), "33.3 %");
  EXPECT_EQ(internal::two_digits(1.5), "1.50");
  EXPECT_EQ(internal::with_commas(1234567), "1,234,567");
  EXPECT_EQ(internal::with_commas(999), "999");
}

TEST(Croissant, DescribesEveryDataFileWithSizeAndDigest) {
  const TemporaryFolder folder;
  write_sample(folder / "c");
  const auto json = nlohmann::ordered_json::parse(read_text(folder / "c/croissant.json"));
  EXPECT_EQ(json.at("@type"), "sc:Dataset");
  EXPECT_EQ(json.at("conformsTo"), "http://mlcommons.org/croissant/1.0");
  EXPECT_EQ(json.at("datePublished"), "2025-01-01");
  EXPECT_EQ(json.at("version"), "2025.1.1");
  EXPECT_EQ(json.at("license"), "https://spdx.org/licenses/CC-BY-SA-4.0.html");
  EXPECT_EQ(json.at("distribution").size(), internal::kDataFiles.size());
  EXPECT_TRUE(holds(json.at("description").get<std::string>(), "BASELINE"));
  for (const auto& set : json.at("recordSet")) {
    EXPECT_TRUE(set.contains("key")) << set;
    for (const auto& field : set.at("field")) EXPECT_TRUE(field.contains("dataType"));
  }
}

TEST(CollectionManual, DescribesEveryFile) {
  const std::string manual = read_file(std::string(TS_SOURCE_DIR) + "/docs/collection.md");
  for (const auto& file : internal::kDataFiles) EXPECT_TRUE(holds(manual, "## " + std::string(file.name))) << file.name;
  for (const auto& file : {internal::kCard, internal::kCroissant, internal::kManifest, internal::kDigests}) {
    EXPECT_TRUE(holds(manual, "## " + std::string(file.name))) << file.name;
  }
}

/// The first line of the example under `## heading` that starts with `start`.
std::string example(const std::string& manual, const std::string& heading, const std::string& start) {
  const auto at = manual.find("\n" + start, manual.find("\n## " + heading));
  return manual.substr(at + 1, manual.find('\n', at + 1) - at - 1);
}

TEST(CollectionManual, ExamplesAreAsTheProgramWritesThem) {
  const std::string manual = read_file(std::string(TS_SOURCE_DIR) + "/docs/collection.md");
  internal::CollectionLineReader reader;
  const std::string query = example(manual, "queries.jsonl", "{");
  ASSERT_TRUE(reader.query(query)) << query;
  EXPECT_EQ(internal::query_line(*reader.query(query)), query + "\n");
  const std::string member = example(manual, "members.jsonl", "{");
  ASSERT_TRUE(reader.member(member)) << member;
  EXPECT_EQ(internal::member_line(*reader.member(member)), member + "\n");
  const std::string passage = example(manual, "corpus.jsonl.gz", "{");
  ASSERT_TRUE(reader.passage(passage)) << passage;
  EXPECT_EQ(internal::passage_line(*reader.passage(passage)), passage + "\n");
  const std::string judgment = example(manual, "judgments.jsonl.gz", "{");
  ASSERT_TRUE(reader.judgment(judgment)) << judgment;
  EXPECT_EQ(internal::judgment_line(*reader.judgment(judgment)), judgment + "\n");
  const std::string discarded = example(manual, "discarded.tsv", "column");
  ASSERT_TRUE(internal::parse_discarded(discarded)) << discarded;
  EXPECT_EQ(example(manual, "discarded.tsv", "kind"), internal::kDiscardedHeader);
  EXPECT_TRUE(parse_qrel(example(manual, "qrels.txt", "3f9a2c1d")));
  EXPECT_TRUE(parse_topic(example(manual, "topics.tsv", "3f9a2c1d")));
  EXPECT_TRUE(parse_beir_qrel(example(manual, "qrels/test.tsv", "3f9a2c1d")));
  EXPECT_TRUE(holds(manual, "format version " + std::to_string(internal::kCollectionFormatVersion)));
}

}  // namespace
}  // namespace touchstone::formats
