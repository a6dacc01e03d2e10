#pragma once

#include "analysis/agreement/coefficients.hpp"
#include "analysis/audit/estimates.hpp"
#include "formats/labeling/annotation.hpp"
#include "formats/labeling/task.hpp"

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace touchstone::annotation {

/// One annotator's work.
struct AnnotatorNumbers {
  std::string pseudonym;
  std::size_t graded = 0, skipped = 0, difficult = 0;
  double median_ms = 0;        ///< NaN without an answer
  double commonest_share = 0;  ///< of the grade that is given most often; NaN without a grade
  int commonest_grade = 0;
  std::size_t checks = 0, checks_right = 0;  ///< answers to tasks whose right grade is known
  std::size_t compared = 0;                  ///< tasks where the others have a majority
  double kappa = 0;                          ///< Cohen's, against that majority; NaN if it is not defined
  std::vector<std::string> suspicions;       ///< what the owner should look at, a sentence each
};

/// What the answers of a day took.
struct DayNumbers {
  std::string day;  ///< "2026-11-29", UTC
  std::size_t answers = 0;
  std::array<std::size_t, formats::labeling::kHighestGrade + 1> graded{};
  std::array<double, formats::labeling::kHighestGrade + 1> mean_ms{};  ///< NaN without an answer of the grade
};

/// A coefficient over all annotators with its interval.
struct AgreementNumber {
  std::string name;
  double value = 0;
  analysis::agreement::Interval interval;
};

/// The judge's answers beside the people's majority.
struct JudgeNumbers {
  std::size_t tasks = 0;        ///< that the judge saw
  std::size_t voted = 0;        ///< of them, with a majority of people
  std::uint64_t decisions = 0;  ///< that the estimates are about: those that the tasks were drawn from, or the tasks
  bool is_drawn = false;        ///< the tasks were drawn by strata, and the estimates weigh them
  analysis::audit::Estimates estimates;
  AgreementNumber kappa;  ///< over the tasks as they are; NaN without one
};

/// How a campaign goes.
struct CampaignNumbers {
  std::vector<AnnotatorNumbers> annotators;  ///< in the order of the pseudonyms that were given
  std::vector<DayNumbers> days;
  std::map<std::int64_t, std::size_t> half_hours;  ///< answers by the start of the half hour, Unix time in seconds
  std::vector<AgreementNumber> agreement;          ///< empty if no two people judged a task
  std::size_t agreement_tasks = 0;                 ///< that agreement is computed over
  std::size_t agreement_topics = 0;                ///< of these tasks
  std::size_t tasks = 0, begun = 0, complete = 0;  ///< with an answer; with as many votes as they need
  std::array<std::size_t, formats::labeling::kHighestGrade + 1> voted{};  ///< tasks by the majority's grade
  std::array<std::size_t, formats::labeling::kHighestGrade + 1> given{};  ///< answers by grade
  std::size_t answers = 0, shown = 0;  ///< without those that were skipped; with the judge's answer in view
  std::set<std::string> guidelines;    ///< versions that were shown to who answered
  std::optional<JudgeNumbers> judge;   ///< nothing where no task has a judge's answer
};

/// Computes the numbers from the answers that count. Agreement and its intervals are over at most 20,000 tasks, drawn
/// by a digest of their ids. Pure, deterministic. Source of what is watched: Hofstätter et al., "FiRA", CIKM 2020,
/// sections 2.3 and 3, figure 2 (answers, pace, time by grade and day) and figure 5 (kappa of each against the
/// majority; here against the majority of the others, so that nobody agrees with herself).
/// \param overlap  votes that a task needs
/// \param active   annotators who still judge; nothing: all
CampaignNumbers measure_campaign(std::span<const formats::labeling::Task> tasks,
                                 std::span<const formats::labeling::Annotation> answers,
                                 std::span<const std::string> pseudonyms, std::size_t overlap,
                                 std::optional<std::size_t> active = {});

}  // namespace touchstone::annotation
