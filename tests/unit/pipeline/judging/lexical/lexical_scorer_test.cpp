#include "pipeline/judging/lexical/lexical_scorer.hpp"

#include "common/json_tree.hpp"

#include <map>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace touchstone::pipeline::judging::lexical {
namespace {

using Json = nlohmann::ordered_json;

JudgeRequest request(std::string member, std::string passage) {
  JudgeRequest out;
  out.page = "List of lighthouses of Ostrand";
  out.section_path = {"Great Ostra"};
  out.column = "Name";
  out.member = std::move(member);
  out.passage_title = "Somewhere";
  out.passage_text = std::move(passage);
  return out;
}

class LexicalScoring : public ::testing::Test {
 protected:
  LexicalScorer scorer{"english", {"List of", "Lists of"}, 0.5};
  std::map<std::string, Synonyms> synonyms;  // by phrase

  void SetUp() override {
    synonyms["Great Ostra"].titles = {{"mickl", "ey"}};
    synonyms["lighthouses"].anchors = {{{"pharo"}, 3}, {{"ship"}, 1}, {{"tower"}, 2}};
    count({"a lighthouse of Ostrand", "a ship of Ostrand", "a painter", "a bird on Great Ostra", "a pharos",
           "a tower on the hill", "a hill", "a field", "a tower", "a tower of wood", "the towers", "no tower",
           "tower of power", "tower", "towers", "tower", "towers", "towers or hills", "towers and fields"});
  }

  void count(const std::vector<const char*>& passages) {
    CorpusStatistics statistics;
    LexicalScorer::watch(scorer.list(request("Hook Light", "")), synonyms, statistics);
    text::TermSplitter splitter("english");
    for (const auto* text : passages) statistics.add_passage(splitter.split(text));
    scorer.set_statistics(std::move(statistics));
  }

  ListWords list(const JudgeRequest& about) const {
    auto words = scorer.list(about);
    scorer.refine(words, synonyms);
    return words;
  }
  std::string score(const JudgeRequest& about) const { return scorer.score(list(about), about); }
  Json ask(const JudgeRequest& about) const { return parse_json(score(about)); }
  double feature(const JudgeRequest& about, const char* name) const { return ask(about).at("features").at(name); }
};

TEST_F(LexicalScoring, SaysYesToAPassageThatSaysItAndNoToOneThatDoesNot) {
  EXPECT_EQ(ask(request("Hook Light", "Hook Light is a lighthouse on Great Ostra in Ostrand."))["evidence"], true);
  EXPECT_EQ(ask(request("Hook Light", "The painter Berta Lind lived near Hook Light for a year."))["evidence"], false);
}

TEST_F(LexicalScoring, OfHalfOfWhatTheListSaysItIsUnsure) {
  auto about = request("Hook Light", "Hook Light stands on Great Ostra in Ostrand.");
  about.own_article = about.lead = true;
  EXPECT_EQ(ask(about)["evidence"], nullptr) << "nothing says what it is";
  const auto reply = scorer.read(score(about));
  EXPECT_EQ(reply.state, JudgmentState::kUnsure);
  EXPECT_FALSE(reply.grade);
  EXPECT_TRUE(reply.probability);
}

TEST_F(LexicalScoring, WhatTheWikiCallsTheSameThingSaysItToo) {
  EXPECT_EQ(feature(request("Hook Light", "Hook Light is a pharos."), "head near"), 1);
  EXPECT_EQ(feature(request("Hook Light", "Hook Light is a pharos."), "head distance"), 0.3333);
  EXPECT_EQ(feature(request("Hook Light", "Hook Light stands on Mickle Ey."), "section anywhere"), 1);
}

TEST_F(LexicalScoring, TheTextOfALinkIsNoSynonymIfItMostlyMeansSomethingElse) {
  EXPECT_EQ(feature(request("Hook Light", "Hook Light is a tower."), "head near"), 0);
  EXPECT_EQ(feature(request("Hook Light", "Hook Light is a ship."), "head near"), 0) << "one link is chance";
}

TEST_F(LexicalScoring, WhatIsDeniedIsNotSaid) {
  EXPECT_EQ(feature(request("Hook Light", "Hook Light is not a lighthouse."), "head near"), 0);
  EXPECT_EQ(feature(request("Hook Light", "Hook Light is not a tower but a lighthouse."), "head near"), 1);
  EXPECT_EQ(feature(request("Hook Light", "No other lighthouse is as old as Hook Light."), "head near"), 1);
  EXPECT_EQ(feature(request("Hook Light", "There is no harbour. Hook Light is a lighthouse."), "head near"), 1);
}

TEST_F(LexicalScoring, QuestionsAndConditionsSayNothing) {
  EXPECT_EQ(feature(request("Hook Light", "Is Hook Light a lighthouse? Nobody knows."), "head near"), 0);
  EXPECT_EQ(feature(request("Hook Light", "If Hook Light were a lighthouse, ships would see it."), "head near"), 0);
  EXPECT_EQ(feature(request("Hook Light", "If you come by sea, Hook Light is the first lighthouse."), "head near"), 1);
}

TEST_F(LexicalScoring, ThePageOfTheScopeSpeaksOfTheScope) {
  auto about = request("Hook Light", "The lighthouses here are Old Tom and Hook Light.");
  about.page = "Lighthouses of Ostrand";
  about.section_path.clear();
  EXPECT_EQ(ask(about)["evidence"], nullptr);
  about.passage_title = "Ostrand";
  EXPECT_EQ(ask(about)["evidence"], true);
}

TEST_F(LexicalScoring, CompoundsAndNamesOfWomenHaveTheNounWhereTheLanguageWritesThemInOneWord) {
  scorer = LexicalScorer("german", {"Liste der"}, 0.5);
  synonyms.clear();
  const auto near = [&](const char* page, const char* member, const char* text) {
    auto about = request(member, text);
    about.page = page;
    about.section_path.clear();
    CorpusStatistics statistics;
    LexicalScorer::watch(scorer.list(about), synonyms, statistics);
    text::TermSplitter splitter("german");
    for (const auto* other : {"eine Bank", "eine Kirche", "ein Haus"}) statistics.add_passage(splitter.split(other));
    scorer.set_statistics(std::move(statistics));
    return feature(about, "head near");
  };
  EXPECT_EQ(near("Liste der Mühlen", "Obermühle", "Die Obermühle ist eine Wassermühle."), 1);
  EXPECT_EQ(near("Liste der Bürgermeister", "Marianne Vogt", "Marianne Vogt ist Bürgermeisterin."), 1);
  EXPECT_EQ(near("Liste der Mühlen", "Obermühle", "Die Obermühle ist ein Haus am Mühlbach."), 0);
}

TEST_F(LexicalScoring, APassageThatDoesNotNameTheMemberSaysNothingNearIt) {
  EXPECT_EQ(feature(request("Hook Light", "A lighthouse stands on the hill."), "head near"), 0);
}

TEST_F(LexicalScoring, ASentenceThatBeginsWithThePagesTitleSpeaksOfThatPage) {
  auto about = request("Hook Light", "Tolmouth is a disused lighthouse of stone and iron, a mile from Hook Light.");
  about.passage_title = "Tolmouth";
  EXPECT_EQ(feature(about, "head near"), 0);
  about.passage_text = "Tolmouth is near the sea, and near the lighthouse of Hook Light.";
  EXPECT_EQ(feature(about, "head near"), 1);
  about.passage_text = "The disused lighthouses of stone and iron are Hook Light and Old Tom.";
  EXPECT_EQ(feature(about, "head near"), 1);
}

TEST_F(LexicalScoring, APageOfTheSameNameSpeaksOfANamesake) {
  auto about = request("Hook Light (Ostra)", "Hook Light is a lighthouse of Ostrand.");
  about.passage_title = "Hook Light (Brenna)";
  EXPECT_EQ(ask(about)["evidence"], nullptr);
}

TEST_F(LexicalScoring, ARareNounSaysWhatTheMemberIsWhereTheMembersLeadsUseIt) {
  auto about = request("Hook Light", "Hook Light is a lighthouse.");
  about.page = "Harbour lighthouses";
  about.section_path.clear();
  auto of_page = list(about);
  EXPECT_EQ(parse_json(scorer.score(of_page, about))["evidence"], nullptr);
  of_page.kind_known = true;
  EXPECT_EQ(parse_json(scorer.score(of_page, about))["evidence"], true);
}

TEST_F(LexicalScoring, TheLeadOfTheOwnArticleNeedsOnlyTheNounIfTheScopeIsSaid) {
  auto about = request("Hook Light", "Hook Light is a lighthouse of Ostrand.");
  about.page = "List of disused harbour lighthouses of Ostrand";
  about.section_path.clear();
  EXPECT_EQ(ask(about)["evidence"], nullptr);
  about.own_article = about.lead = true;
  EXPECT_EQ(ask(about)["evidence"], true);
}

TEST_F(LexicalScoring, AHeadingOfNamesOnlySortsInAnOwnArticle) {
  auto about = request("Hook Light", "Hook Light is a lighthouse.");
  about.page = "Lighthouses";
  about.own_article = about.lead = true;
  auto of_page = scorer.list(about);
  std::swap(of_page.section, of_page.head);
  std::swap(of_page.head, of_page.scope);
  of_page.section_tells = of_page.kind_known = of_page.title_listed = of_page.heading_sorts = true;
  scorer.refine(of_page, synonyms);
  EXPECT_EQ(parse_json(scorer.score(of_page, about))["evidence"], true);
  of_page.heading_sorts = false;
  EXPECT_EQ(parse_json(scorer.score(of_page, about))["evidence"], nullptr);
}

TEST_F(LexicalScoring, AnEntryFarFromTheMembersSaysNothingOfIt) {
  std::string entries = "Hook Light";
  for (int i = 0; i < 20; ++i) entries += ", entry";
  EXPECT_EQ(feature(request("Hook Light", entries + ", lighthouse"), "head near"), 0);
}

TEST_F(LexicalScoring, AnothersArticleThatNamesTheListSaysSoOfItself) {
  auto about = request("Hook Light", "Part of: List of lighthouses of Ostrand, followed by Hook Light.");
  EXPECT_EQ(feature(about, "head near"), 0);
  about.own_article = about.lead = true;
  EXPECT_EQ(feature(about, "head near"), 1);
}

TEST_F(LexicalScoring, WhereOnlyTheHeadingTellsWhichListThisIsItMustBeSaid) {
  const auto about = request("Hook Light", "Hook Light is a lighthouse in Ostrand.");
  auto of_page = list(about);
  EXPECT_EQ(parse_json(scorer.score(of_page, about))["evidence"], true);
  of_page.section_tells = true;
  EXPECT_EQ(parse_json(scorer.score(of_page, about))["evidence"], nullptr);
}

TEST_F(LexicalScoring, OfAPageThatIsNoListOnlyAnOwnArticleThatBeginsWithItsTitleIsEvidence) {
  auto about = request("Hook Light", "Hook Light is white. Lighthouses are old.");
  about.page = "Lighthouses";
  about.section_path.clear();
  about.own_article = about.lead = true;
  EXPECT_EQ(ask(about)["evidence"], nullptr);
  about.passage_text = "Hook Light is one of the lighthouses.";
  EXPECT_EQ(ask(about)["evidence"], true);
}

TEST_F(LexicalScoring, TheSameQuestionGetsTheSameWordsFromEveryThread) {
  const auto about = request("Hook Light", "Hook Light is a lighthouse. It stands on Great Ostra.");
  const auto expected = score(about);
  std::vector<std::string> replies(4);
  {
    std::vector<std::jthread> threads;
    for (auto& reply : replies) threads.emplace_back([&] { reply = score(about); });
  }
  for (const auto& reply : replies) EXPECT_EQ(reply, expected);
}

TEST_F(LexicalScoring, WordsOfTheMembersOwnNameAreNoEvidence) {
  const auto bare = request("Hook Lighthouse", "The road ends at Hook Lighthouse.");
  EXPECT_EQ(feature(bare, "head near"), 0);
  const auto said = request("Hook Lighthouse", "Hook Lighthouse is a lighthouse.");
  EXPECT_EQ(feature(said, "head near"), 1);
}

TEST_F(LexicalScoring, WordsOfALinkToTheMemberAreNoEvidenceEither) {
  auto about = request("Hook", "Hook: the road ends at the old lighthouse.");
  EXPECT_EQ(feature(about, "head near"), 1);
  about.mentions = {{23, 41}};
  EXPECT_EQ(feature(about, "head near"), 0);
}

TEST_F(LexicalScoring, AnAliasNamesTheMember) {
  auto about = request("Hook Light", "Everyone calls it Old Tom. A lighthouse stands elsewhere.");
  about.aliases = {"Old Tom"};
  EXPECT_EQ(feature(about, "head near"), 0);
  about.passage_text = "Everyone calls it Old Tom, the lighthouse.";
  EXPECT_EQ(feature(about, "head near"), 1);
}

TEST_F(LexicalScoring, AQualifierInParenthesesNeedNotBeSaid) {
  EXPECT_EQ(feature(request("Hook (light)", "Hook shines. A lighthouse stands elsewhere."), "head near"), 0);
}

TEST_F(LexicalScoring, ThePrefixOfTheListIsNotLookedFor) {
  EXPECT_EQ(ask(request("Hook Light", "A list of names."))["word"], false);
}

TEST_F(LexicalScoring, TheTitleOfThePassagesPageCounts) {
  auto about = request("Hook Light", "Hook Light is one of them.");
  about.passage_title = "Ostrand";
  EXPECT_EQ(feature(about, "scope anywhere"), 1);
}

TEST_F(LexicalScoring, WithoutAWordOfTheListNothingIsEvidence) {
  auto about = request("Hook Light", "Hook Light was painted white in 1911. It has a garden.");
  about.own_article = about.lead = true;
  EXPECT_EQ(ask(about)["evidence"], false);
  EXPECT_EQ(feature(about, "own article"), 0);
  EXPECT_EQ(feature(about, "own lead"), 0);
  EXPECT_LE(ask(about)["probability"], 0.1);
  about.page = "List of lighthouses";  // no scope and no headings: what is not asked for is not found either
  about.section_path.clear();
  EXPECT_EQ(ask(about)["evidence"], false);
  EXPECT_EQ(feature(about, "scope anywhere"), 0);
  EXPECT_EQ(feature(about, "section anywhere"), 0);
}

TEST_F(LexicalScoring, AFunctionWordOfAHeadingIsNoWordOfTheList) {
  auto about = request("Hook Light", "Hook Light and the garden of the keeper.");
  about.section_path = {"Lights of the islands and the coast"};
  about.own_article = true;
  EXPECT_EQ(ask(about)["word"], false);
}

TEST_F(LexicalScoring, AListWithoutAWordThatDistinguishesItGetsNoYesAndNoNo) {
  const auto about = request("Hook Light", "Hook Light is a lighthouse in Ostrand.");
  EXPECT_EQ(ask(about)["word"], true);
  count({"a lighthouse of Ostrand", "the lighthouse of Ostrand", "a painter of Ostrand"});
  auto none = about;
  none.section_path.clear();
  EXPECT_EQ(ask(none)["word"], false);
  EXPECT_EQ(ask(none)["evidence"], nullptr);
}

TEST_F(LexicalScoring, TheLeadOfTheMembersArticleCountsMoreThanItsOtherSections) {
  auto about = request("Hook Light", "Hook Light is a lighthouse in Ostrand.");
  about.own_article = true;
  const double section = ask(about)["probability"];
  about.lead = true;
  EXPECT_GT(ask(about)["probability"], section);
}

TEST_F(LexicalScoring, AnEmptyPassageIsJudgedAndNotEvidence) {
  const auto reply = scorer.read(score(request("Hook Light", "")));
  EXPECT_EQ(reply.state, JudgmentState::kJudged);
  EXPECT_EQ(reply.grade, 0);
}

TEST_F(LexicalScoring, ItsReplyReadsBack) {
  const auto text = score(request("Hook Light", "Hook Light is a lighthouse on Great Ostra in Ostrand."));
  const auto reply = scorer.read(text);
  EXPECT_EQ(reply.reply, text);
  EXPECT_EQ(reply.state, JudgmentState::kJudged);
  EXPECT_EQ(reply.grade, 1);
  ASSERT_TRUE(reply.probability.has_value());
  EXPECT_GT(*reply.probability, 0.5);
  EXPECT_EQ(reply.reason.find("Near the member, the passage has all words for what is listed"), 0U) << reply.reason;
}

TEST_F(LexicalScoring, ReadingNeverInventsAGrade) {
  const std::string good = score(request("Hook Light", "Hook Light is a lighthouse."));
  std::vector<std::string> garbage = {"",
                                      "yes",
                                      "1",
                                      "true",
                                      "null",
                                      "[]",
                                      "{}",
                                      "{\"evidence\": true}",
                                      "{\"evidence\": \"yes\", \"probability\": 1}",
                                      "{\"evidence\": 1, \"probability\": 0.9, \"features\": {}}",
                                      "{\"evidence\": true, \"probability\": \"high\"}",
                                      "{\"evidence\": true, \"probability\": 0.9}",
                                      "{\"evidence\": true, \"probability\": 0.9, \"features\": {}}",
                                      "\xff\xfe",
                                      std::string("\0", 1)};
  for (std::size_t size = 0; size < good.size(); ++size) garbage.push_back(good.substr(0, size));
  for (const auto& text : garbage) {
    const auto reply = scorer.read(text);
    EXPECT_FALSE(reply.grade.has_value()) << text;
    EXPECT_FALSE(reply.probability.has_value()) << text;
    EXPECT_EQ(reply.state, JudgmentState::kUnparseable) << text;
    EXPECT_EQ(reply.reply, text);
  }
}

TEST_F(LexicalScoring, ItSaysThatItIsABaseline) {
  EXPECT_NE(LexicalScorer::kId.find("baseline"), std::string::npos);
}

TEST_F(LexicalScoring, TheDigestChangesWithEverythingTheReplyDependsOn) {
  const auto about = request("Hook Light", "text");
  const auto digest = scorer.digest(list(about), about);
  EXPECT_EQ(digest, scorer.digest(list(about), about));
  auto other = about;
  other.passage_text = "text.";
  EXPECT_NE(scorer.digest(list(other), other), digest);
  other = about;
  other.aliases = {"x"};
  EXPECT_NE(scorer.digest(list(other), other), digest);
  other = about;
  other.own_article = true;
  EXPECT_NE(scorer.digest(list(other), other), digest);
  other = about;
  other.lead = true;
  EXPECT_NE(scorer.digest(list(other), other), digest);
  other = about;
  other.mentions = {{0, 1}};
  EXPECT_NE(scorer.digest(list(other), other), digest);
  auto longer = list(about);
  longer.head.front().synonyms.push_back({"x"});
  EXPECT_NE(scorer.digest(longer, about), digest);
  EXPECT_NE(LexicalScorer("english", {"List of"}, 0.6).digest(list(about), about), digest);
}

}  // namespace
}  // namespace touchstone::pipeline::judging::lexical
