#include "common/error.hpp"
#include "pipeline/corpus/stages.hpp"
#include "pipeline/corpus/title_index.hpp"
#include "storage/keys.hpp"
#include "storage/link_graph.hpp"
#include "storage/records.hpp"
#include "tests/support/stage_fixture.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace touchstone::pipeline::corpus {
namespace {

using storage::Family;
using testing::simple_page;

/// A dump of a table as mysqldump writes it.
/// \param columns  names with a comma between them
std::string sql_dump(const std::string& table, const std::string& columns, const std::string& rows,
                     const std::string& database = "") {
  std::string text = "-- MySQL dump 10.19\n-- Host: db    Database: " + database + "\nCREATE TABLE `" + table + "` (\n";
  std::string name;
  for (const char c : columns + ",") {
    if (c != ',') {
      name += c;
      continue;
    }
    text += "  `" + name + "` blob,\n";
    name.clear();
  }
  text += "  PRIMARY KEY (`x`)\n) ENGINE=InnoDB;\n";
  if (!rows.empty()) text += "INSERT INTO `" + table + "` VALUES " + rows + ";\n";
  return text + "-- Dump completed\n";
}

class LinkStageSql : public testing::StageFixture {
 protected:
  std::vector<std::string> more_assignments;

  /// A links to B in its first paragraph, and names C in a template that is not read; D redirects to B.
  flow::StageReport link(const std::vector<std::pair<std::string, std::string>>& tables) {
    write_file_atomically(
        folder / "d.xml",
        testing::dump_xml(simple_page(1, "A", "See [[B]] and [[E f]].") +
                          simple_page(2, "B", "text [[Category:In text]]") + simple_page(3, "C", "text") +
                          simple_page(4, "D", "#REDIRECT [[B]]", "B") + simple_page(5, "E f", "[[A]]") +
                          testing::page_xml(6, "Category:Stubs", testing::revision_xml(1006, "text"), {}, 14)));
    run(ingest_stage(), {{folder / "d.xml", "dump"}});
    std::string list;
    for (const auto& [name, text] : tables) {
      write_file_atomically(folder / name, text);
      list += (list.empty() ? "" : ",") + (folder / name).string();
    }
    assignments = {"link.sql_dumps=" + list};
    assignments.insert(assignments.end(), more_assignments.begin(), more_assignments.end());
    return run(link_stage());
  }
  std::string message_of(const std::vector<std::pair<std::string, std::string>>& tables) {
    try {
      link(tables);
    } catch (const FormatError& error) {
      return error.what();
    }
    return "";
  }
  std::vector<storage::LinkGraph::Source> backlinks(std::uint32_t page) const {
    return storage::LinkGraph(*store).sources_with_places(PageId{page});
  }
};

using Sources = std::vector<storage::LinkGraph::Source>;

TEST_F(LinkStageSql, BacklinksAreThoseOfPagelinksWithThePlacesOfTheText) {
  const auto report =
      link({{"pl.sql", sql_dump("pagelinks", "pl_from,pl_namespace,pl_title",
                                "(1,0,'B'),(1,0,'C'),(5,0,'D'),(9,0,'B'),(5,0,'Nowhere'),(1,0,'E_f')")}});
  EXPECT_EQ(backlinks(2), (Sources{{PageId{1}, {1}}, {PageId{5}, {0}}}));  // 5 by way of the redirect D
  EXPECT_EQ(backlinks(3), (Sources{{PageId{1}, {0}}}));
  EXPECT_EQ(backlinks(5), (Sources{{PageId{1}, {1}}}));
  EXPECT_TRUE(backlinks(1).empty());
  EXPECT_EQ(report.counts.at("rows of pagelinks"), 6U);
  EXPECT_EQ(report.counts.at("rows of pagelinks from pages that were not read"), 1U);
  EXPECT_EQ(report.counts.at("links that only pagelinks has"), 2U);
  EXPECT_EQ(report.counts.at("links that only the text has (left out)"), 2U);  // E f to A, D to B
}

TEST_F(LinkStageSql, NumbersGiveTheSameBacklinksAsTitles) {
  link({{"pl.sql", sql_dump("pagelinks", "pl_from,pl_namespace,pl_title", "(1,0,'B'),(1,0,'C'),(5,0,'D')")}});
  const auto by_title = pairs(Family::kBacklinkList), places = pairs(Family::kBacklinkPlace);
  const auto sources = pairs(Family::kBacklinkSource);
  store->clear(std::vector{Family::kBacklinkSource, Family::kBacklinkList, Family::kBacklinkPlace, Family::kAlias,
                           Family::kLinkTarget});
  const auto report =
      link({{"pl.sql", sql_dump("pagelinks", "pl_from,pl_target_id", "(1,70),(1,80),(5,5000000000),(5,6)")},
            {"lt.sql", sql_dump("linktarget", "lt_id,lt_namespace,lt_title",
                                "(80,0,'C'),(70,0,'B'),(5000000000,0,'D'),(90,0,'Nowhere')")}});
  EXPECT_EQ(backlinks(2).size(), 2U);
  EXPECT_EQ(pairs(Family::kBacklinkList), by_title);
  EXPECT_EQ(pairs(Family::kBacklinkPlace), places);
  EXPECT_EQ(pairs(Family::kBacklinkSource), sources);
  EXPECT_EQ(report.rejected.at("rows of pagelinks whose target is not in linktarget"), 1U);
}

TEST_F(LinkStageSql, TheRedirectTableSaysWhereRedirectsLead) {
  link({{"rd.sql", sql_dump("redirect", "rd_from,rd_namespace,rd_title,rd_interwiki,rd_fragment",
                            "(4,0,'C','','Part'),(1,0,'B','',NULL)")}});
  const auto aliases = storage::decode_aliases(get(Family::kAlias, storage::page_key(PageId{3}))).aliases;
  EXPECT_EQ(aliases, (std::vector<storage::AliasRecord::Alias>{{PageId{4}, true}}));
}

TEST_F(LinkStageSql, PagePropsGiveTheItemsOfPages) {
  const auto report = link({{"pp.sql", sql_dump("page_props", "pp_page,pp_propname,pp_value",
                                                "(2,'wikibase_item','Q42'),(1,'wikibase_item','Q7'),(1,'toc',''),"
                                                "(99,'wikibase_item','Q1'),(3,'wikibase_item','P31')")}});
  EXPECT_EQ(storage::decode_entity(get(Family::kEntity, storage::page_key(PageId{2}))).qid(), "Q42");
  EXPECT_EQ(pairs(Family::kEntity).size(), 2U);
  EXPECT_EQ(report.counts.at("pages with a Wikidata item"), 2U);
  EXPECT_EQ(report.rejected.at("rows of page_props whose Wikidata item is not written as Q and a number"), 1U);
}

TEST_F(LinkStageSql, NumbersThatLieTooFarApartAreRefused) {
  const auto said = message_of(
      {{"pl.sql", sql_dump("pagelinks", "pl_from,pl_target_id", "(1,70)")},
       {"lt.sql", sql_dump("linktarget", "lt_id,lt_namespace,lt_title", "(1,0,'B'),(18446744073709551615,0,'C')")}});
  EXPECT_NE(said.find("lt.sql: row 2: with the number 18446744073709551615"), std::string::npos) << said;
}

TEST_F(LinkStageSql, CategorylinksGiveTheCategoriesThatTheTextDoesNot) {
  const std::pair<std::string, std::string> hidden = {
      "pp.sql", sql_dump("page_props", "pp_page,pp_propname,pp_value", "(6,'hiddencat','')")};
  const auto report =
      link({hidden,
            {"cl.sql", sql_dump("categorylinks", "cl_from,cl_to,cl_sortkey",
                                "(2,'Old_towns','X'),(2,'In_text',''),(2,'Stubs',''),(77,'Towns','')")}});
  const auto record = [&](std::uint32_t page) { return get(Family::kSqlPage, storage::page_key(PageId{page})); };
  EXPECT_EQ(storage::decode_sql_page(record(2)), (storage::SqlPageRecord{{{14, "Old towns"}}, {}}));
  EXPECT_EQ(TitleIndex(*store).categories(PageId{2}, {{14, "In text"}}),
            (std::vector<Title>{{14, "In text"}, {14, "Old towns"}}));
  EXPECT_TRUE(record(77).empty());
  EXPECT_EQ(report.counts.at("rows of categorylinks"), 4U);
  EXPECT_EQ(report.counts.at("categories that only categorylinks has"), 1U);
  EXPECT_EQ(report.counts.at("rows of categorylinks whose category is hidden"), 1U);

  const auto by_title = pairs(Family::kSqlPage);
  store->clear(std::vector{Family::kBacklinkSource, Family::kBacklinkList, Family::kBacklinkPlace, Family::kAlias,
                           Family::kLinkTarget, Family::kEntity, Family::kSqlPage});
  const auto by_number =
      link({hidden,
            {"cl.sql", sql_dump("categorylinks", "cl_from,cl_target_id", "(2,8),(2,7),(2,6),(77,9),(2,5),(2,4)")},
            {"lt.sql", sql_dump("linktarget", "lt_id,lt_namespace,lt_title",
                                "(9,14,'Towns'),(8,14,'Old_towns'),(7,14,'In_text'),(6,14,'Stubs'),(5,0,'B')")}});
  EXPECT_EQ(pairs(Family::kSqlPage), by_title);
  EXPECT_EQ(by_number.counts.at("rows of categorylinks whose category is not in linktarget"), 2U);
}

TEST_F(LinkStageSql, LanglinksGiveTitlesInOtherLanguagesAsNames) {
  const std::pair<std::string, std::string> table = {
      "ll.sql", sql_dump("langlinks", "ll_from,ll_lang,ll_title",
                         "(2,'fr','Le_B'),(2,'de','B'),(2,'de','Das B'),(2,'ja',''),(99,'de','Nichts')")};
  const auto report = link({table});
  EXPECT_EQ(TitleIndex(*store).other_names(PageId{2}), (std::vector<std::string>{"Das B", "Le B"}));
  EXPECT_EQ(pairs(Family::kSqlPage).size(), 1U);
  EXPECT_EQ(report.counts.at("rows of langlinks"), 5U);
  EXPECT_EQ(report.counts.at("names from other languages"), 2U);
  store->clear(std::vector{Family::kBacklinkSource, Family::kBacklinkList, Family::kBacklinkPlace, Family::kAlias,
                           Family::kLinkTarget, Family::kSqlPage});
  more_assignments = {"link.title_languages=[\"fr\"]"};
  link({table});
  EXPECT_EQ(TitleIndex(*store).other_names(PageId{2}), (std::vector<std::string>{"Le B"}));
}

TEST_F(LinkStageSql, TheTablePageTellsWhetherTheDumpIsWhole) {
  const auto report = link({{"p.sql", sql_dump("page", "page_id,page_namespace,page_title,page_is_redirect",
                                               "(1,0,'A',0),(2,0,'B',0),(3,0,'C',0),(4,0,'D',1),(5,0,'E_f',0),"
                                               "(8,0,'New',0),(9,3,'Talk',0)")}});
  EXPECT_EQ(report.counts.at("rows of page"), 7U);
  EXPECT_EQ(report.counts.at("pages of the table page that are not in the dump"), 1U);  // nobody asked for talk
  EXPECT_EQ(report.counts.at("pages of the dump that the table page lacks"), 1U);       // the category
  ASSERT_EQ(report.warnings.size(), 1U);
  EXPECT_NE(report.warnings[0].find("lacks 1 of the 6 pages"), std::string::npos) << report.warnings[0];
}

TEST_F(LinkStageSql, TablesThatDoNotGoTogetherAreRefused) {
  const auto categories = sql_dump("categorylinks", "cl_from,cl_target_id", "(1,70)");
  EXPECT_NE(message_of({{"cl.sql", categories}}).find("cl.sql: it gives numbers instead of titles; add the linktarget"),
            std::string::npos);
  const auto numbers = sql_dump("pagelinks", "pl_from,pl_target_id", "(1,70)");
  EXPECT_NE(message_of({{"pl.sql", numbers}}).find("add the linktarget.sql.gz"), std::string::npos);
}

TEST_F(LinkStageSql, TwoFilesOfOneTableAreRefused) {
  const auto table = sql_dump("page_props", "pp_page,pp_propname,pp_value", "");
  EXPECT_NE(message_of({{"a.sql", table}, {"b.sql", table}}).find("both hold the table page_props"), std::string::npos);
}

TEST_F(LinkStageSql, ATableOfAnotherWikiIsRefused) {
  const auto table = sql_dump("page_props", "pp_page,pp_propname,pp_value", "", "otherwiki");
  EXPECT_NE(message_of({{"a.sql", table}}).find("is of the wiki otherwiki"), std::string::npos);
}

}  // namespace
}  // namespace touchstone::pipeline::corpus
