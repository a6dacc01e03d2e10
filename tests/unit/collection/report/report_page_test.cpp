#include "collection/collection_writer.hpp"
#include "collection/report/charts.hpp"
#include "collection/report/report.hpp"
#include "common/error.hpp"
#include "common/files.hpp"
#include "common/json_tree.hpp"
#include "tests/unit/collection/sample_collection.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace touchstone::collection::report {
namespace {

using testing::sample_info;
using testing::sample_judgment;
using testing::sample_passage;
using testing::sample_topic;
using testing::TemporaryFolder;
using testing::write_sample;
using testing::write_text;

bool page_holds(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

std::string embedded_json(const std::string& page) {
  const std::string open = "<script type=\"application/json\" id=\"data\">";
  const auto start = page.find(open) + open.size();
  return page.substr(start, page.find("</script>", start) - start);
}

class ReportPage : public ::testing::Test {
 protected:
  ReportPage() { write_sample(folder_ / "c"); }
  TemporaryFolder folder_;
};

TEST_F(ReportPage, ShowsTheHeadlineNumbersWithoutScripts) {
  const std::string page = render_report(folder_ / "c");
  EXPECT_TRUE(page_holds(page, "<dt>topics</dt><dd><b>3</b>"));
  EXPECT_TRUE(page_holds(page, "<dt>evidence</dt><dd><b>3</b>"));
  EXPECT_TRUE(page_holds(page, "<b>33.3 %</b>"));
  EXPECT_TRUE(page_holds(page, "empty cell"));
}

TEST_F(ReportPage, SaysThatTheLabelsAreABaseline) {
  EXPECT_TRUE(page_holds(render_report(folder_ / "c"), "The labels are a BASELINE"));
  CollectionInfo info = sample_info();
  info.baseline_judge = false;
  write_sample(folder_ / "d", info);
  EXPECT_FALSE(page_holds(render_report(folder_ / "d"), "BASELINE"));
}

TEST_F(ReportPage, TakesNothingFromOutside) {
  const std::string page = render_report(folder_ / "c");
  for (const char* part : {"<link", "src=", "@import", "url(", "<iframe", "<base"})
    EXPECT_FALSE(page_holds(page, part)) << part;
  EXPECT_TRUE(page_holds(page, "default-src 'none'"));
}

TEST_F(ReportPage, TextsCannotBecomeMarkup) {
  const std::string page = render_report(folder_ / "c");
  EXPECT_FALSE(page_holds(page, "<script>alert"));
  EXPECT_FALSE(page_holds(page, "<img"));
  EXPECT_FALSE(page_holds(page, "</script><b>"));
  EXPECT_TRUE(page_holds(page, "List of &quot;teas&quot; » &lt;/script&gt;&lt;b&gt;Green » Name"));
  const std::string json = embedded_json(page);
  EXPECT_EQ(json.find_first_of("<>&"), std::string::npos);
}

TEST_F(ReportPage, EmbedsTopicsWithMembersPassagesAndMentions) {
  const auto data = parse_json(embedded_json(render_report(folder_ / "c")));
  EXPECT_EQ(data.at("address"), "https://tea.example.org/wiki/");
  const auto& topic = data.at("topics").at(0);
  EXPECT_EQ(topic.at("id"), "t1");
  EXPECT_EQ(topic.at("counts"), parse_json("[2,3,0,1]"));
  EXPECT_EQ(topic.at("members").at(0).at(4).at(1), "شاي");
  ASSERT_EQ(topic.at("yes").size(), 3U);
  const auto& passage = topic.at("yes").at(0);
  EXPECT_EQ(passage.at("d"), "teawiki-5-0");
  EXPECT_EQ(passage.at("x"), "Page 1 and Page 2 are teas.");
  EXPECT_EQ(passage.at("j").size(), 2U);
  EXPECT_EQ(passage.at("j").at(1).at(6), parse_json("[[11,17]]"));
  EXPECT_EQ(topic.at("unjudged").at(0).at("d"), "teawiki-10-0");
  EXPECT_EQ(data.at("topics").at(1).at("no").size(), 1U);
}

TEST_F(ReportPage, IsTheSameEveryTime) {
  EXPECT_EQ(render_report(folder_ / "c"), render_report(folder_ / "c"));
}

TEST_F(ReportPage, SaysWhatItLeavesOut) {
  ReportLimits limits;
  limits.max_topics = 1;
  limits.max_listed_topics = 2;
  limits.max_members = 1;
  limits.max_evidence = 1;
  limits.max_discarded = 1;
  limits.max_bytes = 5;
  const std::string page = render_report(folder_ / "c", limits);
  EXPECT_TRUE(page_holds(page, "Members and passages are embedded for the first 1 of 3 topics"));
  EXPECT_TRUE(page_holds(page, "Only 2 topics are listed; all are in topics.tsv"));
  EXPECT_TRUE(page_holds(page, "The texts of 2 passages were left out"));
  EXPECT_TRUE(page_holds(page, "1 more are in discarded.tsv"));
  const auto data = parse_json(embedded_json(page));
  EXPECT_EQ(data.at("topics").size(), 2U);
  EXPECT_EQ(data.at("topics").at(0).at("yes").size(), 1U);
  EXPECT_TRUE(data.at("topics").at(0).at("yes").at(0).at("x").is_null());
  EXPECT_FALSE(data.at("topics").at(1).contains("yes"));
  EXPECT_TRUE(page_holds(page, "<dt>topics</dt><dd><b>3</b>"));
}

TEST_F(ReportPage, LongPassagesAreCutAroundTheFirstMention) {
  std::string text;
  for (int i = 0; i < 1000; ++i) text += "é ";
  text += "Page 1 comes late. ";
  for (int i = 0; i < 1000; ++i) text += "é ";
  CollectionWriter writer(folder_ / "long", sample_info());
  writer.add(sample_topic("t"));
  writer.add(MemberRecord{"t", "Page 1", 1, "", {}, 1, 1});
  writer.add(sample_passage(2, text));
  JudgmentRecord judgment = sample_judgment("t", 1, "teawiki-2-0");
  judgment.mentions = {{2000, 2006}};
  writer.add(judgment);
  writer.finish();
  ReportLimits limits;
  limits.max_passage_code_points = 100;
  const auto data = parse_json(embedded_json(render_report(folder_ / "long", limits)));
  const auto& passage = data.at("topics").at(0).at("yes").at(0);
  EXPECT_EQ(passage.at("b"), 1);
  EXPECT_EQ(passage.at("e"), 1);
  EXPECT_EQ(passage.at("j").at(0).at(6), parse_json("[[25,31]]"));
  EXPECT_TRUE(page_holds(passage.at("x").get<std::string>(), "Page 1 comes late."));
}

TEST_F(ReportPage, ShowsHowManyLabelsTheirOwnLogProbabilitiesContradict) {
  constexpr std::string_view kJudging = R"({"name":"m","grades":{"0":1200,"1":800},"states":{"judged":2000},"judges":[
    {"judge":"m","asked":true,"questions":2000,"replies":2000,"attempts":2001,"states":{"judged":2000},
     "grades":{"0":1200,"1":800},"with_probability":1999,"contradicted":1234,"quotes":0,"quotes_not_found":0,
     "tokens":{"prompt":9,"cached":0,"reply":9},"cost_dollars":0.0,"priced":false,
     "latency_ms":{"p50":1.0,"p90":1.0,"p99":1.0}}]})";
  EXPECT_TRUE(
      page_holds(render_report(folder_ / "c", {}, kJudging),
                 "<th scope=\"row\">labels against their own log-probabilities</th><td class=\"n\">1,234</td>"));
}

TEST_F(ReportPage, AnAddressThatIsNoWebPageMakesNoLinks) {
  CollectionInfo info = sample_info();
  info.base_url = "javascript:alert(1)//wiki/Main";
  write_sample(folder_ / "d", info);
  EXPECT_EQ(parse_json(embedded_json(render_report(folder_ / "d"))).at("address"), "");
}

TEST_F(ReportPage, AnEmptyCollectionHasAPageToo) {
  CollectionWriter(folder_ / "none", sample_info()).finish();
  EXPECT_TRUE(page_holds(render_report(folder_ / "none"), "The collection has no topics"));
}

TEST_F(ReportPage, ADamagedFileIsNamedWithItsLine) {
  write_text(folder_ / "c/members.jsonl", "{}\n");
  try {
    render_report(folder_ / "c");
    FAIL();
  } catch (const FormatError& error) {
    EXPECT_TRUE(page_holds(error.what(), "members.jsonl:1: has no field \"topic\"")) << error.what();
  }
}

TEST(ReportCharts, BinWidthsAreRoundNumbers) {
  EXPECT_EQ(internal::bin_width(0, 10), 1U);
  EXPECT_EQ(internal::bin_width(10, 10), 1U);
  EXPECT_EQ(internal::bin_width(11, 10), 2U);
  EXPECT_EQ(internal::bin_width(1000, 25), 50U);
}

TEST(ReportCharts, HistogramsHaveOneTooltipPerBin) {
  const std::string svg = internal::evidence_histogram({0, 1, 1, 7}).markup();
  EXPECT_TRUE(page_holds(svg, "<title>1 evidence passages: 2 topics</title>"));
  EXPECT_TRUE(page_holds(svg, "<title>7 evidence passages: 1 topics</title>"));
}

}  // namespace
}  // namespace touchstone::collection::report
