#include "pipeline/corpus/text_results.hpp"

#include "common/files.hpp"
#include "tests/support/temporary_folder.hpp"

#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace touchstone::pipeline::corpus {
namespace {

using Results = TextResults<std::string>;
using Texts = std::vector<std::pair<std::uint32_t, std::string>>;  // page, text

class TextResultsTest : public ::testing::Test {
 protected:
  testing::TemporaryFolder folder;

  /// Computes values that say where they were computed. Returns the values.
  std::string run(const std::string& before, const std::string& now, const Texts& texts,
                  std::string_view rest = "rest") {
    const Results::Before known(before.empty() ? std::filesystem::path() : folder / before);
    Results results(known, now.empty() ? std::filesystem::path() : folder / now, rest);
    std::string all;
    for (const auto& [page, text] : texts)
      all += results.of(PageId{page}, text, [&] { return text + "@" + now; }) + " ";
    results.finish();
    return all;
  }
};

TEST_F(TextResultsTest, ATextThatItsPageHadIsTakenOverWhereverItIsOnThePage) {
  EXPECT_EQ(run("", "m0", {{1, "a"}, {1, "b"}, {3, "c"}, {7, "d"}}), "a@m0 b@m0 c@m0 d@m0 ");
  EXPECT_EQ(run("m0", "m1", {{1, "new"}, {1, "b"}, {1, "a"}, {2, "c"}, {7, "d"}}), "new@m1 b@m0 a@m0 c@m1 d@m0 ");
  EXPECT_EQ(run("m1", "m2", {{1, "new"}, {1, "a"}, {9, "d"}}), "new@m1 a@m0 d@m2 ")
      << "what was taken over is handed on";
}

TEST_F(TextResultsTest, NothingIsTakenOverThatWasComputedInAnotherWay) {
  run("", "m0", {{1, "a"}});
  EXPECT_EQ(run("m0", "m1", {{1, "a"}}, "other"), "a@m1 ");
}

TEST_F(TextResultsTest, AFileOfOtherRecordsIsNotRead) {
  records::RecordFile<PageTexts<std::uint64_t>>::write(folder / "m0", {{PageId{1}, {}, {{1, 1}}}});
  EXPECT_EQ(run("m0", "m1", {{1, "a"}}), "a@m1 ");
  EXPECT_EQ(run("none", "", {{1, "a"}}), "a@ ") << "there is no file, and none is written";
}

TEST(ResultsBefore, FindsPagesInTheFilesOfAFolderFromAnywhereOn) {
  const testing::TemporaryFolder folder;
  using Record = PageTexts<std::uint64_t>;
  std::filesystem::create_directories(folder / "f");
  const auto write = [&](const std::string& name, std::vector<std::uint32_t> pages) {
    std::vector<Record> all;
    for (const auto page : pages) all.push_back({PageId{page}, {}, {{page, 0}}});
    records::RecordFile<Record>::write(folder / "f" / name, all);
  };
  write("00000.x", {2, 4});
  write("00001.x", {});
  write("00002.x", {6, 8});
  const ResultsBefore<Record> before(folder / "f");
  for (std::uint32_t first = 0; first < 10; ++first) {
    ResultsBefore<Record>::Walk walk(before);
    for (std::uint32_t page = first; page < 10; ++page) {
      const auto found = walk.find(PageId{page});
      EXPECT_EQ(found.has_value(), page > 0 && page % 2 == 0) << first << " " << page;
      if (found) EXPECT_EQ(found->values.at(0).first, page);
    }
  }
}

}  // namespace
}  // namespace touchstone::pipeline::corpus
