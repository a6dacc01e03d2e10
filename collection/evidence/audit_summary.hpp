#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace touchstone::collection::evidence {

/// Digits after the point of shares and probabilities in an audit.
inline constexpr int kAuditDigits = 4;

/// How often two people agree who answered the same.
struct AuditAgreement {
  /// With fewer topics, intervals that resample topics are too narrow.
  static constexpr std::uint64_t kFewTopics = 10;

  std::uint64_t decisions = 0, topics = 0, pairs = 0;
  double share = 0, low = 0,
         high = 0;         ///< of the pairs; the interval by resampling topics, or the decisions of a single one
  double alpha = 0;        ///< Krippendorff's
  bool has_alpha = false;  ///< false: it is not defined, since all answers are alike
};

/// The judge's probabilities in a range against people's answers.
struct AuditRange {
  double from = 0, to = 0;
  std::uint64_t decisions = 0, audited = 0;
  double mean_probability = 0;
  bool is_known = false;                ///< people answered in each of its strata
  double share = 0, low = 0, high = 0;  ///< of evidence, by people
};

/// The judge's probabilities against people's answers.
struct AuditCalibration {
  std::string method;                      ///< "platt" or "isotonic"
  std::uint64_t answers = 0;               ///< audited decisions with a probability
  double brier = 0, brier_calibrated = 0;  ///< the second by cross validation
  double error = 0, error_calibrated = 0;  ///< expected calibration error
  std::vector<AuditRange> ranges;
};

/// What people found about the judge of a collection: `audit` of manifest.json (docs/audit.md). All decisions are those
/// of the judge before people corrected any.
struct AuditSummary {
  std::uint64_t decisions = 0;     ///< of the judge, with and without a grade
  std::uint64_t audited = 0;       ///< of them, people gave a grade
  std::uint64_t people = 0;        ///< pseudonyms among the answers
  std::uint64_t answers = 0;       ///< with a grade, one for each person and decision
  std::uint64_t corrections = 0;   ///< audited decisions on which people say yes to a no of the judge, or the reverse
  std::uint64_t added = 0;         ///< audited decisions on which the judge gave no grade
  std::uint64_t tied = 0;          ///< decisions on which as many people said yes as no, left as they were
  std::uint64_t skipped = 0;       ///< decisions that were shown and that nobody graded
  std::uint64_t replaced = 0;      ///< answers that the same person replaced by a later one
  std::uint64_t shown = 0;         ///< answers that were given with the judge's answer in view
  std::string tie = "lowest";      ///< which grade wins a tie: lowest, highest or none
  int bins = 5;                    ///< equal ranges of the probability by which strata are made
  std::vector<std::string> parts;  ///< what else parts them: "source", "own-article", "position"

  /// A number of the whole collection with its 95 % interval.
  struct Number {
    std::string name;  ///< "precision", "recall", "f1", "accuracy", "evidence", "confirmed_no", "balanced_agreement"
    std::string why;   ///< why there is no value; empty where there is one
    double value = 0, low = 0, high = 0;
  };
  std::vector<Number> numbers;

  std::optional<AuditAgreement> agreement;  ///< nothing unless two people answered the same

  struct Stratum {
    std::string name;
    std::uint64_t decisions = 0, audited = 0, evidence = 0;
  };
  std::vector<Stratum> strata;

  std::optional<AuditCalibration> calibration;  ///< nothing if the judge gives no probability, or nobody answered one

  const Number* number(std::string_view name) const {
    for (const auto& number : numbers) {
      if (number.name == name) return &number;
    }
    return nullptr;
  }
};

}  // namespace touchstone::collection::evidence
