#include "common/error.hpp"
#include "pipeline/corpus/stages.hpp"
#include "pipeline/corpus/title_index.hpp"
#include "storage/keys.hpp"
#include "storage/records.hpp"
#include "tests/support/stage_fixture.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

namespace touchstone::pipeline::corpus {
namespace {

using storage::Family;
using testing::simple_page;

/// `{"id":"Q..","labels":..,"claims":..,"sitelinks":..}` and a line end.
std::string item_line(std::uint64_t item, std::string_view title, std::string_view more = "") {
  return "{\"id\":\"Q" + std::to_string(item) + "\"" + std::string(more) +
         ",\"sitelinks\":{\"tinywiki\":{\"title\":\"" + std::string(title) + "\"}}}\n";
}

std::string claim(std::string_view property, std::string_view item) {
  return "\"" + std::string(property) +
         "\":[{\"rank\":\"normal\",\"mainsnak\":{\"snaktype\":\"value\",\"datavalue\":{\"type\":\"wikibase-entityid\","
         "\"value\":{\"id\":\"" +
         std::string(item) + "\"}}}}]";
}

class LinkStageWikidata : public testing::StageFixture {
 protected:
  /// B redirects to A.
  flow::StageReport link(const std::string& lines, const std::vector<std::string>& more = {}) {
    write_file_atomically(folder / "d.xml",
                          testing::dump_xml(simple_page(1, "A", "See [[C]].") +
                                            simple_page(2, "B", "#REDIRECT [[A]]", "A") + simple_page(3, "C", "text")));
    run(ingest_stage(), {{folder / "d.xml", "dump"}});
    write_file_atomically(folder / "w.json", lines);
    assignments = more;
    assignments.push_back("link.wikidata=" + (folder / "w.json").string());
    if (more.empty()) assignments.emplace_back("link.wikidata_site=tinywiki");
    return run(link_stage());
  }
  std::optional<storage::EntityRecord> item(std::uint32_t page) const { return TitleIndex(*store).item(PageId{page}); }
};

TEST_F(LinkStageWikidata, SitelinksGivePagesTheirItems) {
  const auto report =
      link(item_line(7, "A",
                     R"(,"labels":{"en":{"value":"Amber"},"de":{"value":"Bernstein"},"mul":{"value":"AMBER"}},)"
                     R"("aliases":{"en":[{"value":"Old Amber"},{"value":"Amber"},{"value":"Old Amber"}]},)"
                     R"("claims":{)" +
                         claim("P31", "Q9") + "}") +
           item_line(8, "c") + item_line(9, "Nowhere", ",\"claims\":{" + claim("P279", "Q5") + "}"));
  ASSERT_TRUE(item(1));
  EXPECT_EQ(item(1)->qid(), "Q7");
  EXPECT_EQ(*item(1)->facts, (storage::ItemFacts{{"Amber", "AMBER"}, {"Old Amber"}, {9}}));
  EXPECT_EQ(TitleIndex(*store).other_names(PageId{1}), (std::vector<std::string>{"Amber", "AMBER", "Old Amber"}));
  EXPECT_EQ(TitleIndex(*store).qid(PageId{3}), "Q8");  // titles begin with a capital
  EXPECT_EQ(TitleIndex(*store).qid(PageId{2}), "");
  ASSERT_EQ(pairs(Family::kClass).size(), 1U);
  EXPECT_EQ(storage::decode_class(get(Family::kClass, storage::item_key(9))), (storage::ClassRecord{"", {5}}));
  EXPECT_EQ(report.counts.at("entities of Wikidata"), 3U);
  EXPECT_EQ(report.counts.at("pages with a Wikidata item"), 2U);
  EXPECT_EQ(report.counts.at("sitelinks of Wikidata to pages that are not in the dump"), 1U);
}

TEST_F(LinkStageWikidata, ASitelinkToARedirectLeadsToItsTargetUnlessThatHasItsOwn) {
  link(item_line(7, "B"));
  EXPECT_EQ(item(1)->qid(), "Q7");
  store->clear(std::vector{Family::kEntity, Family::kClass, Family::kBacklinkSource, Family::kBacklinkList,
                           Family::kBacklinkPlace, Family::kAlias, Family::kLinkTarget});
  write_file_atomically(folder / "w.json", item_line(7, "B") + item_line(12, "A") + item_line(11, "A"));
  run(link_stage());
  EXPECT_EQ(item(1)->qid(), "Q11");
}

TEST_F(LinkStageWikidata, PagePropsNamesTheItemAndWikidataTheFacts) {
  write_file_atomically(folder / "pp.sql",
                        "-- MySQL dump 10.19\nCREATE TABLE `page_props` (\n  `pp_page` int,\n  `pp_propname` blob,\n  "
                        "`pp_value` blob,\n  PRIMARY KEY (`x`)\n) ENGINE=InnoDB;\nINSERT INTO `page_props` VALUES "
                        "(1,'wikibase_item','Q70'),(3,'wikibase_item','Q8');\n-- Dump completed\n");
  const auto report = link(item_line(7, "A", R"(,"labels":{"en":{"value":"Amber"}})"),
                           {"link.wikidata_site=tinywiki", "link.sql_dumps=" + (folder / "pp.sql").string()});
  EXPECT_EQ(item(1)->qid(), "Q70");
  EXPECT_EQ(item(1)->facts->labels, (std::vector<std::string>{"Amber"}));
  EXPECT_EQ(item(3)->qid(), "Q8");
  EXPECT_EQ(report.counts.at("pages whose item in page_props is not the one of Wikidata's dump"), 1U);
}

TEST_F(LinkStageWikidata, TheLanguagesAreThoseAskedForInTheirOrder) {
  link(item_line(7, "A", R"(,"labels":{"en":{"value":"Amber"},"sv":{"value":"Rav"},"de":{"value":"Bernstein"}})"),
       {"link.wikidata_site=tinywiki", "link.wikidata_languages=de,en"});
  EXPECT_EQ(item(1)->facts->labels, (std::vector<std::string>{"Bernstein", "Amber"}));
}

TEST_F(LinkStageWikidata, BadLinesAreCountedWithTheirPlace) {
  const auto report = link(item_line(7, "A") + "oops\n");
  const std::string reason = "lines of Wikidata's dump that are not an entity";
  EXPECT_EQ(report.rejected.at(reason), 1U);
  EXPECT_TRUE(report.samples.at(reason).front().starts_with("w.json at byte "));
}

TEST_F(LinkStageWikidata, AFileWithoutAnEntityEndsTheRun) {
  EXPECT_THROW(link("[\noops\n]\n"), FormatError);
}

}  // namespace
}  // namespace touchstone::pipeline::corpus
