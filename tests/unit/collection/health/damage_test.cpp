#include "collection/health/damage.hpp"

#include "collection/health/suspicion.hpp"

#include <string>

#include <gtest/gtest.h>

namespace touchstone::collection::health {
namespace {

std::string damage(std::string_view text) {
  const auto found = find_damage(text);
  return found ? std::string(to_string(*found)) : "";
}

TEST(TextDamage, OfWholeTextsIsNone) {
  for (const char* text :
       {"Basil is a light near the coast.", "", "The Island (off the coast) is small; it has a light.",
        "Call main() to start the program, then use the option --help of it.", "It is about 5 km long.",
        "The light -- Basil. It is old.", "They built lights -- and towers", "Is it a light? Was it built in 1900?",
        "At 12:30 the match began, in May 2009.", "iPod is a player.", "Ama Shrine (Q17228423) is old.",
        "Use the library :.NET for it.", "$ 5 were paid, $ 6 and $ 7.", "Wait for it: ...", "It grew by 12.-Euro coins",
        "Set the variable PATH in ~/.bashrc and start the shell again to see the change.",
        "神社は日本の宗教施設である。", "Run this, and wait for it.\nmake && make install\n./start --now; x=1",
        "This releases version 12:30 (UTC offset) of it."}) {
    EXPECT_EQ(damage(text), "") << text;
  }
}

TEST(TextDamage, IsFoundByForm) {
  EXPECT_EQ(damage("a shrine {{of"), "markup");
  for (const char* text : {"is a Shinto shrine in Ise.",
                           "est un train.",
                           "был построен в 1900 году.",
                           ", a writer",
                           "The light ( ) is old.",
                           "Its name \"\" is old.",
                           "Ada (; born 1815) wrote.",
                           "Ada（）は",
                           "It is about km long.",
                           "Inhabitants:.",
                           "Население: , город в России.",
                           "15 July 2019 -",
                           ". Les passagers sont transférés.",
                           "le 3 mai \u2013",
                           "From Q10957775: take the train.",
                           "It is the of the town.",
                           "The area is km² for the town.",
                           "A temple in , Japan.",
                           "とは、神社である。",
                           "位于日本。"}) {
    EXPECT_EQ(damage(text), "lost words") << text;
  }
  EXPECT_EQ(damage("The members are the following:"), "cut before a list");
  EXPECT_EQ(damage("成员如下："), "cut before a list");
  for (const char* text : {"import sys\nfor line in sys.stdin:\n  print(line);\n  x = foo(line);",
                           "$ sudo ./configure --prefix=/usr && make", "root@neo:~# date and time of day",
                           "$OMDIR/openmoko# quilt edit trunk", "$ # no mkdir. $ quilt add foo $ make $ scp foo host",
                           "<config> <entry key=\"a\" /> </config>"}) {
    EXPECT_EQ(damage(text), "code") << text;
  }
  for (const char* text :
       {"I agree with that. Ada (talk) 12:30, 3 May 2009", "Das stimmt. 12:30, 3. Mai 2009 (CEST)",
        "Maybe the other screen is a solution. -- Ada", "I think so -- Ada Lovelace", "How can we check it?-LeadMan",
        "Oui. Ada 3 mai 2009 à 12:30 (CEST)", "2009年5月3日 (日) 12:30 (UTC)"}) {
    EXPECT_EQ(damage(text), "signed comment") << text;
  }
}

TEST(TextDamage, PreformattedTextWithAPathAtTheEndOfALineHasNoProse) {
  EXPECT_FALSE(has_prose("cd $TOOLS/examples/...\n./autogen.sh\nmake\nsudo make install"));
  EXPECT_FALSE(has_prose("$ flash -f image.bin\nERROR: unknown option /s is detected."));
  EXPECT_TRUE(has_prose("Run the first tool before the others.\ncd /tmp\n./run"));
  EXPECT_TRUE(has_prose("先用build_all命令来安装工具，然后再编译内核。\nmake"));
}

TEST(TextDamage, LinksWithoutSentencesAreAList) {
  const std::pair<std::uint32_t, std::uint32_t> links[] = {{0, 5}, {8, 13}, {16, 21}};
  EXPECT_EQ(find_damage("Basil · Ostra · Cliff", links), TextDamage::kLinkList);
  EXPECT_EQ(damage("Embedded: http://lists.example.org/2010 Telephony: http://lists.example.org/2011"), "link list");
  EXPECT_EQ(damage("Read the announcement at http://lists.example.org/2010/fosdem before you come."), "");
  EXPECT_EQ(find_damage("Basil of Ostra, Cliff and the lights near them.", links), std::nullopt);
}

TEST(TextDamage, ALabelInFrontOfLinksMayBeAFact) {
  const std::pair<std::uint32_t, std::uint32_t> links[] = {{16, 21}, {23, 28}};
  EXPECT_EQ(find_damage("Largest cities: Basil, Ostra.", links), std::nullopt);
}

TEST(TextDamage, SeesWhatASearchOfAWikiLists) {
  EXPECT_EQ(damage("Mound ... 12 KB (1,420 words) - 05:28, 20 January"), "link list");
  EXPECT_EQ(damage("The file has 12 KB (a few hundred words)."), "");
}

TEST(TextDamage, IsSuspectedInMoreTextsThanItIsFoundIn) {
  const auto suspected = [](std::string_view text) {
    const auto found = suspect_damage(text);
    return found ? std::string(to_string(*found)) : "";
  };
  for (const char* text : {"== History == It is old.", "It is old. ===See also===", "Take **the bus** there.",
                           "Name || Size || Weight", "! Name !! Size !! Weight", "It is a town. zh:神社",
                           "Files are here: Category:Towns", "History [edit] The town is old."}) {
    EXPECT_EQ(suspected(text), "markup") << text;
    EXPECT_EQ(damage(text), "") << text;
  }
  for (const char* text : {"The tube was made in by a man of and sold for in the", "It was made in by Ida of and sold.",
                           "The shrine is in the town. is a large hall behind it.", "Follow the instructions in the"}) {
    EXPECT_EQ(suspected(text), "lost words") << text;
  }
  for (const char* text : {"import os for i in range(10): print(i)", "for line in open(file): line.strip() print line",
                           "sudo apt-get install foo bar baz"}) {
    EXPECT_EQ(suspected(text), "code") << text;
  }
  EXPECT_EQ(suspected("I think so too. — Jan 13th 2010 on the list"), "signed comment");
  for (const char* text :
       {"v • t • e Eyepieces Wren 6 • Wren 9 • Plover • Curlew", "Previous: Wren 6 Next: Plover 12 Up: Eyepieces",
        "Contents 1 History 2 Geography 2.1 Climate 3 Economy 4 References"}) {
    EXPECT_EQ(suspected(text), "link list") << text;
  }
  for (const char* text :
       {"The firm Basil Inc. is old, approx. is short.", "It was read by and written to by Ida.",
        "It is a hall. 2**3 is eight and 2**4 is sixteen.", "In 1990 it had 2 Halls and 3 Towers.",
        "We came from and went to Ostra. == is a sign.", "1. Ida 2. Basil 3. Ostra 4. Cliff", "a | b | c | d",
        "x == 1 and y == 2", "Import duties were raised for a year", "He died — Jan 1900 was cold", ""}) {
    EXPECT_EQ(suspected(text), "") << text;
  }
}

TEST(TextDamage, TakesTitlesOnOtherWikisForLinks) {
  EXPECT_EQ(find_damage("commons:Category:Lighthouses of Ostrand"), TextDamage::kLinkList);
  EXPECT_EQ(find_damage("note:Keep this: the light is white."), std::nullopt);
}

}  // namespace
}  // namespace touchstone::collection::health
