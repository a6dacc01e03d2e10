#include "pipeline/release/label_reasons.hpp"

#include "pipeline/flow/work_files.hpp"
#include "pipeline/passages/stages.hpp"
#include "tests/support/stage_fixture.hpp"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace touchstone::pipeline::release {
namespace {

using collection::evidence::JudgmentRecord;
using collection::evidence::LabelReason;
using testing::simple_page;

/// Pages of a small wiki: a list (1) of the members Amber (2) and Basil (3), and a page (4) that names them.
struct Wiki {
  std::string list = "* [[Amber]]\n* [[Basil]]";
  std::string list_title = "List of lights";
  std::string amber = "Amber is a light.", amber_title = "Amber";
  std::string coast = "The coast has the light [[Amber]] and others.", coast_title = "Coast";
  std::string more = {};  ///< further pages
  std::vector<std::uint32_t> members = {2, 3};
  std::vector<std::string> topics = {"t"};
  std::vector<std::string> discarded = {};

  std::string pages() const {
    std::string text = list.empty() ? "" : simple_page(1, list_title, list);
    if (!amber.empty()) text += simple_page(2, amber_title, amber);
    text += simple_page(3, "Basil", "Basil is another light.");
    if (!coast.empty()) text += simple_page(4, coast_title, coast);
    return text + more;
  }
};

class Reasons : public testing::StageFixture {
 protected:
  /// What is kept open of a month.
  struct Made {
    std::unique_ptr<storage::Store> store;
    std::unique_ptr<passages::PassageCorpus> passages;
    std::unique_ptr<Month> month;
  };

  Reasons() {
    assignments = {"passages.min_words=0", "passages.max_link_share=1", "passages.scope=all",
                   "passages.granularity=paragraph"};
  }

  Made make(const Wiki& wiki) {
    open_store(folder / std::to_string(++made_));
    fill_from_dump(wiki.pages());
    run(passages::boilerplate_stage());
    run(passages::passages_stage());
    evidence::GroupFile::Writer groups(paths.file(kGroupsFile));
    const auto add = [&](const std::string& topic) {
      evidence::Group group;
      group.topic = topic;
      group.page_id = PageId{1};
      group.pages = {PageId{1}};
      for (const auto page : wiki.members) group.members.push_back({PageId{page}, "", ""});
      return group;
    };
    for (const auto& topic : wiki.topics) groups.add(add(topic));
    for (const auto& topic : wiki.discarded) {
      auto group = add(topic);
      group.discarded = evidence::DiscardReason::kTooFewMembers;
      groups.add(group);
    }
    groups.finish();
    Made made;
    made.store = std::move(store);
    made.passages = std::make_unique<passages::PassageCorpus>(*made.store, paths, corpus::NameOptions{});
    made.month = std::make_unique<Month>(*made.store, *made.passages, paths.file(kGroupsFile));
    return made;
  }

  void make_both(const Wiki& old_wiki, const Wiki& new_wiki) {
    before_ = make(old_wiki);
    after_ = make(new_wiki);
    reasons_ = std::make_unique<LabelReasons>(*before_.month, *after_.month, facts);
  }

  static JudgmentRecord label(const std::string& docid, std::uint64_t member = 2) {
    JudgmentRecord judgment;
    judgment.topic = "t";
    judgment.docid = "tinywiki-" + docid;
    judgment.member_page_id = member;
    judgment.source = CandidateSource::kLink;
    judgment.grade = 1;
    return judgment;
  }
  LabelReason added(const JudgmentRecord& judgment) const { return reasons_->of_label(judgment, Side::kAfter); }
  LabelReason gone(const JudgmentRecord& judgment) const { return reasons_->of_label(judgment, Side::kBefore); }
  LabelReason asked(const std::string& docid) const { return reasons_->of_question(label(docid), label(docid)); }
  LabelReason topic(Side where) const { return reasons_->of_topic("t", where); }

  HistoryFacts facts{{{"t", "lights"}}, {{"t", "lights"}}, true, true, false};
  int made_ = 0;
  Made before_, after_;
  std::unique_ptr<LabelReasons> reasons_;
};

TEST_F(Reasons, TheListPageDecidesOfATopic) {
  Wiki without;
  without.list.clear();
  without.topics.clear();
  make_both(without, {});
  EXPECT_EQ(topic(Side::kAfter), LabelReason::kListAdded);
  make_both({}, without);
  EXPECT_EQ(topic(Side::kBefore), LabelReason::kListGone);
  Wiki moved;
  moved.list_title = "Lights";
  moved.topics = {"u"};
  make_both({}, moved);
  EXPECT_EQ(topic(Side::kBefore), LabelReason::kListMoved);
  Wiki edited;
  edited.list = "* [[Amber]]";
  edited.topics.clear();
  make_both({}, edited);
  EXPECT_EQ(topic(Side::kBefore), LabelReason::kListEdited);
}

TEST_F(Reasons, ATopicThatWasLeftOutThoughItsColumnIsThereSaysSo) {
  make_both({}, {});
  EXPECT_EQ(topic(Side::kBefore), LabelReason::kTopicGone);
  EXPECT_EQ(topic(Side::kAfter), LabelReason::kTopicAdded);
  Wiki fewer;
  fewer.list = "* [[Basil]]";
  fewer.members = {3};
  make_both(fewer, {});
  EXPECT_EQ(topic(Side::kAfter), LabelReason::kListEdited) << "the list names one more member";
  EXPECT_EQ(topic(Side::kBefore), LabelReason::kTopicGone) << "which is no reason to leave it out";
  Wiki discarded;
  discarded.topics.clear();
  discarded.discarded = {"t"};
  make_both({}, discarded);
  EXPECT_EQ(topic(Side::kBefore), LabelReason::kTopicGone);
  facts.same_settings = false;
  EXPECT_EQ(topic(Side::kBefore), LabelReason::kSettingsChanged);
  Wiki lacking;
  lacking.topics.clear();
  facts.same_settings = true;
  make_both({}, lacking);
  EXPECT_EQ(topic(Side::kBefore), LabelReason::kTemplateChanged);
}

TEST_F(Reasons, AMemberIsTheListsOrItsPages) {
  Wiki edited;
  edited.list = "* [[Basil]]";
  edited.members = {3};
  make_both({}, edited);
  EXPECT_EQ(gone(label("4-0")), LabelReason::kListEdited);
  make_both(edited, {});
  EXPECT_EQ(added(label("4-0")), LabelReason::kListEdited);
  Wiki deleted;
  deleted.amber.clear();
  deleted.members = {3};
  make_both({}, deleted);
  EXPECT_EQ(gone(label("4-0")), LabelReason::kMemberDeleted);
  make_both(deleted, {});
  EXPECT_EQ(added(label("4-0")), LabelReason::kMemberCreated);
  Wiki other_kind;
  other_kind.members = {3};
  make_both({}, other_kind);
  EXPECT_EQ(gone(label("4-0")), LabelReason::kMemberKind);
}

TEST_F(Reasons, AMemberIsAnotherOneWhereARedirectLeadsElsewhere) {
  Wiki old_wiki, new_wiki;
  old_wiki.list = new_wiki.list = "* [[Yellow light]]\n* [[Basil]]\n\nThe oldest is [[Amber]].";
  old_wiki.more = simple_page(9, "Yellow light", "#REDIRECT [[Amber]]", "Amber");
  new_wiki.more = simple_page(9, "Yellow light", "#REDIRECT [[Coast]]", "Coast");
  new_wiki.members = {4, 3};
  make_both(old_wiki, new_wiki);
  EXPECT_EQ(gone(label("2-0")), LabelReason::kRedirectChanged);
  EXPECT_EQ(added(label("4-0", 4)), LabelReason::kRedirectChanged);
}

TEST_F(Reasons, ThePageOfAPassageIsAddedDeletedMergedOrEdited) {
  Wiki without;
  without.coast.clear();
  make_both(without, {});
  EXPECT_EQ(added(label("4-0")), LabelReason::kPageAdded);
  make_both({}, without);
  EXPECT_EQ(gone(label("4-0")), LabelReason::kPageDeleted);
  without.more = simple_page(4, "Coast", "#REDIRECT [[Basil]]", "Basil");
  make_both({}, without);
  EXPECT_EQ(gone(label("4-0")), LabelReason::kPageMerged);
  Wiki edited;
  edited.coast = "The coast has the great light [[Amber]] and others.";
  make_both({}, edited);
  EXPECT_EQ(gone(label("4-0")), LabelReason::kPageEdited);
  EXPECT_EQ(asked("4-0"), LabelReason::kPageEdited);
}

TEST_F(Reasons, LinksOfTheSameTextAreAddedGoneOrLeadElsewhere) {
  Wiki unlinked;
  unlinked.coast = "The coast has the light Amber and others.";
  make_both({}, unlinked);
  EXPECT_EQ(gone(label("4-0")), LabelReason::kLinkGone);
  make_both(unlinked, {});
  EXPECT_EQ(added(label("4-0")), LabelReason::kLinkAdded);
  Wiki old_wiki, new_wiki;
  old_wiki.coast = new_wiki.coast = "The coast has the [[yellow light]] and others.";
  old_wiki.more = simple_page(9, "Yellow light", "#REDIRECT [[Amber]]", "Amber");
  new_wiki.more = simple_page(9, "Yellow light", "#REDIRECT [[Basil]]", "Basil");
  make_both(old_wiki, new_wiki);
  EXPECT_EQ(gone(label("4-0")), LabelReason::kRedirectChanged);
  EXPECT_EQ(added(label("4-0", 3)), LabelReason::kRedirectChanged);
}

TEST_F(Reasons, ATextThatChangesWithItsTemplateIsToldFromAnEdit) {
  Wiki old_wiki, new_wiki;
  old_wiki.coast = new_wiki.coast = "The coast has {{height}} the light [[Amber]] and others.";
  old_wiki.more = testing::page_xml(9, "Template:Height", testing::revision_xml(9, "low"), {}, 10);
  new_wiki.more = testing::page_xml(9, "Template:Height", testing::revision_xml(9, "high"), {}, 10);
  assignments.emplace_back("ingest.templates=expand");
  make_both(old_wiki, new_wiki);
  EXPECT_EQ(asked("4-0"), LabelReason::kTemplateChanged);
  EXPECT_EQ(gone(label("4-0")), LabelReason::kTemplateChanged);
  facts.same_settings = false;
  EXPECT_EQ(gone(label("4-0")), LabelReason::kSettingsChanged);
}

TEST_F(Reasons, APassageThatBecomesARepeatSaysSo) {
  Wiki repeated;
  repeated.more = simple_page(8, "Shore", "The coast has the light [[Amber]] and others.");
  make_both({}, repeated);
  EXPECT_EQ(gone(label("4-0", 3)), LabelReason::kRepeat) << "it replaces another passage now";
  Wiki old_wiki, new_wiki;
  old_wiki.coast.clear();
  old_wiki.more = new_wiki.more = simple_page(8, "Shore", "The coast has the light [[Amber]] and others.");
  make_both(old_wiki, new_wiki);
  EXPECT_EQ(gone(label("8-0")), LabelReason::kRepeat);
}

TEST_F(Reasons, ANameOrALimitIsWhatRemains) {
  make_both({}, {});
  EXPECT_EQ(gone(label("4-0")), LabelReason::kCandidateLimit);
  auto named = label("4-0", 3);
  named.source = CandidateSource::kMention;
  EXPECT_EQ(gone(named), LabelReason::kNamesChanged);
}

TEST_F(Reasons, AQuestionChangesWithTitlesAliasesAndQueries) {
  Wiki moved;
  moved.coast_title = "The coast";
  make_both({}, moved);
  EXPECT_EQ(asked("4-0"), LabelReason::kPageMoved);
  Wiki renamed;
  renamed.amber_title = "Amber (light)";
  renamed.more = simple_page(9, "Amber", "#REDIRECT [[Amber (light)]]", "Amber (light)");
  make_both({}, renamed);
  EXPECT_EQ(asked("4-0"), LabelReason::kMemberMoved);
  Wiki alias;
  alias.more = simple_page(9, "Yellow light", "#REDIRECT [[Amber]]", "Amber");
  make_both({}, alias);
  EXPECT_EQ(asked("4-0"), LabelReason::kAliasesChanged);
  facts.queries_after["t"] = "all lights";
  make_both({}, {});
  EXPECT_EQ(asked("4-0"), LabelReason::kQueryReworded);
  facts.asks_for_query = false;
  EXPECT_EQ(asked("4-0"), LabelReason::kJudgeChanged);
}

TEST_F(Reasons, TheSameQuestionIsTheJudges) {
  make_both({}, {});
  auto before = label("4-0"), after = label("4-0");
  after.judge = "another model";
  EXPECT_EQ(reasons_->of_question(before, after), LabelReason::kJudgeChanged);
  after = before;
  before.grade.reset();
  before.state = JudgmentState::kFailed;
  EXPECT_EQ(reasons_->of_question(before, after), LabelReason::kAskedOnceMore);
  facts.only_baselines = true;
  EXPECT_EQ(asked("4-0"), LabelReason::kWordsCounted);
}

TEST_F(Reasons, ALabelThatIsOnAnotherPageNowSaysWhatBecameOfItsPage) {
  Wiki merged;
  merged.coast.clear();
  merged.more = simple_page(4, "Coast", "#REDIRECT [[Shore]]", "Shore") +
                simple_page(8, "Shore", "The coast has the light [[Amber]] and others.");
  make_both({}, merged);
  EXPECT_EQ(reasons_->of_question(label("4-0"), label("8-0")), LabelReason::kPageMerged);
}

}  // namespace
}  // namespace touchstone::pipeline::release
