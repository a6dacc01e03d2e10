#include "extractors/wikidata/entity_dump.hpp"

#include "common/error.hpp"
#include "tests/support/memory_source.hpp"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace touchstone::extractors::wikidata {
namespace {

struct Reading {
  std::vector<std::string> ids;
  DumpCounts counts;

  std::vector<std::pair<std::uint64_t, std::string>> bad() const {
    std::vector<std::pair<std::uint64_t, std::string>> lines;
    for (const auto& line : counts.bad_lines) lines.emplace_back(line.offset, to_string(line.error.issue));
    return lines;
  }
};

using Bad = std::vector<std::pair<std::uint64_t, std::string>>;
using Ids = std::vector<std::string>;

Reading read(const std::string& bytes, DumpOptions options = {}, std::vector<std::size_t> pieces = {}) {
  Reading reading;
  const StopFlag stop;
  reading.counts = read_entities(std::make_unique<testing::MemorySource>(bytes, std::move(pieces), "dump.json"),
                                 options, stop, [&](Entity&& entity) { reading.ids.push_back(entity.id); });
  return reading;
}

std::string message_of(const std::string& bytes) {
  try {
    read(bytes);
  } catch (const FormatError& error) {
    return error.what();
  }
  return "";
}

TEST(EntityDump, ReadsAnArrayOfLinesAndPlainLines) {
  const auto array = read("[\n{\"id\":\"Q1\"},\n{\"id\":\"Q2\"}\n]\n");
  EXPECT_EQ(array.ids, (Ids{"Q1", "Q2"}));
  EXPECT_TRUE(array.counts.complete);
  EXPECT_EQ(array.counts.bytes, 29U);
  const auto beside = read("[{\"id\":\"Q1\"},\n{\"id\":\"Q2\"}]\n");
  EXPECT_EQ(beside.ids, (Ids{"Q1", "Q2"}));
  EXPECT_EQ(beside.counts.bad, 0U);
  EXPECT_TRUE(beside.counts.complete);
  const auto plain = read("\xef\xbb\xbf{\"id\":\"Q1\"}\r\n\n{\"id\":\"Q2\"}");
  EXPECT_EQ(plain.ids, (Ids{"Q1", "Q2"}));
  EXPECT_TRUE(plain.counts.complete);
  EXPECT_EQ(plain.counts.bad, 0U);
}

TEST(EntityDump, CountsLabelsAndSitelinks) {
  const auto counts =
      read(R"({"id":"Q1","labels":{"en":{"value":"A"},"de":{"value":"B"}},"sitelinks":{"xwiki":{}}})").counts;
  EXPECT_EQ(counts.entities, 1U);
  EXPECT_EQ(counts.labels, 2U);
  EXPECT_EQ(counts.sitelinks, 1U);
}

TEST(EntityDump, TellsTheOffsetOfEachBadLineAndGoesOn) {
  const auto reading = read("[\n{\"id\":\"Q1\"},\n{\"id\":,\nno\n{\"id\":\"Q2\"},\n[{}],\n]\n");
  EXPECT_EQ(reading.ids, (Ids{"Q1", "Q2"}));
  EXPECT_EQ(
      reading.bad(),
      (Bad{{15, "malformed JSON"}, {23, "malformed JSON"}, {39, "an array, where one entity a line is expected"}}));
  EXPECT_EQ(reading.counts.bad, 3U);
}

TEST(EntityDump, TellsAFileThatEndsWithinALine) {
  const auto reading = read("[\n{\"id\":\"Q1\"},\n{\"id\":\"Q2\",\"lab");
  EXPECT_EQ(reading.ids, (Ids{"Q1"}));
  EXPECT_EQ(reading.bad(), (Bad{{15, "the file ends within the line"}}));
  EXPECT_FALSE(reading.counts.complete);
}

TEST(EntityDump, AnArrayThatIsNotClosedIsIncomplete) {
  const auto reading = read("[\n{\"id\":\"Q1\"},\n");
  EXPECT_EQ(reading.counts.bad, 0U);
  EXPECT_FALSE(reading.counts.complete);
}

TEST(EntityDump, TheLastBracketTellsWhetherTheFileIsComplete) {
  EXPECT_FALSE(read("[\n]\n[\n{\"id\":\"Q1\"},\n").counts.complete);
  EXPECT_FALSE(read("[\n{\"id\":\"Q1\",\"claims\":[{}]").counts.complete);  // the bracket of a line that is cut
}

TEST(EntityDump, LeavesOutLinesOverTheLimit) {
  DumpOptions options;
  options.block_bytes = 16;
  options.max_line_bytes = 100;
  const std::string filler(300, 'x'), fits(60, 'y');
  const std::string first = "{\"id\":\"Q1\",\"x\":\"" + filler + "\"},\n",
                    second = "{\"id\":\"Q2\",\"x\":\"" + fits + "\"},\n";
  const auto reading = read("[\n" + first + second + first + first + "{\"id\":\"Q3\"}\n]\n", options);
  EXPECT_EQ(reading.ids, (Ids{"Q2", "Q3"}));
  const auto third = 2 + first.size() + second.size();
  EXPECT_EQ(reading.bad(), (Bad{{2, "longer than the limit of a line"},
                                {third, "longer than the limit of a line"},
                                {third + first.size(), "longer than the limit of a line"}}));
  const auto at_end = read(second + first.substr(0, first.size() - 2), options);
  EXPECT_EQ(at_end.ids, (Ids{"Q2"}));
  EXPECT_EQ(at_end.bad(), (Bad{{second.size(), "longer than the limit of a line"}}));
}

TEST(EntityDump, BlocksPiecesAndThreadsDoNotShow) {
  std::string bytes = "[\n";
  Ids ids;
  for (int i = 1; i <= 400; ++i) {
    ids.push_back("Q" + std::to_string(i));
    bytes +=
        "{\"id\":\"" + ids.back() + "\",\"x\":\"" + std::string(static_cast<std::size_t>(i) * 7 % 90, 'x') + "\"},\n";
  }
  bytes += "oops\n]\n";
  const auto bad = Bad{{bytes.size() - 7, "malformed JSON"}};
  for (const std::size_t block : {std::size_t{1}, std::size_t{50}, std::size_t{4096}}) {
    DumpOptions options;
    options.block_bytes = block;
    options.threads = 2;
    const auto reading = read(bytes, options, {7, 1, 300});
    EXPECT_EQ(reading.ids, ids) << block;
    EXPECT_EQ(reading.bad(), bad) << block;
    EXPECT_TRUE(reading.counts.complete);
  }
}

TEST(EntityDump, KeepsTenThousandBadLinesAndCountsAll) {
  std::string bytes = "[\n";
  for (std::size_t i = 0; i < DumpCounts::kMostBadLines + 5; ++i) bytes += "x\n";
  const auto counts = read(bytes).counts;
  EXPECT_EQ(counts.bad, DumpCounts::kMostBadLines + 5);
  EXPECT_EQ(counts.bad_lines.size(), DumpCounts::kMostBadLines);
}

TEST(EntityDump, RefusesAFileThatIsNoDump) {
  EXPECT_EQ(
      message_of("<mediawiki>\n<page/>"),
      "dump.json: is no JSON dump of Wikidata, because it begins with \"<mediawiki> <page/>\"; give a file such as "
      "wikidata-20240101-all.json.bz2, which has one entity a line");
}

TEST(EntityDump, AStopEndsTheReading) {
  StopFlag stop;
  stop.request();
  EXPECT_THROW(read_entities(std::make_unique<testing::MemorySource>("[\n]\n"), {}, stop, [](Entity&&) {}),
               Interrupted);
}

}  // namespace
}  // namespace touchstone::extractors::wikidata
