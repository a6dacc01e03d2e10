#include "common/files.hpp"
#include "common/json_tree.hpp"
#include "common/log.hpp"
#include "pipeline/evidence/evidence_records.hpp"
#include "pipeline/flow/runner.hpp"
#include "pipeline/stage_table.hpp"
#include "tests/support/dump_text.hpp"
#include "tests/support/temporary_folder.hpp"

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace touchstone::pipeline::judging::lexical {
namespace {

/// Small wikis, judged: what the leads of a list's members tell the judge about the list.
class LexicalJudgeTest : public ::testing::Test {
 protected:
  void page(const std::string& title, const std::string& text) {
    pages_ += testing::simple_page(++id_, title, text);
    titles_.push_back(title);
  }

  /// "yes", "no" or "unsure": of what the own article says by the member, of what others say by "MEMBER in TITLE".
  std::map<std::string, std::string> judge() {
    for (const auto* title : {"Dale", "Elm", "Ford", "Gull", "Hill", "Iron", "Jug", "Kale", "Lamp", "Mill", "Nest"})
      page(title, "Nothing is said here about " + std::string(title) + " and the rest.");
    configure_log(LogLevel::kError, LogFormat::kText);
    write_file_atomically(folder_ / "wiki.xml", testing::dump_xml(pages_));
    auto settings = stage_graph().settings();
    for (const auto* assignment : {"passages.min_words=0", "groups.list_prefixes=*"})
      settings.read_assignment(assignment);
    for (const auto& assignment : assignments_) settings.read_assignment(assignment);
    flow::RunOptions run;
    run.work = folder_ / "work";
    run.sources.push_back({folder_ / "wiki.xml"});
    run.threads = 2;
    run.progress = ProgressMode::kNever;
    StopFlag stop;
    flow::Runner(stage_graph(), settings, run, storage::Access::kReadWrite)
        .run(stage_graph().stages_for("judge", {}), stop);
    std::map<std::string, std::string> answers;
    evidence::JudgmentFile::for_each(folder_ / "work/stages/judgments.records", [&](const auto& judgment) {
      const auto number = judgment.docid.substr(judgment.docid.find('-') + 1);
      answers[judgment.own_article ? judgment.member : judgment.member + " in " + titles_.at(std::stoul(number) - 1)] =
          !judgment.grade        ? "unsure"
          : *judgment.grade == 1 ? "yes"
                                 : "no";
    });
    return answers;
  }

  std::vector<std::string> assignments_;

 private:
  testing::TemporaryFolder folder_;
  std::string pages_;
  std::vector<std::string> titles_;
  int id_ = 0;
};

TEST_F(LexicalJudgeTest, ATitleThatTheMembersLeadsUseIsWhatThePageLists) {
  page("Clubs", "All of them.\n== First met ==\n* [[Adder]]\n* [[Basil]]\n* [[Cress]]\n");
  page("Adder", "'''Adder''' is a club of sailors.");
  page("Basil", "'''Basil''' is a club of cooks.");
  page("Cress", "'''Cress''' is a row of trees.");
  auto answers = judge();
  EXPECT_EQ(answers["Adder"], "yes");
  EXPECT_EQ(answers["Basil"], "yes");
  EXPECT_NE(answers["Cress"], "yes");
}

TEST_F(LexicalJudgeTest, AHeadingOfAKindMustBeSaidAndOneOfNamesNot) {
  page("Clubs",
       "All of them.\n== Norland ==\n* [[Adder]]\n* [[Basil]]\n* [[Cress]]\n"
       "== Rowing ==\n* [[Dill]]\n* [[Endive]]\n* [[Fennel]]\n");
  for (const std::string name : {"Adder", "Basil", "Cress", "Dill", "Endive"})
    page(name, "'''" + name + "''' is a club of long standing.");
  page("Fennel", "'''Fennel''' is a club for rowing on the lake.");
  page("Lake", "There is rowing on the lake.");
  auto answers = judge();
  EXPECT_EQ(answers["Adder"], "yes");
  EXPECT_EQ(answers["Dill"], "unsure");
  EXPECT_EQ(answers["Fennel"], "yes");
}

TEST_F(LexicalJudgeTest, TheArticleThatAListNamesTellsWhatItsMembersLeadsSayInstead) {
  std::string list = "All of them.\n";
  for (const std::string name : {"Aro", "Bero", "Cero", "Dero", "Ero", "Fero", "Gero", "Hero", "Iro", "Jero"}) {
    list += "* [[" + name + "]]\n";
    page(name, "'''" + name + "''' is a place in the Great Register, in Ostrand.");
  }
  page("List of sekinas in Ostrand", list);
  page("Sekinas", "Sekinas are shrines in the Great Register.");
  for (int other = 0; other < 30; ++other) {
    const auto tree = "Tree " + std::to_string(other);
    page(tree, tree + " was planted by hand, and nobody waters it.");
  }
  EXPECT_EQ(judge()["Aro"], "yes");
}

TEST_F(LexicalJudgeTest, WordsThatMuchOfTheWikiHoldsDefineNothing) {
  std::string list = "All of them.\n";
  for (const std::string name : {"Aro", "Bero", "Cero", "Dero", "Ero", "Fero", "Gero", "Hero", "Iro", "Jero"}) {
    list += "* [[" + name + "]]\n";
    page(name, "'''" + name + "''' is a shrine in Ostrand.");
  }
  page("List of sekinas in Ostrand", list);
  page("Sekinas", "Sekinas are a shrine of the lowest rank.");
  EXPECT_NE(judge()["Aro"], "yes");
}

TEST_F(LexicalJudgeTest, ATitleWithANameSaysWhereAndNotWhat) {
  page("Vuktyl district", "It is in the north.\n== Villages ==\n* [[Adder]]\n* [[Basil]]\n* [[Cress]]\n");
  page("Adder", "'''Adder''' is a village of Vuktyl district.");
  page("Basil", "'''Basil''' is a mill of Vuktyl district.");
  page("Cress", "'''Cress''' is a bridge of Vuktyl district.");
  auto answers = judge();
  EXPECT_EQ(answers["Adder"], "yes");
  EXPECT_NE(answers["Basil"], "yes");
  EXPECT_NE(answers["Cress"], "yes");
}

TEST_F(LexicalJudgeTest, AnAffixThatTheMembersLeadsHoldIsNoWordForList) {
  // In a language whose word for "list" is not known.
  assignments_ = {"wiki.language=kv", R"(groups.list_prefixes=["* district"])"};
  page("Ruker district", "It is in the north.\n== Villages ==\n* [[Adder]]\n* [[Basil]]\n* [[Cress]]\n");
  page("Adder", "'''Adder''' is one of the villages of Ruker district.");
  page("Basil", "'''Basil''' is 20 km from the town of Ruker, by the old road.");
  page("Cress", "'''Cress''' is one of the villages of Ruker district.");
  auto answers = judge();
  EXPECT_EQ(answers["Adder"], "yes");
  EXPECT_NE(answers["Basil"], "yes");
}

TEST_F(LexicalJudgeTest, SettingsOfProgramsSayNothing) {
  page("Tools", "All of them.\n== Games ==\n* [[Adder]]\n* [[Basil]]\n* [[Cress]]\n");
  page("Adder", "'''Adder''' is one of the games, and of the tools.");
  page("Basil", "'''Basil''' is started by this file:\n<pre>\nName=Basil\nCategories=Tools;Games;\n</pre>\n");
  page("Cress", "'''Cress''' is one of the games, and of the tools.");
  auto answers = judge();
  EXPECT_EQ(answers["Adder"], "yes");
  EXPECT_NE(answers["Basil"], "yes");
}

TEST_F(LexicalJudgeTest, ALeadThatNamesTheTitleSaysWhatNoLeadCallsByTheHeadingsName) {
  page("Ruker Project", "It ended in 2011.\n== Subprojects ==\n* [[Adder]]\n* [[Basil]]\n* [[Cress]]\n");
  page("Adder", "'''Adder''' is a library of wheels, formerly under the Ruker Project.");
  page("Basil", "'''Basil''' is a library of mills.");
  page("Cress", "'''Cress''' is a library of bridges, formerly under the Ruker Project.");
  auto answers = judge();
  EXPECT_EQ(answers["Adder"], "yes");
  EXPECT_NE(answers["Basil"], "yes");
}

TEST_F(LexicalJudgeTest, TheSentenceInFrontOfAListSpeaksOfItsItems) {
  page("List of lamps of Ruker", "* [[Adder]]\n* [[Basil]]\n* [[Cress]]\n");
  page("Adder", "'''Adder''' is old.");
  page("Basil", "'''Basil''' is old.");
  page("Cress", "'''Cress''' is old.");
  const std::string items =
      "* The Brown Stair, with one hundred and forty-four steps that lead from the harbour to the market\n"
      "* [[Adder]], on the pier\n";
  page("Harbour", "Ruker has two lamps and no trees, among them:\n" + items);
  page("Market", "Ruker has no lamps. On the way to it there are:\n" + items);
  auto answers = judge();
  EXPECT_EQ(answers["Adder in Harbour"], "yes");
  EXPECT_NE(answers["Adder in Market"], "yes");
}

TEST_F(LexicalJudgeTest, AHeadingThatNamesAListOfOneWordTakesTheTitleForWhere) {
  page("Ruker", "It is a town.\n== List of lamps ==\n* [[Adder]]\n* [[Basil]]\n* [[Cress]]\n");
  page("Adder", "'''Adder''' is one of the lamps of Ruker.");
  page("Basil", "'''Basil''' is one of the lamps of Tunis.");
  page("Cress", "'''Cress''' is one of the lamps of Ruker.");
  auto answers = judge();
  EXPECT_EQ(answers["Adder"], "yes");
  EXPECT_NE(answers["Basil"], "yes");
}

TEST_F(LexicalJudgeTest, PagesThatAreNoListsAskOthersToSayAllOfItNearTheMember) {
  page("Ruker lamps", "They are old.\n* [[Adder]]\n* [[Basil]]\n* [[Cress]]\n");
  page("Adder", "'''Adder''' is one of the Ruker lamps.");
  page("Basil", "'''Basil''' is one of the Ruker lamps.");
  page("Cress", "'''Cress''' is one of the Ruker lamps.");
  page("Harbour", "One of the Ruker lamps there is the [[Adder]].");
  page("Market", "It has the Brown Lamp and the [[Adder]]. Ruker is a town with lamps.");
  auto answers = judge();
  EXPECT_EQ(answers["Adder in Harbour"], "yes");
  EXPECT_NE(answers["Adder in Market"], "yes");
}

}  // namespace
}  // namespace touchstone::pipeline::judging::lexical
