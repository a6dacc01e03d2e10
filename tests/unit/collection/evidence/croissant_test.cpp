#include "collection/evidence/croissant.hpp"

#include "collection/evidence/collection_files.hpp"
#include "common/json_tree.hpp"
#include "tests/unit/collection/evidence/sample_collection.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace touchstone::collection::evidence {
namespace {

using testing::read_text;
using testing::TemporaryFolder;
using testing::write_sample;

TEST(Croissant, DescribesEveryDataFileWithSizeAndDigest) {
  const TemporaryFolder folder;
  write_sample(folder / "c");
  const auto json = parse_json(read_text(folder / "c/croissant.json"));
  EXPECT_EQ(json.at("@type"), "sc:Dataset");
  EXPECT_EQ(json.at("conformsTo"), "http://mlcommons.org/croissant/1.0");
  EXPECT_EQ(json.at("datePublished"), "2025-01-01");
  EXPECT_EQ(json.at("version"), "2025.1.1");
  EXPECT_EQ(json.at("license"), "https://spdx.org/licenses/CC-BY-SA-4.0.html");
  EXPECT_EQ(json.at("distribution").size(), kDataFiles.size() - 3)
      << "gone.jsonl is only where there is a history, and two files where there is an audit";
  EXPECT_NE(json.at("description").get<std::string>().find("BASELINE"), std::string::npos);
  for (const auto& set : json.at("recordSet")) {
    EXPECT_TRUE(set.contains("key")) << set;
    for (const auto& field : set.at("field")) EXPECT_TRUE(field.contains("dataType"));
  }
}

}  // namespace
}  // namespace touchstone::collection::evidence
