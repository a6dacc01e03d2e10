#include "collection/evidence/report/report.hpp"

#include "collection/evidence/collection_writer.hpp"
#include "collection/evidence/report/list_order.hpp"
#include "collection/evidence/report/overview.hpp"
#include "collection/evidence/report/topic_view.hpp"
#include "common/error.hpp"
#include "common/files.hpp"
#include "common/json_tree.hpp"
#include "tests/unit/collection/evidence/sample_collection.hpp"

#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace touchstone::collection::evidence::report {
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

std::size_t count_of(const std::string& text, std::string_view part) {
  std::size_t count = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + part.size())) ++count;
  return count;
}

class ReportPage : public ::testing::Test {
 protected:
  ReportPage() { write_sample(folder_ / "c"); }

  /// Writes the report of a collection and gives its first page.
  std::string write(const std::string& collection = "c", const ReportLimits& limits = {},
                    std::string_view judging = {}) {
    numbers_ =
        write_report(folder_ / collection, folder_ / "report.html", folder_ / "report", judging, StopFlag(), limits);
    return read_file(folder_ / "report.html");
  }
  std::string page(const std::string& name) { return read_file(folder_ / "report" / name); }
  std::set<std::string> names() {
    std::set<std::string> found;
    for (const auto& entry : std::filesystem::directory_iterator(folder_ / "report"))
      found.insert(entry.path().filename());
    return found;
  }

  TemporaryFolder folder_;
  ReportNumbers numbers_;
};

TEST_F(ReportPage, ShowsTheHeadlineNumbersBesideThePaper) {
  const std::string page = write();
  EXPECT_TRUE(page_holds(page, "<dt>topics</dt><dd><b>3</b>"));
  EXPECT_TRUE(page_holds(page, "<dt>evidence</dt><dd><b>3</b>"));
  EXPECT_TRUE(page_holds(page, "<b>33.3 %</b>"));
  EXPECT_TRUE(page_holds(page, "<th scope=\"row\">topics</th><td class=\"n\">3</td><td class=\"n paper\">1,196</td>"));
  EXPECT_LT(page.find("id=\"numbers\""), page.find("id=\"health\""));
  EXPECT_LT(page.find("id=\"health\""), page.find("id=\"topics\""));
}

TEST_F(ReportPage, SaysThatTheLabelsAreABaseline) {
  EXPECT_TRUE(page_holds(write(), "The labels are a BASELINE"));
  CollectionInfo info = sample_info();
  info.baseline_judge = false;
  write_sample(folder_ / "d", info);
  EXPECT_FALSE(page_holds(write("d"), "BASELINE"));
}

TEST_F(ReportPage, TakesNothingFromOutside) {
  const std::string first = write();
  for (const auto& text : {first, page("topics-1.html"), page("left-out-1.html")}) {
    for (const char* part : {"<link", "src=", "@import", "url(", "<iframe", "<base"})
      EXPECT_FALSE(page_holds(text, part)) << part;
    EXPECT_TRUE(page_holds(text, "default-src 'none'"));
  }
}

TEST_F(ReportPage, TextsCannotBecomeMarkup) {
  const std::string first = write();
  for (const auto& text : {first, page("topics-1.html"), page("left-out-1.html")}) {
    EXPECT_FALSE(page_holds(text, "<script>alert"));
    EXPECT_FALSE(page_holds(text, "<img"));
    EXPECT_FALSE(page_holds(text, "</script><b>"));
    EXPECT_FALSE(page_holds(text, "<i>no</i>"));
    EXPECT_FALSE(page_holds(text, "\xE2\x80\xA8"));
  }
  EXPECT_TRUE(page_holds(page("topics-1.html"), "List of &quot;teas&quot;"));
  EXPECT_TRUE(page_holds(page("topics-1.html"), "&lt;/script&gt;&lt;b&gt;Green"));
  EXPECT_TRUE(page_holds(page("topics-1.html"), "&lt;i&gt;no&lt;/i&gt; words in common"));
  EXPECT_EQ(embedded_json(first).find_first_of("<>&"), std::string::npos);
}

TEST_F(ReportPage, ShowsATopicWithMembersPassagesMentionsAndReasons) {
  write();
  const auto text = page("topics-1.html");
  EXPECT_TRUE(page_holds(text, "<span title=\"also First tea, شاي\"><a href=\"https://tea.example.org/wiki/Page_1\""));
  EXPECT_TRUE(page_holds(text, "2 of 3</span>")) << "evidence of candidates";
  EXPECT_TRUE(page_holds(text, "<mark title=\"link to Page 1\"><span class=\"span\">Page 1</span></mark>"));
  EXPECT_TRUE(page_holds(text, "<b>Page 1</b>: evidence. names the member"));
  EXPECT_TRUE(page_holds(text, "<i style=\"inline-size:91%\"></i>0.91"));
  EXPECT_TRUE(page_holds(text, "<b>Page 2</b>: no evidence. names the member"));
  EXPECT_TRUE(page_holds(text, "Candidates without a grade (1)"));
  EXPECT_TRUE(page_holds(text, "not judged: the judge declined to answer."));
  EXPECT_TRUE(
      page_holds(text, "not judged: the reply holds no answer of the form that was asked for. the reply is no JSON"));
  EXPECT_TRUE(page_holds(text, "<span class=\"where\" dir=\"auto\">History » Early \\ years</span>"));
  EXPECT_LT(text.find("teawiki-5-0"), text.find("teawiki-1-0")) << "the most probable evidence first";
}

TEST_F(ReportPage, TheIndexLeadsToEachTopicOnce) {
  const auto first = write();
  for (const auto* topic : {"t1", "t2", "t3"}) {
    EXPECT_EQ(count_of(first, std::string("<a href=\"report/topics-1.html#") + topic + "\""), 1U);
    EXPECT_EQ(count_of(page("topics-1.html"), std::string("<article class=\"topic-page\" id=\"") + topic + "\""), 1U);
  }
  EXPECT_EQ(numbers_.topics, 3U);
  EXPECT_EQ(numbers_.lists, 2U);
  EXPECT_EQ(numbers_.files, 3U);
}

TEST_F(ReportPage, TheSearchKnowsTopicsListsAndMembers) {
  const auto data = parse_json(embedded_json(write()));
  EXPECT_EQ(data.at("folder"), "report/");
  const auto& list = data.at("lists").at(0);
  EXPECT_EQ(list.at(0), "List of \"teas\"");
  const auto& topic = list.at(1).at(0);
  EXPECT_EQ(topic.at(1), "</script><b>Green » Name");
  EXPECT_EQ(topic.at(2), "topics-1.html#t1");
  EXPECT_EQ(topic.at(3), 2);
  EXPECT_EQ(topic.at(4), 3);
  EXPECT_EQ(topic.at(5), "t1");
  EXPECT_EQ(topic.at(6), "Page 1 First tea شاي Page 2");
  ReportLimits limits;
  limits.max_searched_member_bytes = 5;
  const auto page = write("c", limits);
  EXPECT_EQ(parse_json(embedded_json(page)).at("lists").at(0).at(1).at(0).size(), 6U);
  EXPECT_TRUE(page_holds(page, "placeholder=\"query, list, column, id\""));
}

TEST_F(ReportPage, AllThatWasLeftOutIsListedByReason) {
  const auto first = write();
  EXPECT_TRUE(page_holds(first, "<a href=\"report/left-out-1.html#r1\"><bdi>empty cell</bdi></a>"));
  const auto text = page("left-out-1.html");
  EXPECT_TRUE(page_holds(text, "id=\"r2\" dir=\"auto\">too few members"));
  EXPECT_TRUE(page_holds(text, "<td dir=\"auto\">2 of 3</td>"));
  EXPECT_TRUE(page_holds(text, "<td dir=\"auto\">row 4</td>"));
}

TEST_F(ReportPage, IsTheSameEveryTime) {
  const auto first = write();
  const auto topics = page("topics-1.html");
  EXPECT_EQ(write(), first);
  EXPECT_EQ(page("topics-1.html"), topics);
}

TEST_F(ReportPage, PagesAreSmallAndStaleOnesVanish) {
  ReportLimits limits;
  limits.max_file_bytes = 1;
  limits.max_listed_topics = 2;
  const auto first = write("c", limits);
  EXPECT_EQ(names(), (std::set<std::string>{"topics-1.html", "topics-2.html", "topics-3.html", "lists-1.html",
                                            "lists-2.html", "left-out-1.html", "left-out-2.html"}));
  EXPECT_TRUE(page_holds(first, "<a href=\"report/lists-1.html#letter-1\">#</a>"));
  EXPECT_TRUE(page_holds(first, "<a href=\"report/lists-2.html#letter-2\">T</a>"));
  EXPECT_TRUE(page_holds(page("lists-2.html"), "<a href=\"topics-3.html#t3\""));
  EXPECT_TRUE(page_holds(page("topics-2.html"), "href=\"topics-1.html\" rel=\"prev\""));
  EXPECT_TRUE(page_holds(page("topics-2.html"), "href=\"topics-3.html\" rel=\"next\""));
  EXPECT_TRUE(page_holds(page("topics-3.html"), "<small>continued</small>"));
  EXPECT_TRUE(page_holds(page("topics-3.html"), "Topics 3 to 3 of 3"));
  write();
  EXPECT_EQ(names(), (std::set<std::string>{"topics-1.html", "left-out-1.html"}));
}

TEST_F(ReportPage, AnIndexPageThatBeginsAmidALetterSaysSo) {
  CollectionWriter writer(folder_ / "letters", sample_info());
  for (const auto* list : {"Teas", "Tins", "Urns"}) {
    auto topic = sample_topic(list);
    topic.page = list;
    writer.add(topic);
  }
  writer.finish();
  ReportLimits limits;
  limits.max_file_bytes = 1;
  limits.max_listed_topics = 0;
  EXPECT_EQ(count_of(write("letters", limits), "#letter-"), 2U);
  EXPECT_TRUE(page_holds(page("lists-1.html"), "<h3 class=\"letter\" id=\"letter-1\">T</h3>"));
  EXPECT_TRUE(page_holds(page("lists-2.html"), "<h3 class=\"letter\">T <small>continued</small></h3>"));
  EXPECT_TRUE(page_holds(page("lists-3.html"), "<h3 class=\"letter\" id=\"letter-2\">U</h3>"));
}

TEST_F(ReportPage, AFolderOfSomeoneElseStays) {
  write();
  write_text(folder_ / "report/my-notes.txt", "mine");
  EXPECT_THROW(write(), StorageError);
  EXPECT_EQ(page("my-notes.txt"), "mine");
}

TEST_F(ReportPage, ATopicKeepsItsShareAndSaysWhatIsMissing) {
  CollectionWriter writer(folder_ / "many", sample_info());
  writer.add(sample_topic("t"));
  const auto title = [](std::uint64_t i) { return "Page " + std::to_string(1000 + i); };
  for (std::uint64_t i = 1; i <= 400; ++i) {
    writer.add(MemberRecord{"t", title(i), i, "", {}, 1, 1});
    writer.add(sample_passage(i, "A tea."));
  }
  for (std::uint64_t i = 1; i <= 400; ++i) {
    std::set<std::string> docids{"teawiki-" + std::to_string(i) + "-0"};
    if (i <= 10) docids.insert("teawiki-400-0");
    for (const auto& docid : docids) {
      auto judgment = sample_judgment("t", i, docid);
      judgment.member = title(i);
      writer.add(judgment);
    }
  }
  writer.finish();
  ReportLimits limits;
  limits.max_topics_bytes = 1;
  limits.min_topic_bytes = 20000;
  write("many", limits);
  const auto text = page("topics-1.html");
  EXPECT_LT(text.size() - text.find("<article"), 22000U);
  EXPECT_TRUE(page_holds(text, " more members; members.jsonl has all."));
  EXPECT_TRUE(page_holds(text, " more passages; evidence.jsonl has all."));
  EXPECT_TRUE(page_holds(text, "Evidence (400)"));
  write("many");
  EXPECT_EQ(count_of(page("topics-1.html"), "<article class=\"passage\""), 250U);
  EXPECT_TRUE(page_holds(page("topics-1.html"), "Not shown here: 150 more passages; evidence.jsonl has all."));
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
  write("long", limits);
  EXPECT_TRUE(page_holds(page("topics-1.html"), "<p class=\"text\" dir=\"auto\">… "));
  EXPECT_TRUE(page_holds(page("topics-1.html"), "<mark title=\"link to Page 1\">Page 1</mark> comes late."));
  EXPECT_TRUE(page_holds(page("topics-1.html"), " …</p>"));
  EXPECT_LT(page("topics-1.html").find("comes late"), page("topics-1.html").find("…</p>"));
}

TEST_F(ReportPage, ShowsHowManyLabelsTheirOwnLogProbabilitiesContradict) {
  constexpr std::string_view kJudging = R"({"name":"m","grades":{"0":1200,"1":800},"states":{"judged":2000},"judges":[
    {"judge":"m","asked":true,"questions":2000,"replies":2000,"attempts":2001,"states":{"judged":2000},
     "grades":{"0":1200,"1":800},"with_probability":1999,"contradicted":1234,"quotes":0,"quotes_not_found":0,
     "tokens":{"prompt":9,"cached":0,"reply":9},"cost_dollars":0.0,"priced":false,
     "latency_ms":{"p50":1.0,"p90":1.0,"p99":1.0}}]})";
  EXPECT_TRUE(
      page_holds(write("c", {}, kJudging),
                 "<th scope=\"row\">labels against their own log-probabilities</th><td class=\"n\">1,234</td>"));
}

TEST_F(ReportPage, AnAddressThatIsNoWebPageMakesNoLinks) {
  CollectionInfo info = sample_info();
  info.base_url = "javascript:alert(1)//wiki/Main";
  write_sample(folder_ / "d", info);
  write("d");
  EXPECT_FALSE(page_holds(page("topics-1.html"), "href=\"javascript"));
  EXPECT_TRUE(page_holds(page("topics-1.html"), "<span class=\"title\"><span dir=\"auto\">Page 5</span></span>"));
}

TEST_F(ReportPage, AnEmptyCollectionHasAPageToo) {
  CollectionWriter(folder_ / "none", sample_info()).finish();
  EXPECT_TRUE(page_holds(write("none"), "The collection has no topics"));
  EXPECT_TRUE(names().empty());
}

TEST_F(ReportPage, DamagedFilesAreNamedWithTheirLines) {
  const auto message_after = [&](const char* file, const std::string& text) {
    write_sample(folder_ / "c");
    write_text(folder_ / "c" / file, text);
    try {
      write();
    } catch (const FormatError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_TRUE(page_holds(message_after("members.jsonl", "{}\n"), "members.jsonl:1: has no field \"topic\""));
  EXPECT_TRUE(page_holds(message_after("corpus.jsonl.gz", "{}\n"), "corpus.jsonl.gz:1: "));
  EXPECT_TRUE(page_holds(message_after("judgments.jsonl.gz", "[]\n"), "judgments.jsonl.gz:1: "));
  EXPECT_TRUE(page_holds(message_after("discarded.tsv", "head\nx\n"), "discarded.tsv:2: "));
  const auto queries = testing::read_lines(folder_ / "c/queries.jsonl").front() + "\n";
  EXPECT_TRUE(
      page_holds(message_after("queries.jsonl", queries + queries), "queries.jsonl:2: has topic t1 a second time"));
}

TEST_F(ReportPage, JudgmentsOfPassagesThatTheCorpusLacksAreShownWithoutText) {
  write_text(folder_ / "c/corpus.jsonl.gz", "");
  write();
  EXPECT_TRUE(page_holds(page("topics-1.html"), "corpus.jsonl.gz does not have this passage."));
  EXPECT_TRUE(page_holds(page("topics-1.html"), "<code class=\"where\">teawiki-5-0</code>"));
}

TEST(ReportVerdicts, SayWhatWasJudgedInWords) {
  JudgmentRecord judgment = sample_judgment("t", 1, "d");
  EXPECT_EQ(internal::verdict_text(judgment, 1), "evidence");
  EXPECT_EQ(internal::verdict_text(judgment, 2), "no evidence, grade 1");
  for (const auto& [state, name] : kJudgmentStates) {
    if (state == JudgmentState::kJudged) continue;
    judgment.grade.reset();
    judgment.state = state;
    EXPECT_TRUE(internal::verdict_text(judgment, 1).starts_with("not judged: ")) << name;
  }
}

std::vector<internal::ReportTopic> topics_of(const std::vector<std::string>& pages) {
  std::vector<internal::ReportTopic> topics;
  for (const auto& page : pages) {
    topics.emplace_back().topic = sample_topic("t" + std::to_string(topics.size()));
    topics.back().topic.page = page;
  }
  return topics;
}

TEST(ReportLists, AreSortedByWhatTellsThemApart) {
  auto topics =
      topics_of({"List of teas", "Rulers", "List of Birds", "List of teas", "List of 7 seas", "list of ants", "!Kung"});
  std::string order;
  for (const auto& list : internal::order_by_list(topics))
    order += list.letter + ":" + list.title + "/" + std::to_string(list.count) + " ";
  EXPECT_EQ(order, "#:!Kung/1 0–9:List of 7 seas/1 A:list of ants/1 B:List of Birds/1 R:Rulers/1 T:List of teas/2 ");
  EXPECT_EQ(topics.back().topic.page, "List of teas");
}

TEST(ReportLists, BeginningsThatMostTitlesShareAreFoundInAnyLanguage) {
  EXPECT_EQ(internal::common_beginnings({"Список рек", "Список гор", "Liste"}), (std::vector<std::string>{"список "}));
  EXPECT_EQ(internal::common_beginnings({"List of teas", "List of ants"}),
            (std::vector<std::string>{"list ", "list of "}));
  EXPECT_TRUE(internal::common_beginnings({"List of teas"}).empty());
  EXPECT_TRUE(internal::common_beginnings({"Teas", "Ants", ""}).empty());
}

TEST(ReportCharts, HistogramsHaveOneTooltipPerBin) {
  const std::string svg = internal::evidence_histogram({0, 1, 1, 7}).markup();
  EXPECT_TRUE(page_holds(svg, "<title>1 evidence passages: 2 topics</title>"));
  EXPECT_TRUE(page_holds(svg, "<title>7 evidence passages: 1 topics</title>"));
}

}  // namespace
}  // namespace touchstone::collection::evidence::report
