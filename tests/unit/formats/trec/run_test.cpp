#include "formats/trec/run.hpp"

#include "common/error.hpp"
#include "common/files.hpp"
#include "tests/support/error_message.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/support/text_file.hpp"

#include <gtest/gtest.h>

namespace touchstone::formats::trec {
namespace {

using touchstone::testing::message_of;
using touchstone::testing::TemporaryFolder;
using touchstone::testing::write_text;

std::vector<std::string> docids(const RunFile& run, std::size_t topic) {
  std::vector<RunEntry> entries;
  run.read_topic(topic, entries);
  std::vector<std::string> out;
  for (const auto& entry : entries) out.emplace_back(entry.docid);
  return out;
}

TEST(ParseRunLine, ReadsFieldsWithAnyWhiteSpaceBetween) {
  const auto run = parse_run_line("  q1\tQ0 \v d-1  7\t+1.5e1  tag\r");
  ASSERT_TRUE(run);
  EXPECT_EQ(run->topic, "q1");
  EXPECT_EQ(run->docid, "d-1");
  EXPECT_EQ(run->score, 15);
  EXPECT_EQ(run->tag, "tag");
  EXPECT_FALSE(run->has_more);
}

TEST(ParseRunLine, RefusesWhatIsNoScore) {
  for (const char* score : {"nan", "inf", "-inf", "x", "1.5x", "0x10", "1e999", "--1", "+-1", "1,5"}) {
    const auto run = parse_run_line(std::string("q Q0 d 1 ") + score + " t");
    ASSERT_FALSE(run) << score;
    EXPECT_EQ(run.error(), LineFault::kNumber);
  }
  for (const char* score : {"-1", "1e-300", "1e-400", "-1e-400", ".5", "5.", "0"}) {
    EXPECT_TRUE(parse_run_line(std::string("q Q0 d 1 ") + score + " t")) << score;
  }
}

TEST(ParseRunLine, RefusesFewerThanSixFields) {
  for (const char* line : {"", "q", "q Q0 d 1 2", "q Q0 d 1 2 \r"}) {
    EXPECT_EQ(parse_run_line(line).error(), LineFault::kFields) << line;
  }
  EXPECT_TRUE(parse_run_line("q Q0 d 1 2 t more")->has_more);
}

TEST(RunFile, FindsTheLinesOfATopicWhereverTheyStand) {
  const TemporaryFolder folder;
  write_text(folder / "r",
             "q1 Q0 a 1 1 t\nq2 Q0 x 1 1 t\n\n# a comment\nq1 Q0 b 1 3 t\n  q10 Q0 y 1 1 t\nq1 Q0 c 1 2 last");
  const RunFile run(folder / "r");
  ASSERT_EQ(run.topic_count(), 3U);
  EXPECT_EQ(run.topic(0), "q1");
  EXPECT_EQ(docids(run, 0), (std::vector<std::string>{"b", "c", "a"}));
  EXPECT_EQ(run.topic(2), "q10");
  EXPECT_EQ(docids(run, 2), std::vector<std::string>{"y"});
  EXPECT_EQ(run.tag(), "last");
}

TEST(RunFile, BreaksTiesByDocidDescendingInByteOrder) {
  const TemporaryFolder folder;
  write_text(folder / "r", "q Q0 a 1 1 t\nq Q0 \xC3\xA9 2 1 t\nq Q0 B 3 1 t\nq Q0 b 4 1 t\nq Q0 aa 5 1.0 t\n");
  EXPECT_EQ(docids(RunFile(folder / "r"), 0), (std::vector<std::string>{"\xC3\xA9", "b", "aa", "a", "B"}));
}

TEST(RunFile, ReadsGzipAndManyChunks) {
  const TemporaryFolder folder;
  std::string text;
  for (int topic = 0; topic < 900; ++topic) {
    for (int i = 0; i < 200; ++i) {
      text += "topic" + std::to_string(topic) + " Q0 docid" + std::to_string(i) + " 0 " + std::to_string(i) + " t\n";
    }
  }
  TextWriter gzip(folder / "r.gz");
  gzip.write(text);
  gzip.finish();
  write_text(folder / "r", text);
  ASSERT_GT(text.size(), std::size_t{1} << 22);  // more than one chunk
  for (const char* name : {"r.gz", "r"}) {
    const RunFile run(folder / name);
    ASSERT_EQ(run.topic_count(), 900U);
    for (std::size_t topic : {0U, 500U, 899U}) {
      const auto found = docids(run, topic);
      ASSERT_EQ(found.size(), 200U);
      EXPECT_EQ(found.front(), "docid199");
      EXPECT_EQ(found.back(), "docid0");
    }
    run.release_topics(0, 900);
    EXPECT_EQ(docids(run, 3).size(), 200U);  // released pages come back
  }
}

TEST(RunFile, DescribesWhatIsWrongWithFileAndLine) {
  const TemporaryFolder folder;
  write_text(folder / "r", "q Q0 a 1 2 t\nq Q0 b 1 2\nq Q0 c 1 x t\np Q0 a 1 1 t\nq Q0 a 2 1 t\n");
  const RunFile run(folder / "r");
  std::vector<RunEntry> entries;
  const auto faults = run.read_topic(0, entries);
  EXPECT_EQ(faults.count, (std::array<std::uint64_t, 3>{1, 1, 1}));
  EXPECT_EQ(entries.size(), 1U);
  EXPECT_NE(run.describe(faults.first_fault, faults.first_offset).find("r:2: has 5 fields instead of the 6"),
            std::string::npos);
  const std::string text = "q Q0 a 1 2 t\nq Q0 b 1 2\nq Q0 c 1 x t\np Q0 a 1 1 t\n";
  EXPECT_NE(run.describe(LineFault::kTwice, text.size())
                .find("r:5: retrieves docid \"a\" for topic \"q\" a second time after line 1"),
            std::string::npos);
}

TEST(RunFile, AFileWithoutALineAnswersNoTopic) {
  const TemporaryFolder folder;
  write_text(folder / "empty", "");
  write_text(folder / "comments", "# nothing\n\n");
  for (const char* name : {"empty", "comments"}) {
    const RunFile run(folder / name);
    EXPECT_EQ(run.topic_count(), 0U) << name;
    EXPECT_EQ(run.tag(), "") << name;
  }
}

TEST(RunFile, RefusesFilesThatAreNoRun) {
  const TemporaryFolder folder;
  write_text(folder / "mark", "\xEF\xBB\xBFq Q0 a 1 2 t\n");
  TextWriter whole(folder / "whole.gz");
  for (int i = 0; i < 1000; ++i) whole.write("q Q0 d" + std::to_string(i) + " 1 2 t\n");
  whole.finish();
  write_file_atomically(folder / "cut.gz", read_file(folder / "whole.gz").substr(0, 1000));
  EXPECT_NE(message_of([&] { RunFile run(folder / "mark"); }).find("byte-order mark"), std::string::npos);
  EXPECT_NE(message_of([&] { RunFile run(folder / "cut.gz"); }).find("damaged or truncated"), std::string::npos);
  EXPECT_NE(message_of([&] { RunFile run(folder / "none"); }).find("cannot read"), std::string::npos);
  EXPECT_NE(message_of([&] { RunFile run(folder / ""); }).find("cannot read"), std::string::npos);
}

}  // namespace
}  // namespace touchstone::formats::trec
