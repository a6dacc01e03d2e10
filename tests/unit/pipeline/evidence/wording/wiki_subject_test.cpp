#include "pipeline/evidence/wording/wiki_subject.hpp"

#include <gtest/gtest.h>

namespace touchstone::pipeline::evidence::wording {
namespace {

TEST(WikiSubject, IsTheNameWithoutTheWordsForAWiki) {
  EXPECT_EQ(wiki_subject("Emberfall Wiki"), "Emberfall");
  EXPECT_EQ(wiki_subject("Old School RuneScape Wiki"), "Old School RuneScape");
  EXPECT_EQ(wiki_subject("OpenTTD's Wiki"), "OpenTTD");
  EXPECT_EQ(wiki_subject("Wiki du Valmer"), "Valmer");
  EXPECT_EQ(wiki_subject("Vorlandwiki"), "Vorland");
  EXPECT_EQ(wiki_subject("海山ウィキ"), "海山");
  EXPECT_EQ(wiki_subject("Quillbase Documentation"), "Quillbase");
}

TEST(WikiSubject, EncyclopediasOfEverythingHaveNone) {
  for (const char* name : {"Wikipedia", "Simple English Wikipedia", "Википедия", "Vikipedeja", "Wiki", "W", "",
                           "The wiki of all that is known about the sea"})
    EXPECT_EQ(wiki_subject(name), "") << name;
}

}  // namespace
}  // namespace touchstone::pipeline::evidence::wording
