#pragma once

#include "collection/evidence/records.hpp"
#include "pipeline/flow/work_paths.hpp"
#include "pipeline/judging/judge_panel.hpp"
#include "storage/store.hpp"

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

namespace touchstone::pipeline::judging {

/// What a person said of a pair.
struct GoldLabel {
  int grade = 0;    ///< 1: evidence
  std::string why;  ///< the note in the file; may be empty
};

/// Structured query, member title, title of the passage's page.
using GoldKey = std::tuple<std::string, std::string, std::string>;

/// Labels that people made by reading, to measure judges by (docs/gold.md). Keyed by texts, not by ids, so that they
/// outlive a dump: structured query, member title, passage's page title.
class GoldLabels {
 public:
  /// Reads the TSV file. Throws FormatError (file, line, what is wrong).
  static GoldLabels read(const std::filesystem::path& file);

  /// Null when the pair has no label.
  const GoldLabel* find(const GoldKey& pair) const;
  std::size_t size() const noexcept { return labels_.size(); }

 private:
  std::map<GoldKey, GoldLabel> labels_;
};

/// How often a judge agrees with gold labels.
struct GoldAgreement {
  std::uint64_t true_yes = 0, false_yes = 0, true_no = 0, false_no = 0;

  void add(int gold, bool judged_yes);
  std::uint64_t judged() const noexcept { return true_yes + false_yes + true_no + false_no; }
  double precision() const noexcept;
  double recall() const noexcept;
  double f1() const noexcept;
  double accuracy() const noexcept;
  /// Cohen's kappa of the two labellings.
  double kappa() const noexcept;
};

/// One judge against gold labels, with one lowest grade of evidence.
struct JudgeGold {
  std::size_t judge = 0;   ///< of the panel
  int evidence_grade = 1;  ///< lowest grade that is taken as evidence here
  GoldAgreement agreement;
};

/// The judgments of a work directory against gold labels.
struct GoldMeasurement {
  std::size_t labels = 0;  ///< in the file; more than agreement.judged() when some are of pairs that are not candidates
  GoldAgreement agreement;
  /// By judge; one that gives several grades is here once for each lowest grade of evidence that it could have.
  std::vector<JudgeGold> judges;
};

/// What one judge of a panel said in a judgment, on its own scale: its lone answer, or the vote of its samples. Nothing
/// where it was not asked, or gave no grade.
std::optional<int> grade_of_judge(const collection::evidence::JudgmentRecord& judgment, const JudgeDescription& judge,
                                  TieRule tie);

/// Compares what the judge stage wrote with the labels of `gold_file`. Throws FormatError on a bad file.
/// \param panel     that judged
/// \param left_out  pairs that do not count, since the judges were shown their labels
GoldMeasurement measure_gold(const storage::Store& store, const flow::WorkPaths& paths, const PanelDescription& panel,
                             const std::filesystem::path& gold_file, const std::set<GoldKey>& left_out = {});

}  // namespace touchstone::pipeline::judging
