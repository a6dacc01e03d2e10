#include "collection/automatic/qrels_file.hpp"

#include "common/error.hpp"
#include "tests/support/error_message.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/unit/collection/evidence/sample_collection.hpp"

#include <gtest/gtest.h>

namespace touchstone::collection::automatic {
namespace {

using touchstone::collection::evidence::testing::read_text;
using touchstone::testing::message_of;
using touchstone::testing::TemporaryFolder;

TEST(QrelsFile, SortsByTopicThenDocidAndDropsDoubles) {
  const TemporaryFolder folder;
  QrelsWriter writer({folder / "q.qrels"}, {}, 64);  // so little memory that most lines go through files
  for (const auto& [topic, docid] : {std::pair{"A/B", "d2"}, {"A", "d2"}, {"A%20B", "d1"}, {"A", "d1"}, {"A/B", "d2"}})
    writer.add_lines(checked_qrels_line({topic, docid, 1}, "0", "A"));
  EXPECT_EQ(writer.finish(), (QrelsCount{4, 3}));
  EXPECT_EQ(read_text(folder / "q.qrels"), "A 0 d1 1\nA 0 d2 1\nA%20B 0 d1 1\nA/B 0 d2 1\n");
}

TEST(QrelsFile, RefusesIdsThatBreakALine) {
  EXPECT_EQ(message_of<FormatError>([] {
              checked_qrels_line({"A B", "d", 1}, "0", "A B");
            }),
            "the topic \"A B\" of page \"A B\" holds white space or a control character, which a line of qrels cannot "
            "hold; escape the id in the pages file");
  EXPECT_EQ(
      message_of<FormatError>([] {
        checked_qrels_line({"A", "", 1}, "0", "A");
      }),
      "the docid \"\" of page \"A\" is empty, which a line of qrels cannot hold; escape the id in the pages file");
  EXPECT_THROW(checked_qrels_line({"A", "d", 1}, "f\n", "A"), FormatError);
}

TEST(QrelsFile, IsThereWithoutJudgments) {
  const TemporaryFolder folder;
  EXPECT_EQ(QrelsWriter({folder / "q.qrels"}).finish(), (QrelsCount{0, 0}));
  EXPECT_EQ(read_text(folder / "q.qrels"), "");
}

TEST(QrelsFile, PutsALineIntoEachOfItsFilesOnce) {
  const TemporaryFolder folder;
  QrelsWriter writer({folder / "all.qrels", folder / "even.qrels", folder / "odd.qrels"}, {}, 64);
  for (const char* lines : {"A 0 d2 1\nA 0 d4 1\n", "A 0 d2 1\n"}) writer.add_lines(lines, 0b011);
  writer.add_lines("A 0 d1 1\nA 0 d2 1\n", 0b101);
  EXPECT_EQ(writer.finish(), (QrelsCount{3, 1}));
  EXPECT_EQ(read_text(folder / "all.qrels"), "A 0 d1 1\nA 0 d2 1\nA 0 d4 1\n");
  EXPECT_EQ(read_text(folder / "even.qrels"), "A 0 d2 1\nA 0 d4 1\n");
  EXPECT_EQ(read_text(folder / "odd.qrels"), "A 0 d1 1\nA 0 d2 1\n");
}

TEST(QrelsFile, AppearsOnlyWhenComplete) {
  const TemporaryFolder folder;
  {
    QrelsWriter writer({folder / "q.qrels"});
    writer.add_lines(checked_qrels_line({"A", "d", 1}, "0", "A"));
  }
  EXPECT_FALSE(std::filesystem::exists(folder / "q.qrels"));
}

}  // namespace
}  // namespace touchstone::collection::automatic
