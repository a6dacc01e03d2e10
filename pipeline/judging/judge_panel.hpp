#pragma once

#include "pipeline/judging/judge.hpp"
#include "pipeline/judging/vote_aggregation.hpp"

#include <memory>
#include <string>
#include <vector>

namespace touchstone::pipeline::judging {

/// How several judges' answers become one.
struct PanelRules {
  TieRule tie = TieRule::kLowest;
  bool cascade = false;  ///< the first judge alone decides outside of [band_low, band_high]
  double band_low = 0, band_high = 1;
};

/// What the judges of a run are, without the means to ask them.
struct PanelDescription {
  std::vector<JudgeDescription> judges;
  PanelRules rules;

  /// For collections and reports: the judge's id, or "majority of a, b", "cascade of a, b".
  std::string name() const;
  bool is_baseline() const;
  /// True when some judge asks somebody: a server, or people.
  bool asks() const;
  bool needs_queries() const;
  /// True when the judges' grades mean different things: yes and no beside 0 to 3, or other lowest grades of evidence.
  /// Such judges vote on evidence, yes or no.
  bool mixed_scales() const;
  /// Lowest grade of a judgment that is evidence.
  int evidence_grade() const;
  /// What the panel's answers depend on, as text: models, parameters, prompts, vote. Neither addresses nor prices, nor
  /// whether requests travel in batches. Empty for a lone judge that asks nobody: its options say it all.
  std::string fingerprint() const;
};

/// The judges of a run.
class JudgePanel {
 public:
  JudgePanel(std::vector<std::unique_ptr<Judge>> judges, PanelRules rules);

  const PanelDescription& description() const noexcept { return description_; }
  const PanelRules& rules() const noexcept { return description_.rules; }
  const std::string& name() const noexcept { return name_; }

  std::size_t size() const noexcept { return judges_.size(); }
  Judge& operator[](std::size_t index) const { return *judges_[index]; }
  auto begin() const noexcept { return judges_.begin(); }
  auto end() const noexcept { return judges_.end(); }

  /// The judges that ask somebody. A cascade whose first judge answers at once becomes a vote: what the others would be
  /// asked depends on it, and this is the most.
  JudgePanel without_instant_judges() &&;

 private:
  std::vector<std::unique_ptr<Judge>> judges_;
  PanelDescription description_;
  std::string name_;
};

}  // namespace touchstone::pipeline::judging
