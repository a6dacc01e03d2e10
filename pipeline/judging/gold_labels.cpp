#include "pipeline/judging/gold_labels.hpp"

#include "common/error.hpp"
#include "common/files.hpp"
#include "pipeline/corpus/docids.hpp"
#include "pipeline/corpus/title_index.hpp"
#include "pipeline/evidence/evidence_records.hpp"
#include "pipeline/flow/stage_files.hpp"
#include "pipeline/flow/work_files.hpp"

#include <array>
#include <string_view>

namespace touchstone::pipeline::judging {
namespace {

double ratio(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

}  // namespace

GoldLabels GoldLabels::read(const std::filesystem::path& file) {
  constexpr std::string_view kHeader = "page\tsection\tcolumn\tmember\tpassage\tgrade";
  GoldLabels gold;
  for_each_line(file, [&](std::string_view line, std::uint64_t number) {
    const auto fail = [&](const std::string& why) {
      throw FormatError(file.string() + " line " + std::to_string(number) + ": " + why);
    };
    if (number == 1) {
      if (!line.starts_with(kHeader))
        fail(
            "the first line must name the columns page, section, column, member, passage and grade, separated by tabs");
      return true;
    }
    if (line.empty()) return true;
    std::array<std::string_view, 7> fields;  // the last is the note, which may be missing
    std::string_view rest = line;
    for (std::size_t i = 0; i < fields.size(); ++i) {
      const auto tab = rest.find('\t');
      if (tab == std::string_view::npos && i + 2 < fields.size()) fail("has fewer than six columns");
      fields[i] = rest.substr(0, tab);
      rest = tab == std::string_view::npos ? std::string_view{} : rest.substr(tab + 1);
    }
    if (fields[5] != "0" && fields[5] != "1") fail("grade is \"" + std::string(fields[5]) + "\", but must be 0 or 1");
    std::string structured(fields[0]);
    if (!fields[1].empty()) structured += " » " + std::string(fields[1]);
    structured += " » " + std::string(fields[2]);
    const auto [at, added] = gold.labels_.try_emplace({structured, std::string(fields[3]), std::string(fields[4])},
                                                      GoldLabel{fields[5] == "1" ? 1 : 0, std::string(fields[6])});
    static_cast<void>(at);
    if (!added) fail("labels the same pair a second time");
    return true;
  });
  return gold;
}

const GoldLabel* GoldLabels::find(const GoldKey& pair) const {
  const auto found = labels_.find(pair);
  return found == labels_.end() ? nullptr : &found->second;
}

void GoldAgreement::add(int gold, bool judged_yes) {
  if (gold > 0) {
    ++(judged_yes ? true_yes : false_no);
  } else {
    ++(judged_yes ? false_yes : true_no);
  }
}

double GoldAgreement::precision() const noexcept {
  return ratio(true_yes, true_yes + false_yes);
}
double GoldAgreement::recall() const noexcept {
  return ratio(true_yes, true_yes + false_no);
}
double GoldAgreement::f1() const noexcept {
  return ratio(2 * true_yes, 2 * true_yes + false_yes + false_no);
}
double GoldAgreement::accuracy() const noexcept {
  return ratio(true_yes + true_no, judged());
}
double GoldAgreement::kappa() const noexcept {
  const double gold_yes = ratio(true_yes + false_no, judged()), judge_yes = ratio(true_yes + false_yes, judged());
  const double chance = gold_yes * judge_yes + (1 - gold_yes) * (1 - judge_yes);
  return chance >= 1 ? 0 : (accuracy() - chance) / (1 - chance);
}

std::optional<int> grade_of_judge(const collection::evidence::JudgmentRecord& judgment, const JudgeDescription& judge,
                                  TieRule tie) {
  if (judgment.votes.empty()) return judgment.judge == judge.id ? judgment.grade : std::nullopt;
  std::vector<int> grades;
  for (const auto& vote : judgment.votes) {
    if (vote.judge == judge.id && vote.grade) grades.push_back(vote.own_grade.value_or(*vote.grade));
  }
  return majority_grade(grades, tie);
}

/// True if the judge was asked and could not tell: not a yes.
static bool was_unsure(const collection::evidence::JudgmentRecord& judgment, const JudgeDescription& judge) {
  if (judgment.votes.empty()) return judgment.judge == judge.id && judgment.state == JudgmentState::kUnsure;
  return std::any_of(judgment.votes.begin(), judgment.votes.end(), [&](const collection::evidence::VoteRecord& vote) {
    return vote.judge == judge.id && vote.state == JudgmentState::kUnsure;
  });
}

GoldMeasurement measure_gold(const storage::Store& store, const flow::WorkPaths& paths, const PanelDescription& panel,
                             const std::filesystem::path& gold_file, const std::set<GoldKey>& left_out) {
  const auto gold = GoldLabels::read(gold_file);
  const auto file = flow::checked_file(store, paths, kJudgmentsFile);
  if (!std::filesystem::exists(file)) {
    throw Error("there are no judgments in " + paths.root.string() +
                " to compare with gold labels; run touchstone judge or build");
  }
  std::map<std::string, std::string> structured;
  evidence::GroupFile::for_each(flow::checked_file(store, paths, kGroupsFile), [&](const evidence::Group& group) {
    structured.emplace(group.topic, group.structured);
  });
  const corpus::TitleIndex titles(store);
  GoldMeasurement measured;
  measured.labels = gold.size();
  for (std::size_t i = 0; i < panel.judges.size(); ++i) {
    for (int grade = 1; grade <= panel.judges[i].highest_grade; ++grade) measured.judges.push_back({i, grade, {}});
  }
  evidence::JudgmentFile::for_each(file, [&](const collection::evidence::JudgmentRecord& judgment) {
    const auto page = titles.page(corpus::page_of_docid(judgment.docid));
    if (!page) return;
    const GoldKey pair{structured[judgment.topic], judgment.member, page->title.text};
    const auto* found = gold.find(pair);
    if (found == nullptr || left_out.contains(pair)) return;
    const int label = found->grade;
    const bool unsure = judgment.state == JudgmentState::kUnsure;
    if (judgment.grade || unsure) measured.agreement.add(label, judgment.grade.value_or(0) >= panel.evidence_grade());
    for (auto& of : measured.judges) {
      const auto grade = grade_of_judge(judgment, panel.judges[of.judge], panel.rules.tie);
      if (grade || was_unsure(judgment, panel.judges[of.judge]))
        of.agreement.add(label, grade.value_or(0) >= of.evidence_grade);
    }
  });
  return measured;
}

}  // namespace touchstone::pipeline::judging
