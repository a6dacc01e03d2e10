#include "collection/automatic/qrels_folder.hpp"

#include "common/error.hpp"
#include "formats/car/json_lines.hpp"
#include "formats/car/writer.hpp"
#include "tests/support/error_message.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/support/text_file.hpp"
#include "tests/unit/collection/automatic/sample_page.hpp"
#include "tests/unit/collection/evidence/sample_collection.hpp"

#include <gtest/gtest.h>

namespace touchstone::collection::automatic {
namespace {

namespace fs = std::filesystem;
using testing::para;
using testing::section;
using testing::urban_sprawl;
using touchstone::collection::evidence::testing::read_text;
using touchstone::testing::message_of;
using touchstone::testing::TemporaryFolder;
using touchstone::testing::write_text;

const std::vector<std::string> kNames = {
    "article.qrels",      "article.entity.qrels",      "toplevel.qrels", "toplevel.entity.qrels",
    "hierarchical.qrels", "hierarchical.entity.qrels", "tree.qrels",     "tree.entity.qrels"};

std::vector<std::string> names(const QrelsFolder& written) {
  std::vector<std::string> all;
  for (const auto& file : written.files) all.push_back(file.name);
  return all;
}

void write_pages(const fs::path& path, const std::vector<formats::car::Page>& pages,
                 formats::car::FileType type = formats::car::FileType::kPages) {
  formats::car::CarWriter writer(path, type, {});
  for (const auto& page : pages) writer.write(page);
  writer.finish();
}

TEST(QrelsFolder, HasPassagesAndEntitiesOfEveryLevel) {
  const TemporaryFolder folder;
  write_pages(folder / "p.cbor", {urban_sprawl(), testing::page("Town", {para("t1")})});
  const auto written = derive_qrels_folder(folder / "p.cbor", folder / "out");
  EXPECT_EQ(names(written), kNames);
  EXPECT_EQ(written.pages, 2U);
  EXPECT_TRUE(written.shared_ids.empty());
  EXPECT_EQ(written.files[0].count, (QrelsCount{8, 2}));
  EXPECT_EQ(written.files[1].count, (QrelsCount{4, 1}));
  EXPECT_EQ(read_text(folder / "out" / "toplevel.entity.qrels"),
            "enwiki:Urban%20sprawl 0 enwiki:City 1\n"
            "enwiki:Urban%20sprawl/Characteristics 0 enwiki:City 1\n"
            "enwiki:Urban%20sprawl/Characteristics 0 enwiki:Traffic 1\n"
            "enwiki:Urban%20sprawl/Effects 0 enwiki:Automobile 1\n"
            "enwiki:Urban%20sprawl/Effects 0 enwiki:Car%20crash 1\n"
            "enwiki:Urban%20sprawl/Effects 0 enwiki:City 1\n");
}

TEST(QrelsFolder, IsTheSameFromCborAndJsonLines) {
  const TemporaryFolder folder;
  write_pages(folder / "p.cbor", {urban_sprawl()});
  write_text(folder / "p.jsonl.gz", formats::car::page_json_line(urban_sprawl()));
  derive_qrels_folder(folder / "p.cbor", folder / "cbor");
  derive_qrels_folder(folder / "p.jsonl.gz", folder / "jsonl");
  for (const auto& name : kNames) EXPECT_EQ(read_text(folder / "cbor" / name), read_text(folder / "jsonl" / name));
}

TEST(QrelsFolder, OfHierarchicalQrelsHasNoEntities) {
  const TemporaryFolder folder;
  write_pages(folder / "p.cbor", {urban_sprawl()});
  derive_qrels_folder(folder / "p.cbor", folder / "pages");
  const auto written = derive_qrels_folder(folder / "pages" / "hierarchical.qrels", folder / "qrels");
  EXPECT_EQ(names(written),
            (std::vector<std::string>{"article.qrels", "toplevel.qrels", "hierarchical.qrels", "tree.qrels"}));
  EXPECT_EQ(written.pages, 0U);
  for (const auto& name : names(written))
    EXPECT_EQ(read_text(folder / "qrels" / name), read_text(folder / "pages" / name));
  EXPECT_FALSE(fs::exists(folder / "qrels" / "article.entity.qrels"));
}

TEST(QrelsFolder, KeepsTheGradesOfQrels) {
  const TemporaryFolder folder;
  write_text(folder / "q.qrels", "T/A 0 p1 3\nT/B 0 p1 -1\n");
  derive_qrels_folder(folder / "q.qrels", folder / "out");
  EXPECT_EQ(read_text(folder / "out" / "article.qrels"), "T 0 p1 3\n");
}

TEST(QrelsFolder, TakesListItemsAndCaptionsIfAsked) {
  const TemporaryFolder folder;
  write_pages(folder / "p.cbor", {testing::page("A", {{formats::car::ListItem{1, {"item", {"an item"}}}},
                                                      {formats::car::Image{"File:X.png", {para("caption")}}}})});
  EXPECT_EQ(derive_qrels_folder(folder / "p.cbor", folder / "a").files[0].count.judgments, 0U);
  EXPECT_EQ(derive_qrels_folder(folder / "p.cbor", folder / "b", {true, false}).files[0].count.judgments, 1U);
  EXPECT_EQ(derive_qrels_folder(folder / "p.cbor", folder / "b", {true, true}).files[0].count.judgments, 2U);
}

TEST(QrelsFolder, NamesIdsThatSeveralPagesShare) {
  const TemporaryFolder folder;
  write_pages(folder / "p.cbor", {testing::page("A B", {para("p1")}), testing::page("A%20B", {para("p2")}),
                                  testing::page("C", {para("p3")})});
  const auto written = derive_qrels_folder(folder / "p.cbor", folder / "out");
  EXPECT_EQ(written.shared_ids, std::vector<std::string>{"enwiki:A%20B"});
  EXPECT_EQ(written.files[0].count, (QrelsCount{3, 2}));
}

TEST(QrelsFolder, RefusesWhatHasNoParagraphsToJudge) {
  const TemporaryFolder folder;
  write_pages(folder / "o.cbor", {urban_sprawl()}, formats::car::FileType::kOutlines);
  EXPECT_NE(message_of<FormatError>([&] {
              derive_qrels_folder(folder / "o.cbor", folder / "out");
            }).find("o.cbor holds outlines, which have no paragraphs to judge; name the pages file"),
            std::string::npos);
  EXPECT_FALSE(fs::exists(folder / "out"));
  write_text(folder / "q.qrels", "T/A 0 p1 3\n");
  EXPECT_NE(message_of<ConfigError>([&] {
              derive_qrels_folder(folder / "q.qrels", folder / "out", {true, false});
            }).find("holds qrels, which have neither list items nor captions"),
            std::string::npos);
}

TEST(QrelsFolder, LeavesNoFileBehindIfAPageIsRefused) {
  const TemporaryFolder folder;
  auto page = urban_sprawl();
  page.id = "an id with blanks";
  write_pages(folder / "p.cbor", {page});
  EXPECT_THROW(derive_qrels_folder(folder / "p.cbor", folder / "out"), FormatError);
  EXPECT_TRUE(fs::is_empty(folder / "out"));
}

TEST(QrelsFolder, SaysThatTheFolderCannotBeMade) {
  const TemporaryFolder folder;
  write_pages(folder / "p.cbor", {urban_sprawl()});
  write_text(folder / "file", "");
  EXPECT_THROW(derive_qrels_folder(folder / "p.cbor", folder / "file"), StorageError);
}

}  // namespace
}  // namespace touchstone::collection::automatic
