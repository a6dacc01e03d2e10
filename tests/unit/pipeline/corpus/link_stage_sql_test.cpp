#include "common/error.hpp"
#include "pipeline/corpus/stages.hpp"
#include "storage/keys.hpp"
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
  /// A links to B in its first paragraph, and names C in a template that is not read; D redirects to B.
  flow::StageReport link(const std::vector<std::pair<std::string, std::string>>& tables) {
    write_file_atomically(
        folder / "d.xml",
        testing::dump_xml(simple_page(1, "A", "See [[B]] and [[E f]].") + simple_page(2, "B", "text") +
                          simple_page(3, "C", "text") + simple_page(4, "D", "#REDIRECT [[B]]", "B") +
                          simple_page(5, "E f", "[[A]]")));
    run(ingest_stage(), {{folder / "d.xml", "dump"}});
    std::string list;
    for (const auto& [name, text] : tables) {
      write_file_atomically(folder / name, text);
      list += (list.empty() ? "" : ",") + (folder / name).string();
    }
    assignments = {"link.sql_dumps=" + list};
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
  std::vector<storage::BacklinkRecord::Source> backlinks(std::uint32_t page) const {
    const auto bytes = get(Family::kBacklink, storage::page_key(PageId{page}));
    return bytes.empty() ? std::vector<storage::BacklinkRecord::Source>{} : storage::decode_backlinks(bytes).sources;
  }
};

using Sources = std::vector<storage::BacklinkRecord::Source>;

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
  const auto by_title = pairs(Family::kBacklink);
  store->clear(std::vector{Family::kBacklink, Family::kAlias, Family::kLinkTarget});
  const auto report =
      link({{"pl.sql", sql_dump("pagelinks", "pl_from,pl_target_id", "(1,70),(1,80),(5,5000000000),(5,6)")},
            {"lt.sql", sql_dump("linktarget", "lt_id,lt_namespace,lt_title",
                                "(80,0,'C'),(70,0,'B'),(5000000000,0,'D'),(90,0,'Nowhere')")}});
  EXPECT_EQ(by_title.size(), 2U);
  EXPECT_EQ(pairs(Family::kBacklink), by_title);
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

TEST_F(LinkStageSql, TablesThatDoNotGoTogetherAreRefused) {
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
