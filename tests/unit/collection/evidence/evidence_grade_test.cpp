#include "collection/evidence/collection_writer.hpp"
#include "collection/evidence/topic_grades.hpp"
#include "collection/kinds.hpp"
#include "collection/release/manifest.hpp"
#include "common/error.hpp"
#include "common/json_tree.hpp"
#include "tests/unit/collection/evidence/sample_collection.hpp"

#include <filesystem>
#include <functional>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace touchstone::collection::evidence {
namespace {

using nlohmann::ordered_json;
using testing::read_text;
using testing::repair_digests;
using testing::TemporaryFolder;
using testing::write_text;

TEST(QrelGrade, GradesBelowTheLowestOfEvidenceAreZero) {
  EXPECT_EQ(qrel_grade(1, 1), 1);
  EXPECT_EQ(qrel_grade(0, 1), 0);
  EXPECT_EQ(qrel_grade(1, 2), 0);
  EXPECT_EQ(qrel_grade(2, 2), 2);
  EXPECT_EQ(qrel_grade(3, 2), 3);
  EXPECT_EQ(qrel_grade(-2, 2), -2);
}

/// One topic with a member, and passages of the grades 0 to 3.
class EvidenceGradeTest : public ::testing::Test {
 protected:
  CollectionNumbers write(int evidence_grade, std::uint64_t evidence) {
    auto info = testing::sample_info();
    info.judge = "model";
    info.baseline_judge = false;
    info.evidence_grade = evidence_grade;
    CollectionWriter writer(directory, info);
    writer.add(testing::sample_topic("t1"));
    writer.add(MemberRecord{"t1", "Page 1", 1, "", {}, 4, evidence});
    for (std::uint64_t page = 1; page <= 4; ++page) writer.add(testing::sample_passage(page, "A tea."));
    for (std::uint64_t page = 1; page <= 4; ++page) {
      auto judgment = testing::sample_judgment("t1", 1, "teawiki-" + std::to_string(page) + "-0");
      judgment.judge = "model";
      judgment.grade = static_cast<int>(page) - 1;
      writer.add(judgment);
    }
    return writer.finish();
  }
  void change_manifest(const std::function<void(ordered_json&)>& change) {
    auto json = parse_json(read_text(directory / "manifest.json"));
    change(json);
    write_text(directory / "manifest.json", json.dump(2) + "\n");
    repair_digests(directory);
  }
  std::string problems() {
    std::string text;
    for (const auto& problem : validate_collection(directory).problems)
      text += problem.file + ": " + problem.what + "\n";
    return text;
  }

  TemporaryFolder folder;
  std::filesystem::path directory = folder / "c";
};

TEST_F(EvidenceGradeTest, TheQrelsAndTheNumbersFollowItAndTheJudgmentsKeepTheirGrades) {
  const auto numbers = write(2, 2);
  EXPECT_EQ(read_text(directory / "qrels.txt"),
            "t1 0 teawiki-1-0 0\nt1 0 teawiki-2-0 0\nt1 0 teawiki-3-0 2\nt1 0 teawiki-4-0 3\n");
  EXPECT_EQ(numbers.evidence, 2U);
  EXPECT_EQ(numbers.judged_yes, 2U);
  EXPECT_EQ(numbers.judged_no, 2U);
  EXPECT_NE(read_text(directory / "judgments.jsonl.gz").find("\"grade\":1,"), std::string::npos);
  EXPECT_NE(read_text(directory / "README.md").find("2 and above count as evidence"), std::string::npos);
  EXPECT_EQ(read_manifest(directory).info.evidence_grade, 2);
  EXPECT_EQ(problems(), "");
}

TEST_F(EvidenceGradeTest, GradesFromOneOnAreEvidenceByDefault) {
  EXPECT_EQ(write(1, 3).evidence, 3U);
  EXPECT_EQ(read_text(directory / "README.md").find("count as evidence"), std::string::npos);
  EXPECT_EQ(problems(), "");
}

TEST_F(EvidenceGradeTest, AnotherGradeInTheManifestDoesNotFitTheFiles) {
  write(2, 2);
  change_manifest([](ordered_json& json) { json["collection"]["evidence_grade"] = 3; });
  EXPECT_NE(problems().find("gives topic \"t1\", docid \"teawiki-3-0\" grade 2 where the highest grade in "
                            "judgments.jsonl.gz counts as 0"),
            std::string::npos)
      << problems();
  EXPECT_NE(problems().find("1 with grade 3 or more"), std::string::npos) << problems();
}

TEST_F(EvidenceGradeTest, WhatCannotBeAGradeIsRefused) {
  write(2, 2);
  for (const ordered_json& value : {ordered_json(0), ordered_json(-1), ordered_json(128)}) {
    change_manifest([&](ordered_json& json) { json["collection"]["evidence_grade"] = value; });
    EXPECT_THROW(read_manifest(directory), FormatError) << value;
  }
  change_manifest([](ordered_json& json) { json["collection"]["evidence_grade"] = "two"; });
  EXPECT_THROW(read_manifest(directory), FormatError);
}

TEST_F(EvidenceGradeTest, CollectionsOfEarlierVersionsHaveTheDefault) {
  write(1, 3);
  change_manifest([](ordered_json& json) { json["collection"].erase("evidence_grade"); });
  EXPECT_EQ(read_manifest(directory).info.evidence_grade, 1);
}

}  // namespace
}  // namespace touchstone::collection::evidence
