#include "pipeline/automatic/inlink_anchors.hpp"

#include "pipeline/flow/stage.hpp"
#include "tests/support/stage_fixture.hpp"

#include <functional>
#include <memory>
#include <string>
#include <utility>

#include <gtest/gtest.h>

namespace touchstone::pipeline::automatic {
namespace {

using testing::simple_page;

/// Runs a piece of work as a stage that reads the families of links.
class WorkStage : public flow::Stage {
 public:
  using Work = std::function<void(flow::WriteContext&)>;
  explicit WorkStage(Work work) : work_(std::move(work)) {}
  flow::StageReport merge(flow::WriteContext& context, const flow::Parts& /*parts*/) override {
    work_(context);
    return {};
  }

 private:
  Work work_;
};

class InlinkAnchorsTest : public testing::StageFixture {
 protected:
  void with_anchors(const std::function<bool(PageId)>& left_out, const std::function<void(InlinkAnchors&)>& check) {
    using storage::Family;
    flow::StageInfo info;
    info.name = "anchors";
    for (const Family family :
         {Family::kPage, Family::kOutline, Family::kParagraph, Family::kAttribute, Family::kLinkTarget})
      info.inputs.push_back(flow::family(family));
    info.make = [&] {
      return std::make_unique<WorkStage>([&](flow::WriteContext& context) {
        InlinkAnchors anchors(context, left_out);
        check(anchors);
      });
    };
    run(info);
  }

  static std::string text_of(InlinkAnchors& anchors, std::uint32_t page) {
    std::string text;
    for (const auto& anchor : anchors.of(PageId{page})) text += anchor.text + "=" + std::to_string(anchor.count) + " ";
    return text;
  }
};

TEST_F(InlinkAnchorsTest, CountsTheTextsOfLinksOfAllPagesBehindRedirects) {
  fill_from_dump(
      simple_page(1, "A",
                  "[[B]], [[B|it]]; [[Old b|it]], [[A|me]] and [[Nowhere]].\n\n* [[b|it]]\n\n== S ==\n[[C|sea]]") +
      simple_page(2, "B", "Text.") + simple_page(3, "C", "[[File:X.png|thumb|The [[B|light]].]]\n\n[[Old b]]") +
      simple_page(4, "Old b", "#REDIRECT [[B]]", "B"));
  with_anchors([](PageId) { return false; },
               [](InlinkAnchors& anchors) {
                 EXPECT_EQ(text_of(anchors, 1), "");
                 EXPECT_EQ(text_of(anchors, 2), "it=3 B=1 Old b=1 light=1 ");
                 EXPECT_EQ(text_of(anchors, 3), "sea=1 ");
                 EXPECT_EQ(text_of(anchors, 4), "");
                 anchors.rewind();
                 EXPECT_EQ(text_of(anchors, 3), "sea=1 ") << "pages may be passed over";
               });
}

TEST_F(InlinkAnchorsTest, PagesThatAreLeftOutDoNotCount) {
  fill_from_dump(simple_page(1, "A", "[[C|one]]") + simple_page(2, "B", "[[C|two]]") + simple_page(3, "C", "x"));
  with_anchors([](PageId page) { return page.value == 1; },
               [](InlinkAnchors& anchors) { EXPECT_EQ(text_of(anchors, 3), "two=1 "); });
}

TEST_F(InlinkAnchorsTest, AnEmptyStoreHasNone) {
  with_anchors([](PageId) { return false; }, [](InlinkAnchors& anchors) { EXPECT_EQ(text_of(anchors, 1), ""); });
}

}  // namespace
}  // namespace touchstone::pipeline::automatic
