#include "common/records/record_file.hpp"
#include "pipeline/automatic/page_anchors.hpp"
#include "pipeline/automatic/query_pages.hpp"
#include "pipeline/automatic/stages.hpp"
#include "pipeline/flow/parts.hpp"
#include "pipeline/flow/work_files.hpp"
#include "tests/support/stage_fixture.hpp"

#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace touchstone::pipeline::automatic {
namespace {

using testing::simple_page;

class AnchorsStageTest : public testing::StageFixture {
 protected:
  /// The anchors of each page, "text=count " each. The pages of `query_pages` are query pages.
  std::map<std::uint32_t, std::string> anchors(const std::vector<std::uint32_t>& query_pages = {}) {
    records::RecordFile<QueryPage>::Writer chosen(paths.file(kQueryPagesFile));
    for (const auto page : query_pages) chosen.add({.page = PageId{page}});
    chosen.finish();
    run(anchors_stage());
    std::map<std::uint32_t, std::string> found;
    for (const auto& file : flow::kept_parts(paths.file(kAnchorsFolder))) {
      records::RecordFile<PageAnchors>::for_each(file, [&](const PageAnchors& page) {
        for (const auto& anchor : page.anchors)
          found[page.page.value] += anchor.text + "=" + std::to_string(anchor.count) + " ";
      });
    }
    return found;
  }
};

TEST_F(AnchorsStageTest, CountsTheTextsOfLinksOfAllPagesBehindRedirects) {
  fill_from_dump(
      simple_page(1, "A",
                  "[[B]], [[B|it]]; [[Old b|it]], [[A|me]] and [[Nowhere]].\n\n* [[b|it]]\n\n== S ==\n[[C|sea]]") +
      simple_page(2, "B", "Text.") + simple_page(3, "C", "[[File:X.png|thumb|The [[B|light]].]]\n\n[[Old b]]") +
      simple_page(4, "Old b", "#REDIRECT [[B]]", "B"));
  EXPECT_EQ(anchors(), (std::map<std::uint32_t, std::string>{{2, "it=3 B=1 Old b=1 light=1 "}, {3, "sea=1 "}}));
}

TEST_F(AnchorsStageTest, LinksOfQueryPagesDoNotCount) {
  fill_from_dump(simple_page(1, "A", "[[C|one]]") + simple_page(2, "B", "[[C|two]]") + simple_page(3, "C", "x"));
  EXPECT_EQ(anchors({1}), (std::map<std::uint32_t, std::string>{{3, "two=1 "}}));
}

TEST_F(AnchorsStageTest, EachFileHasTheAnchorsOfItsPages) {
  std::string dump;
  const std::string filler(5000, 'x');
  for (int page = 1; page <= 60; ++page) {
    dump += simple_page(page, "P" + std::to_string(page),
                        filler + " [[P1|first]] [[P" + std::to_string(page % 60 + 1) + "|next]]");
  }
  fill_from_dump(dump);
  std::map<std::uint32_t, std::string> wanted;
  for (std::uint32_t page = 1; page <= 60; ++page) wanted[page] = page == 1 ? "first=59 next=1 " : "next=1 ";
  EXPECT_EQ(anchors(), wanted);
  EXPECT_GT(flow::kept_parts(paths.file(kAnchorsFolder)).size(), 1U);
}

TEST_F(AnchorsStageTest, AnEmptyStoreHasNone) {
  EXPECT_TRUE(anchors().empty());
}

}  // namespace
}  // namespace touchstone::pipeline::automatic
