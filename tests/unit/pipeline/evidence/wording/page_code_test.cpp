#include "pipeline/evidence/wording/page_code.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace touchstone::pipeline::evidence::wording {
namespace {

TEST(PageCode, CodeSentencesAndOtherScriptsAreNoWords) {
  for (const char* text : {"APIReference/Memory", "init.d", "Foo::bar", "get_value", "Template:Box", "How do I start?",
                           "It does not boot. Try again", "{{title}}", "灯台の一覧"})
    EXPECT_NE(why_no_words(text, "en"), "") << text;
  for (const char* text : {"St. John's lights", "List of U.S. lights", "Half-life 2: Episode One", "GTA04", "C++",
                           "AC/DC songs", "OpenMoko distributions", "Ōkunitama"})
    EXPECT_EQ(why_no_words(text, "en"), "") << text;
  EXPECT_EQ(why_no_words("灯台の一覧", "ja"), "");
  EXPECT_EQ(why_no_words("OpenStreetMap", "ru"), "");
}

TEST(PageCode, VersionsFilesAndResidueAreNoWords) {
  EXPECT_EQ(why_no_words("2.0.1", "en"), "it is the number of a version");
  for (const char* text : {"v1.4", "Version 3", "Release 2.x", "Patch 1.2.4"})
    EXPECT_NE(why_no_words(text, "en"), "") << text;
  for (const char* text : {"config.yml options", "sounds.zip", "$1 plugins", "Lights&nbsp;of Ostrand", "''Lights''",
                           "List of lights » Name", "http://w.example lights"})
    EXPECT_NE(why_no_words(text, "en"), "") << text;
  for (const char* text :
       {"1990", "Windows 3.1 games", "Volkswagen", "R&D departments", "Rock & roll songs", "ASP.NET libraries"})
    EXPECT_EQ(why_no_words(text, "en"), "") << text;
}

TEST(PageCode, WordsThatCapitalsJoinHaveParts) {
  using Parts = std::vector<std::string>;
  EXPECT_EQ(parts_of_word("APIReference"), (Parts{"API", "Reference"}));
  EXPECT_EQ(parts_of_word("MemoryManager"), (Parts{"Memory", "Manager"}));
  for (const char* word : {"PDAs", "Memory", "GTA04", "OSM"}) EXPECT_EQ(parts_of_word(word), Parts{word});
}

}  // namespace
}  // namespace touchstone::pipeline::evidence::wording
