#include "common/records/record_file.hpp"
#include "pipeline/evidence/evidence_records.hpp"
#include "pipeline/stage_table.hpp"
#include "tests/support/dump_text.hpp"
#include "tests/support/stage_fixture.hpp"

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <map>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace touchstone::pipeline {
namespace {

using testing::simple_page;

/// The records of a file, as bytes.
struct Records {
  std::string layout;
  std::vector<std::string> all;
};

Records records_of(const std::filesystem::path& file) {
  records::ByteReader reader(file);
  Records found{reader.layout(), {}};
  for (std::string_view record; reader.next(record);) found.all.emplace_back(record);
  return found;
}

/// Without the flushes to disk that would take most of the time here.
void overwrite(const std::filesystem::path& file, const std::string& text) {
  std::ofstream(file, std::ios::binary | std::ios::trunc) << text;
}

/// Stage files that somebody edited, without the runner, which would refuse them by their digests: the stages
/// themselves must end with an error of theirs whatever the files hold, or take them.
class EditedFilesTest : public testing::StageFixture {
 protected:
  static constexpr const char* kFiles[] = {"groups.records", "candidates.records", "judgments.records",
                                           "queries.records", "judging.json"};
  std::map<std::string, std::string> good;

  void SetUp() override {
    StageFixture::SetUp();
    assignments = {"topics.min_evidence=0", "topics.max_unsure=1", "groups.mode=lenient"};
    fill_from_dump(simple_page(1, "List of lights",
                               "{| class=\"wikitable\"\n! Name !! Built\n|-\n| [[Amber Light]] || 1900\n|-\n"
                               "| [[Basil Light]] || 1901\n|-\n| [[Cress Light]] || 1902\n|}\n== Far ==\n"
                               "{| class=\"wikitable\"\n! Name\n|-\n| [[Amber Light]]\n|-\n| [[Coast]]\n|}") +
                   simple_page(2, "Amber Light", "'''Amber Light''' is a light. So is [[Basil Light]].") +
                   simple_page(3, "Basil Light", "'''Basil Light''' is a light near [[Cress Light|the third]].") +
                   simple_page(4, "Cress Light", "'''Cress Light''' is a light.") +
                   simple_page(6, "Coast", "Lights of the coast are [[Amber Light]] and [[Basil Light]]."));
    for (const char* stage : {"groups", "boilerplate", "passages", "candidates", "judge", "phrase", "export", "report"})
      run_stage(stage);
    for (const char* file : kFiles) good[file] = read_file(paths.stages() / file);
    ASSERT_GE(records_of(paths.stages() / "judgments.records").all.size(), 6U);
    ASSERT_GE(records_of(paths.stages() / "groups.records").all.size(), 2U);
  }

  void run_stage(const char* stage) { run(*stage_graph().find(stage)); }

  /// Runs all that reads stage files. Any other exception than an Error, and any abort, fails the test.
  void run_readers(const std::string& what) {
    for (const char* stage : {"candidates", "judge", "phrase", "export", "report"}) {
      try {
        run_stage(stage);
      } catch (const Error& error) {
        EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos) << what << ": " << error.what();
      } catch (const std::exception& error) {
        ADD_FAILURE() << stage << " after " << what << ": " << error.what();
      }
      restore(stage);
    }
  }
  /// Puts back what a stage may have written over, except the edited file.
  void restore(const std::string&) {
    for (const auto& [file, text] : good) {
      if (file != edited) overwrite(paths.stages() / file, text);
    }
    if (!edited.empty()) overwrite(paths.stages() / edited, edited_text);
  }
  void restore_all() {
    edited.clear();
    restore("");
  }
  void edit(const std::string& file, const std::string& text, const std::string& what) {
    edited = file;
    edited_text = text;
    restore("");
    run_readers(file + ", " + what);
  }

  /// What a file of these records would hold.
  std::string file_of(const std::string& layout, const std::vector<std::string>& all) const {
    const auto file = folder / "changed.records";
    records::ByteWriter writer(file, layout);
    for (const auto& record : all) writer.add(record);
    writer.finish();
    return read_file(file);
  }

  std::string edited, edited_text;
};

TEST_F(EditedFilesTest, SwappedDoubledAndMissingRecords) {
  for (const std::string file : kFiles) {
    if (!file.ends_with(".records")) continue;
    const auto [layout, all] = records_of(paths.stages() / file);
    auto changed = all;
    std::swap(changed.front(), changed.back());
    edit(file, file_of(layout, changed), "two records swapped");
    changed = all;
    changed.push_back(all.back());
    edit(file, file_of(layout, changed), "the last record twice");
    changed = all;
    changed.insert(changed.begin(), all.front());
    edit(file, file_of(layout, changed), "the first record twice");
    changed = all;
    changed.erase(changed.begin());
    edit(file, file_of(layout, changed), "a record lost");
    edit(file, file_of(layout, {}), "no record left");
    edit(file, file_of("{a:n}", {}), "other records");
    edit(file, "", "nothing left");
    edit(file, good[file].substr(0, good[file].size() / 2), "cut in the middle");
    restore_all();
  }
}

TEST_F(EditedFilesTest, NumbersAndTypesThatCannotBe) {
  const std::string file = "judging.json";
  std::mt19937 random(20250101);
  for (const char* value : {"-5", "1e300", "99999999999999999999", "4294967296", "1.5", "\"x\"", "null", "[]", "{}",
                            "true", "128", "\"\\u202e\\u0000\""}) {
    // Replaces the value behind one of the colons.
    std::string text = good[file];
    std::vector<std::size_t> colons;
    for (std::size_t at = text.find("\":"); at != std::string::npos; at = text.find("\":", at + 1))
      colons.push_back(at + 2);
    const auto begin = colons[random() % colons.size()];
    const auto end = text.find_first_of(",}]\n", begin);
    text.replace(begin, end - begin, value);
    edit(file, text, std::string(value) + " at byte " + std::to_string(begin));
  }
}

TEST_F(EditedFilesTest, AnyBytesAnywhere) {
  std::mt19937 random(20250102);
  for (const char* file : kFiles) {
    for (int round = 0; round < 8; ++round) {
      std::string text = good[file];
      const auto at = random() % text.size();
      text[at] = static_cast<char>(random() % 256);
      edit(file, text, "another byte at " + std::to_string(at) + " of round " + std::to_string(round));
    }
  }
}

/// Writes the records again with the first one changed, and reads them as a stage does.
template <class File, class Change>
void expect_damaged(const std::filesystem::path& path, const Change& change) {
  auto all = File::read(path);
  change(all.at(0));
  File::write(path, all);
  try {
    (void)File::read(path);
    ADD_FAILURE() << path << " was taken";
  } catch (const FormatError& error) {
    EXPECT_NE(std::string(error.what()).find(path.string() + " a record is damaged"), std::string::npos)
        << error.what();
  }
}

TEST_F(EditedFilesTest, NumbersThatNameNoValueOfAnEnum) {
  using evidence::JudgmentFile;
  const auto judgments = paths.stages() / "judgments.records";
  expect_damaged<JudgmentFile>(judgments, [](auto& judgment) { judgment.state = static_cast<JudgmentState>(10); });
  EXPECT_THROW(run_stage("export"), FormatError);
  restore_all();
  expect_damaged<JudgmentFile>(judgments, [](auto& judgment) { judgment.source = static_cast<CandidateSource>(255); });
  restore_all();
  expect_damaged<JudgmentFile>(judgments, [](auto& judgment) {
    judgment.votes.push_back({"judge", {}, {}, static_cast<JudgmentState>(200), ""});
  });
  restore_all();
  expect_damaged<evidence::GroupFile>(paths.stages() / "groups.records",
                                      [](auto& group) { group.discarded = static_cast<evidence::DiscardReason>(100); });
  restore_all();
  expect_damaged<evidence::QueryFile>(paths.stages() / "queries.records",
                                      [](auto& query) { query.verdict = static_cast<QueryVerdict>(3); });
}

TEST_F(EditedFilesTest, OnesThatGaveAWrongCollectionOrAnAbort) {
  edited = "judgments.records";
  const auto file = paths.stages() / edited;
  const auto all = evidence::JudgmentFile::read(file);
  auto changed = all;
  changed[0].probability = -5;
  evidence::JudgmentFile::write(file, changed);
  EXPECT_THROW(run_stage("export"), FormatError);
  changed = all;
  std::swap(changed[0], changed[1]);
  evidence::JudgmentFile::write(file, changed);
  EXPECT_THROW(run_stage("export"), FormatError);
}

}  // namespace
}  // namespace touchstone::pipeline
