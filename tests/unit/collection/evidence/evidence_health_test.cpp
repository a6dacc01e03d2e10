#include "collection/evidence/evidence_health.hpp"

#include "collection/evidence/collection_writer.hpp"
#include "collection/evidence/manifest.hpp"
#include "collection/health/health_check.hpp"
#include "collection/kinds.hpp"
#include "common/error.hpp"
#include "common/files.hpp"
#include "common/json_tree.hpp"
#include "common/stop.hpp"
#include "common/version.hpp"
#include "tests/unit/collection/evidence/sample_collection.hpp"

#include <algorithm>
#include <string>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace touchstone::collection::evidence {
namespace {

namespace fs = std::filesystem;
using testing::sample_info;
using testing::sample_judgment;
using testing::sample_passage;
using testing::sample_topic;
using testing::TemporaryFolder;

constexpr std::uint64_t kTopics = 30, kMembers = 6;

std::string topic_id(std::uint64_t number) {
  return "t" + std::to_string(100 + number);
}

/// Twelve words that no other passage has.
std::string words_for(std::uint64_t page) {
  std::string number = std::to_string(page), text;
  for (char& digit : number) digit = static_cast<char>('a' + (digit - '0'));
  for (char i = 'a'; i < 'm'; ++i) text += "w" + number + "x" + i + " ";
  return text + "end";
}

/// The records of a collection that passes all checks; each test spoils them for one check. A topic has six members,
/// each with its own passage and two of other pages as evidence.
class Health : public ::testing::Test {
 protected:
  Health() {
    for (std::uint64_t t = 0; t < kTopics; ++t) {
      topics_.push_back(sample_topic(topic_id(t)));
      for (std::uint64_t m = 0; m < kMembers; ++m) add_member(t, 1000 * t + m + 1);
    }
  }

  void add_member(std::uint64_t topic, std::uint64_t page) {
    members_.push_back({topic_id(topic), "Page " + std::to_string(page), page, "", {}, 3, 3});
    for (const std::uint64_t of : {page, page + 100, page + 200}) {
      passages_.push_back(sample_passage(of, words_for(of)));
      judgments_.push_back(sample_judgment(topic_id(topic), page, passages_.back().docid));
      if (of != page) judgments_.back().mentions = {{0, 3}};
    }
  }

  std::vector<health::HealthCheck> examine() {
    const auto by = [](auto key) { return [=](const auto& a, const auto& b) { return key(a) < key(b); }; };
    std::sort(members_.begin(), members_.end(), by([](const auto& m) { return std::tie(m.topic, m.title); }));
    std::sort(passages_.begin(), passages_.end(), by([](const auto& p) { return std::tie(p.page_id, p.ordinal); }));
    std::sort(judgments_.begin(), judgments_.end(),
              by([](const auto& j) { return std::tie(j.topic, j.member_page_id, j.docid); }));
    auto info = sample_info();
    info.program_version = program_version();
    info.manifest_json = R"({"config":)" + config_ + "}";
    CollectionWriter writer(directory_, info);
    for (const auto& topic : topics_) writer.add(topic);
    for (const auto& member : members_) writer.add(member);
    for (const auto& passage : passages_) writer.add(passage);
    for (const auto& judgment : judgments_) writer.add(judgment);
    std::vector<health::HealthCheck> found;
    writer.finish(StopFlag(), [&](const fs::path& partial) { return found = examine_evidence(partial, info); });
    EXPECT_EQ(examine_collection(directory_), found);
    EXPECT_EQ(read_manifest(directory_).health, found);
    return found;
  }

  /// Expects that this check fails and no other one.
  void expect_only(const std::string& name) {
    std::vector<std::string> failed;
    for (const auto& check : examine()) {
      EXPECT_FALSE(check.verdict.empty() || check.remedy.empty()) << check.name;
      if (!check.ok()) failed.push_back(check.name);
    }
    EXPECT_EQ(failed, name.empty() ? std::vector<std::string>() : std::vector<std::string>{name});
  }

  TemporaryFolder folder_;
  fs::path directory_ = folder_ / "c";
  std::string config_ = "{}";
  std::vector<TopicRecord> topics_;
  std::vector<MemberRecord> members_;
  std::vector<PassageRecord> passages_;
  std::vector<JudgmentRecord> judgments_;
};

TEST_F(Health, OfAGoodCollectionIsGood) {
  expect_only("");
}

TEST_F(Health, SeesQueriesOfKeywords) {
  for (auto& topic : topics_) topic.query_verdict = QueryVerdict::kKeywords;
  expect_only("keyword_queries");
}

TEST_F(Health, SeesEvidenceOfOneMould) {
  for (auto& passage : passages_)
    passage.text =
        "Harbour " + std::to_string(passage.page_id) + " is a harbour for twelve boats on the coast of Ostrand";
  const auto checks = examine();
  const auto found = std::find_if(checks.begin(), checks.end(),
                                  [](const auto& check) { return check.name == "evidence_of_one_mould"; });
  ASSERT_NE(found, checks.end());
  EXPECT_FALSE(found->ok());
}

TEST_F(Health, SeesEvidenceThatDoesNotNameItsMember) {
  for (auto& judgment : judgments_) judgment.mentions.clear();
  expect_only("bystander_evidence");
}

TEST_F(Health, SeesFewTopics) {
  const auto last = topic_id(20);
  std::erase_if(topics_, [&](const auto& topic) { return topic.id >= last; });
  std::erase_if(members_, [&](const auto& member) { return member.topic >= last; });
  std::erase_if(judgments_, [&](const auto& judgment) { return judgment.topic >= last; });
  expect_only("topics");
}

TEST_F(Health, SeesFewMembers) {
  const auto small = [](std::uint64_t page) { return page % 1000 > 4; };
  std::erase_if(members_, [&](const auto& member) { return small(member.page_id); });
  std::erase_if(judgments_, [&](const auto& judgment) { return small(judgment.member_page_id); });
  expect_only("members_per_topic");
}

TEST_F(Health, SeesLittleEvidence) {
  for (auto& judgment : judgments_) {
    if (judgment.member_page_id % 1000 > 1) judgment.grade = 0;
  }
  expect_only("evidence_per_topic");
}

TEST_F(Health, SeesEvidenceThatIsAllFromOwnArticles) {
  for (auto& judgment : judgments_) {
    if (!judgment.own_article) judgment.grade = 0;
  }
  expect_only("outside_own_article");
}

TEST_F(Health, SeesMembersWithoutCandidates) {
  for (auto& member : members_) {
    if (member.page_id % 3 == 0) member.candidates = 0;
  }
  expect_only("members_without_candidates");
}

TEST_F(Health, SeesTitlesThatStandUnlinked) {
  for (auto& passage : passages_) {
    // Pages 201 to 206 are evidence for the members 1 to 6; each names the next member.
    const auto number = passage.page_id % 1000;
    if (number > 200)
      passage.text += " with Page " + std::to_string(passage.page_id - number + (number - 200) % kMembers + 1) + " too";
  }
  expect_only("unlinked_mentions");
}

TEST_F(Health, SeesJudgmentsWithoutAGrade) {
  for (std::size_t i = 0; i < judgments_.size(); i += 20) {
    judgments_[i].grade.reset();
    judgments_[i].probability.reset();
    judgments_[i].state = JudgmentState::kUnparseable;
  }
  expect_only("unjudged");
}

TEST_F(Health, TakesNoOffenceAtAJudgeThatIsUnsure) {
  for (std::size_t i = 0; i < judgments_.size(); i += 20) {
    judgments_[i].grade.reset();
    judgments_[i].state = JudgmentState::kUnsure;
  }
  expect_only("");
}

TEST_F(Health, SeesTopicsWithTheSameMembers) {
  for (auto& member : members_) {
    if (member.topic == topic_id(1)) {
      member.page_id -= 1000;
      member.title = "Page " + std::to_string(member.page_id);
    }
  }
  for (auto& judgment : judgments_) {
    if (judgment.topic == topic_id(1)) {
      const auto mentions = judgment.mentions;
      judgment = sample_judgment(topic_id(1), judgment.member_page_id - 1000, judgment.docid);
      judgment.mentions = mentions;
    }
  }
  expect_only("topic_overlap");
}

TEST_F(Health, SeesEqualQueries) {
  topics_[3].query = topics_[7].query;
  expect_only("equal_queries");
}

TEST_F(Health, SeesPassagesThatAreEqual) {
  for (std::size_t i = 0; i < passages_.size(); i += 10)
    passages_[i].text = "The same words, all of them, in each of these passages.";
  expect_only("exact_repeats");
}

TEST_F(Health, SeesPassagesThatAreNearlyEqual) {
  std::string long_text;
  for (int i = 0; i < 80; ++i) long_text += "shared" + std::to_string(i) + " ";
  for (std::size_t i = 0; i < passages_.size(); i += 10) passages_[i].text = long_text + std::to_string(i);
  expect_only("near_repeats");
}

TEST_F(Health, SeesShortPassages) {
  for (std::size_t i = 0; i < passages_.size(); i += 10) passages_[i].text = "only word" + std::to_string(i);
  expect_only("short_passages");
}

TEST_F(Health, SeesOneVeryLongPassage) {
  for (int i = 0; i < 900; ++i) passages_[0].text += " more" + std::to_string(i);
  expect_only("long_passages");
}

TEST_F(Health, SeesDamagedTexts) {
  for (std::size_t i = 0; i < 8; ++i) passages_[i].text += " {{navbox \xD8\xB4\xD8\xA7\xD9\x8A";
  expect_only("damaged_texts");
  EXPECT_EQ(
      examine_collection(directory_).back().verdict,
      "8 of 540 passages do not look like what a reader of the wiki sees: markup 8, such as \"teawiki-1-0\" (markup).");
}

TEST_F(Health, OfACollectionWithoutTopicsDoesNotDivideByNothing) {
  topics_.clear();
  members_.clear();
  judgments_.clear();
  passages_.clear();
  const auto checks = examine();
  for (const auto& check : checks) EXPECT_EQ(check.value, 0) << check.name;
  EXPECT_NE(checks.front().remedy.find("--to automatic"), std::string::npos);
  EXPECT_NE(health::health_table(checks).find("\n0 of 1 checks passed, 18 could not be measured\n"), std::string::npos);
}

TEST_F(Health, CountsNoMentionOfANameThatOtherPagesHave) {
  auto& passage = passages_.front();
  passage.text += " with Page 1001, Page 1002 and Page 1003 too";
  for (const std::uint64_t page : {1001, 1002}) {
    auto other = sample_passage(900000 + page, words_for(900000 + page));
    other.title = "Page " + std::to_string(page) + " (village)";
    passages_.push_back(other);
  }
  auto list = sample_passage(777, words_for(777) + " Page 1, Page 2, Page 3");
  list.title = topics_[0].page + "/fr";
  passages_.push_back(list);
  const auto checks = examine();
  const auto unlinked =
      std::find_if(checks.begin(), checks.end(), [](const auto& check) { return check.name == "unlinked_mentions"; });
  EXPECT_NE(unlinked->verdict.find("stands once in a passage"), std::string::npos) << unlinked->verdict;
}

TEST_F(Health, IsAWarningOfValidateAndPartOfTheCard) {
  topics_[3].query = topics_[7].query;
  examine();
  const auto report = validate_collection(directory_);
  EXPECT_TRUE(report.ok()) << (report.problems.empty() ? "" : report.problems[0].what);
  ASSERT_EQ(report.warnings.size(), 1U);
  EXPECT_NE(report.warnings[0].find("equal_queries is 3.3 %, should be at most 0.0 %"), std::string::npos);
  const auto card = read_file(directory_ / "README.md");
  EXPECT_NE(card.find("| equal\\_queries | **failed** | 3.3 % | at most 0.0 % |"), std::string::npos) << card;
}

TEST_F(Health, StatedInTheManifestMustBeThatOfTheFiles) {
  examine();
  auto json = parse_json(read_file(directory_ / "manifest.json"));
  json["health"][0]["value"] = 1196.0;
  testing::write_text(directory_ / "manifest.json", json.dump(2) + "\n");
  testing::repair_digests(directory_);
  const auto report = validate_collection(directory_);
  ASSERT_FALSE(report.ok());
  EXPECT_EQ(report.problems[0].file, "manifest.json");
}

TEST_F(Health, SaysNoRemedyThatTheRunApplied) {
  for (std::size_t i = 0; i < passages_.size(); i += 10) passages_[i].text = "only word" + std::to_string(i);
  for (auto& topic : topics_) topic.query_verdict = QueryVerdict::kKeywords;
  const auto remedy_of = [&](const std::string& config, const std::string& name) {
    config_ = config;
    const auto checks = examine();
    return std::find_if(checks.begin(), checks.end(), [&](const auto& check) { return check.name == name; })->remedy;
  };
  EXPECT_NE(remedy_of("{}", "short_passages").find("passages.min_words = 8"), std::string::npos);
  EXPECT_NE(remedy_of(R"({"passages.min_words":"5"})", "short_passages").find("min_words"), std::string::npos);
  EXPECT_EQ(remedy_of(R"({"passages.min_words":"8"})", "short_passages").find("min_words"), std::string::npos);
  EXPECT_NE(remedy_of(R"({"judge.kind":"\"lexical\""})", "keyword_queries").find("language model"), std::string::npos);
  EXPECT_EQ(remedy_of(R"({"judge.kind":"\"openai\""})", "keyword_queries").find("language model"), std::string::npos);
  const auto mentions = remedy_of(R"({"candidates.sources":"[\"link\", \"mention\"]"})", "unlinked_mentions");
  EXPECT_EQ(mentions.find("add \"mention\""), std::string::npos) << mentions;
  EXPECT_NE(mentions.find("max_per_member = 0"), std::string::npos) << mentions;
  const auto own = remedy_of("{}", "outside_own_article");
  EXPECT_EQ(own.find("own_article"), std::string::npos) << own;
  EXPECT_NE(own.find("touchstone survey"), std::string::npos) << own;
  const auto surveyed = remedy_of(R"({"groups.list_prefixes":"[\"List of\"]"})", "outside_own_article");
  EXPECT_EQ(surveyed.find("touchstone survey"), std::string::npos) << surveyed;
}

TEST_F(Health, SeesTopicsAboutWhichTheJudgeIsUnsure) {
  std::size_t unsure = 0;
  for (auto& judgment : judgments_) {
    if (judgment.topic > topic_id(9) || unsure++ % 3 == 2) continue;
    judgment.grade.reset();
    judgment.state = JudgmentState::kUnsure;
  }
  expect_only("doubtful_topics");
}

TEST_F(Health, CountsNoMentionOnTheListItself) {
  const auto list = topics_[0].page_id;
  passages_.push_back(sample_passage(list, words_for(list) + " Page 1, Page 2, Page 3"));
  const auto checks = examine();
  const auto unlinked =
      std::find_if(checks.begin(), checks.end(), [](const auto& check) { return check.name == "unlinked_mentions"; });
  EXPECT_EQ(unlinked->value, 0) << unlinked->verdict;
}

TEST_F(Health, NamesFileAndLineOfDamage) {
  examine();
  auto lines = testing::read_lines(directory_ / "members.jsonl");
  lines[4] = "{\"topic\":";
  testing::write_lines(directory_ / "members.jsonl", lines);
  try {
    examine_collection(directory_);
    FAIL() << "damage was not seen";
  } catch (const FormatError& error) {
    EXPECT_NE(std::string(error.what()).find("members.jsonl line 5"), std::string::npos) << error.what();
  }
}

TEST_F(Health, RemediesNameOptionsThatExist) {
  const auto options = read_file(fs::path(TS_SOURCE_DIR) / "docs/config.md");
  for (const auto& check : examine()) {
    for (const char* group : {"passages.", "groups.", "ingest.", "candidates.", "topics.", "phrase.", "judge."}) {
      for (auto at = check.remedy.find(group); at != std::string::npos; at = check.remedy.find(group, at + 1)) {
        const auto end = check.remedy.find_first_not_of("abcdefghijklmnopqrstuvwxyz_.", at);
        auto name = check.remedy.substr(at, end - at);
        if (name.ends_with('.')) name.pop_back();
        if (name.find('.') == std::string::npos) continue;  // a word at the end of a sentence
        EXPECT_NE(options.find("`" + name + "`"), std::string::npos) << name;
      }
    }
  }
}

}  // namespace
}  // namespace touchstone::collection::evidence
