#include "pipeline/corpus/docids.hpp"

#include "common/error.hpp"

#include <gtest/gtest.h>

namespace touchstone::pipeline::corpus {
namespace {

TEST(Docids, TheWikisNameFallsBackFromOptionToDatabaseToSiteName) {
  extractors::site::SiteInfo site;
  EXPECT_EQ(wiki_name({}, site), "wiki");
  site.site_name = "My Wiki!";
  EXPECT_EQ(wiki_name({}, site), "MyWiki");
  site.db_name = "my-db/1";
  EXPECT_EQ(wiki_name({}, site), "mydb1");
  EXPECT_EQ(wiki_name({"chosen"}, site), "chosen");
}

TEST(Docids, APageIsReadBackFromItsDocids) {
  EXPECT_EQ(page_of_docid(make_docid("enwiki", PageId{42}, 3)), PageId{42});
  EXPECT_EQ(page_of_docid(make_docid("a-wiki-with-dashes", PageId{7}, 0)), PageId{7});
  for (const char* text : {"", "-", "42", "enwiki-42", "enwiki--3", "enwiki-x-3", "enwiki-99999999999-3"}) {
    EXPECT_THROW(page_of_docid(text), FormatError) << text;
  }
}

}  // namespace
}  // namespace touchstone::pipeline::corpus
