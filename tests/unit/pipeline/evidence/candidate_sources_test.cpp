#include "common/error.hpp"
#include "common/files.hpp"
#include "pipeline/evidence/evidence_records.hpp"
#include "pipeline/evidence/stages.hpp"
#include "pipeline/flow/work_files.hpp"
#include "pipeline/passages/passage_repeats.hpp"
#include "pipeline/passages/stages.hpp"
#include "tests/support/stage_fixture.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace touchstone::pipeline::evidence {
namespace {

using testing::simple_page;

/// Two members, 1 and 2. Page 4 links to the first in one section and names it in the next; 5 links in a table; 6 names
/// the first by a redirect; 7 names neither.
std::string wiki_of_lights() {
  return simple_page(1, "Amber", "Amber is a light.\n\n== Later ==\nStill lit.") +
         simple_page(2, "Basil (light)", "Basil is a light.") +
         simple_page(3, "Old Amber", "#REDIRECT [[Amber]]", "Amber") +
         simple_page(
             4, "Coast",
             "On the coast is [[Amber]].\n\n== Trade ==\nNo trade there.\n\n== Ships ==\nShips saw Amber there.") +
         simple_page(5, "Table", "The lead says nothing.\n\n{|\n| [[Amber]]\n|}") +
         simple_page(6, "Dune", "Behind it stands Old Amber, as Ambers do; Basil as well.") +
         simple_page(7, "Elder", "Nothing of amber.") + simple_page(8, "Lights", "The lights are Amber and Basil.");
}

class CandidateSources : public testing::StageFixture {
 protected:
  flow::StageReport report;
  CandidateSources() { assignments = {"passages.min_words=0", "passages.max_link_share=1", "passages.scope=all"}; }

  void from(const std::string& sources) { assignments.push_back("candidates.sources=" + sources); }

  /// The candidates of page 1 and 2, in the topic of list page 8: `page-ordinal source spans`.
  std::vector<std::vector<std::string>> candidates(const std::string& wiki = wiki_of_lights()) {
    if (pairs(storage::Family::kPage).empty()) fill_from_dump(wiki);
    Group group;
    group.topic = "t1";
    group.page_id = PageId{8};
    group.members = {{PageId{1}, "Amber", ""}, {PageId{2}, "Basil (light)", ""}};
    GroupFile::write(paths.file(kGroupsFile), {group});
    run(passages::boilerplate_stage());
    run(passages::passages_stage());
    report = run(candidates_stage());
    std::vector<std::vector<std::string>> found;
    CandidateFile::for_each(paths.file(kCandidatesFile), [&](const TopicCandidates& topic) {
      for (const auto& member : topic.members) {
        auto& texts = found.emplace_back();
        for (const auto& passage : member.passages) {
          texts.push_back(std::to_string(passage.page.value) + "-" + std::to_string(passage.ordinal) + " " +
                          std::string(to_string(passage.source)));
          for (const auto& [begin, end] : passage.mentions)
            texts.back() += " " + std::to_string(begin) + ":" + std::to_string(end);
        }
      }
    });
    return found;
  }
};

using Texts = std::vector<std::string>;

TEST_F(CandidateSources, LinksAreTheDefault) {
  const auto found = candidates();
  EXPECT_EQ(found.at(0), (Texts{"1-0 own-article", "1-1 own-article", "4-0 link 16:21"}));
  EXPECT_EQ(found.at(1), Texts{"2-0 own-article"});
  EXPECT_FALSE(report.counts.contains("candidates from source link"));
}

TEST_F(CandidateSources, PagesGiveAllPassagesOfAPageThatLinksAnywhere) {
  from("[\"page\"]");
  const auto found = candidates();
  EXPECT_EQ(found.at(0),
            (Texts{"1-0 own-article", "1-1 own-article", "4-0 link 16:21", "4-1 page", "4-2 page", "5-0 page"}));
  EXPECT_EQ(found.at(1), Texts{"2-0 own-article"});
  EXPECT_EQ(report.counts.at("candidates from source page"), 3U);
  EXPECT_EQ(report.counts.at("candidates from source link"), 1U);
}

TEST_F(CandidateSources, MentionsAreNamesWithoutALink) {
  from("[\"mention\"]");
  const auto found = candidates();
  EXPECT_EQ(found.at(0), (Texts{"1-0 own-article", "1-1 own-article", "4-2 mention 10:15", "6-0 mention 17:26"}));
  EXPECT_EQ(found.at(1), (Texts{"2-0 own-article", "6-0 mention 42:47"}));
  EXPECT_EQ(report.counts.at("candidates left out on their list page"), 2U);
  EXPECT_EQ(report.counts.at("names of members searched for"), 4U);
}

TEST_F(CandidateSources, OneThatSeveralFindHasTheStrongest) {
  from("[\"page\",\"mention\",\"link\"]");
  EXPECT_EQ(candidates().at(0), (Texts{"1-0 own-article", "1-1 own-article", "4-0 link 16:21", "4-1 page",
                                       "4-2 mention 10:15", "5-0 page", "6-0 mention 17:26"}));
}

TEST_F(CandidateSources, WithoutOwnArticlesTheyStayOut) {
  from("[\"link\",\"page\",\"mention\"]");
  assignments.push_back("candidates.own_article=false");
  const auto found = candidates();
  EXPECT_EQ(found.at(0), (Texts{"4-0 link 16:21", "4-1 page", "4-2 mention 10:15", "5-0 page", "6-0 mention 17:26"}));
  EXPECT_EQ(found.at(1), Texts{"6-0 mention 42:47"});
}

TEST_F(CandidateSources, WhatIsAddedIsLimitedAndTheCutIsCounted) {
  from("[\"link\",\"page\",\"mention\"]");
  assignments.push_back("candidates.max_added_per_member=2");
  EXPECT_EQ(candidates().at(0),
            (Texts{"1-0 own-article", "1-1 own-article", "4-0 link 16:21", "4-2 mention 10:15", "6-0 mention 17:26"}));
  EXPECT_EQ(report.counts.at("candidates beyond candidates.max_added_per_member"), 2U);
  assignments.push_back("candidates.max_added_per_topic=2");
  const auto found = candidates();
  EXPECT_EQ(found.at(0), (Texts{"1-0 own-article", "1-1 own-article", "4-0 link 16:21", "4-2 mention 10:15"}));
  EXPECT_EQ(found.at(1), (Texts{"2-0 own-article", "6-0 mention 42:47"}));
  EXPECT_EQ(report.counts.at("candidates beyond candidates.max_added_per_topic"), 1U);
}

TEST_F(CandidateSources, ARepeatInTheOwnArticleIsFromThere) {
  const std::string text = "The light was lit each evening by keepers who came from the harbour and went home late.";
  const auto found = candidates(simple_page(1, "Amber", text) + simple_page(2, "Basil (light)", text));
  EXPECT_EQ(found.at(0), Texts{"1-0 own-article"});
  EXPECT_EQ(found.at(1), Texts{"1-0 own-article"});
}

TEST_F(CandidateSources, ANameThatLinksElsewhereUseIsLeftOut) {
  const auto links = [](std::uint32_t page, int to_member, int elsewhere) {
    std::string text = "Old Amber is seen here.";
    for (int i = 0; i < to_member; ++i) text += "\n\n== S ==\nSee [[Amber|Old Amber]] there.";
    for (int i = 0; i < elsewhere; ++i) text += "\n\n== S ==\nSee [[Coast|Old Amber]] and [[Lost|Basil]] there.";
    return simple_page(page, "Page " + std::to_string(page), text);
  };
  const auto members = simple_page(1, "Amber", "Amber is a light.") + simple_page(2, "Basil (light)", "A light.") +
                       simple_page(3, "Old Amber", "#REDIRECT [[Amber]]", "Amber");
  from("[\"mention\"]");
  EXPECT_EQ(candidates(members + links(4, 4, 1)).at(0), (Texts{"1-0 own-article", "4-0 mention 0:9"}));
  EXPECT_EQ(report.counts.at("names left out that are the text of links elsewhere"), 1U);
  open_store(folder / "other");
  EXPECT_EQ(candidates(members + links(4, 2, 1)).at(0), Texts{"1-0 own-article"});
  EXPECT_EQ(report.counts.at("names left out that are the text of links elsewhere"), 2U);
}

TEST_F(CandidateSources, ARepeatBringsTheSourceOfItsPage) {
  const std::string text = "The lights of the outer islands were lit each evening, and keepers came home to Amber.";
  const auto wiki = simple_page(1, "Amber", "Amber is a light.") +
                    simple_page(2, "Basil (light)", "Basil is a light.") + simple_page(3, "Coast", text) +
                    simple_page(4, "Dune", text + "\n\n== More ==\nSee [[Amber]] there.");
  from("[\"page\",\"mention\"]");
  EXPECT_EQ(candidates(wiki).at(0), (Texts{"1-0 own-article", "3-0 mention 80:85", "4-1 link 4:9"}));
  const auto repeats = records::RecordFile<passages::PassageRepeat>::read(paths.file(kRepeatsFile));
  ASSERT_EQ(repeats.size(), 1U);
  EXPECT_EQ(repeats[0].place, (passages::PassagePlace{PageId{4}, 0}));
  EXPECT_EQ(repeats[0].representative, (passages::PassagePlace{PageId{3}, 0}));
  EXPECT_TRUE(repeats[0].exact);
}

TEST_F(CandidateSources, TheFileIsTheSameAtAnyNumberOfThreads) {
  std::string wiki;
  for (std::uint32_t i = 1; i <= 300; ++i) {
    std::string text;
    for (std::uint32_t k = 1; k <= 9; ++k) {
      const auto name = "Light " + std::to_string(i * k % 300 + 1);
      text += (i % 3 == 0 ? "[[" + name + "]]" : name) + " is near.\n\n== S " + std::to_string(k) + " ==\n";
    }
    wiki += simple_page(i, "Light " + std::to_string(i), text + "End.");
  }
  from("[\"link\",\"page\",\"mention\"]");
  assignments.push_back("candidates.max_added_per_member=5");
  threads = 1;
  std::string found;
  for (const auto& member : candidates(wiki)) {
    for (const auto& text : member) found += text + "\n";
  }
  EXPECT_NE(found.find(" mention"), std::string::npos);
  EXPECT_NE(found.find(" page"), std::string::npos);
  const auto one = read_file(paths.file(kCandidatesFile));
  threads = 4;
  candidates();
  EXPECT_EQ(read_file(paths.file(kCandidatesFile)), one);
}

TEST_F(CandidateSources, BadValuesAreRefused) {
  from("[\"anchor\"]");
  EXPECT_THROW(candidates(), ConfigError);
  assignments.back() = "candidates.max_added_per_member=0";
  EXPECT_THROW(candidates(), ConfigError);
}

}  // namespace
}  // namespace touchstone::pipeline::evidence
