#include "analysis/studies/table/study_table.hpp"

namespace touchstone::analysis::studies::table {

const std::vector<Study>& all_studies() {
  static const std::vector<Study> studies = {
      partial::partial_study(),           coverage::coverage_study(),    adjudication::adjudication_study(),
      leaderboards::leaderboards_study(), leaderboards::linking_study(), positions::positions_study(),
      reannotation::reannotation_study(),
  };
  return studies;
}

std::vector<const OptionGroup*> all_study_options() {
  std::vector<const OptionGroup*> groups = {&option_group<StudyOptions>()};
  for (const auto& study : all_studies()) {
    if (study.options != nullptr) groups.push_back(study.options);
  }
  return groups;
}

}  // namespace touchstone::analysis::studies::table
