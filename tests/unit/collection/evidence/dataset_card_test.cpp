#include "collection/evidence/dataset_card.hpp"

#include "tests/unit/collection/evidence/sample_collection.hpp"

#include <gtest/gtest.h>

namespace touchstone::collection::evidence {
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
                    "- config_name: default\n  data_files:\n  - split: test\n    path: qrels/test.jsonl\n"
                    "- config_name: evidence\n  data_files:\n  - split: test\n    path: evidence.jsonl\n"));
  EXPECT_TRUE(holds(card, "- config_name: default\n  features:\n  - name: query-id\n    dtype: string\n"));
}

TEST(DatasetCard, SaysThatTheLabelsAreABaselineOnlyWhenTheyAre) {
  CollectionInfo info = sample_info();
  EXPECT_TRUE(holds(dataset_card({info, {}, {}, {}, {}}), "The labels are a BASELINE"));
  info.baseline_judge = false;
  info.judge = "openai/some-model";
  const std::string card = dataset_card({info, {}, {}, {}, {}});
  EXPECT_FALSE(holds(card, "BASELINE"));
  EXPECT_FALSE(holds(card, "baseline-labels"));
  EXPECT_TRUE(holds(card, "openai/some-model"));
}

TEST(DatasetCard, AnUnknownLicenceIsSaid) {
  CollectionInfo info = sample_info();
  info.license = "unknown: see the wiki";
  const std::string card = dataset_card({info, {}, {}, {}, {}});
  EXPECT_TRUE(holds(card, "license: unknown\n"));
  EXPECT_TRUE(holds(card, "does not name a licence"));
  info.license = "GFDL-1.3-or-later";
  EXPECT_TRUE(holds(dataset_card({info, {}, {}, {}, {}}), "license: gfdl\n"));
  info.license = "CC-BY-SA-2.5";
  EXPECT_TRUE(holds(dataset_card({info, {}, {}, {}, {}}),
                    "license: other\nlicense_name: \"CC-BY-SA-2.5\"\nlicense_link: "
                    "https://spdx.org/licenses/CC-BY-SA-2.5.html\n"));
  info.license = "Apache-2.0";
  EXPECT_TRUE(holds(dataset_card({info, {}, {}, {}, {}}), "license: apache-2.0\n"));
}

TEST(DatasetCard, NamesOfAWikiCannotBreakTheMarkup) {
  CollectionInfo info = sample_info();
  info.site_name = "A | <b>wiki</b>\n# head: \"x\"";
  info.language = "no";
  const std::string card = dataset_card({info, {}, {}, {}, {}});
  EXPECT_TRUE(holds(card, "A \\| &lt;b\\>wiki&lt;/b\\> \\# head"));
  EXPECT_TRUE(holds(card, "- \"no\"\n"));
}

}  // namespace
}  // namespace touchstone::collection::evidence
