#include "analysis/studies/table/study_table.hpp"

#include "analysis/studies/adjudication/adjudication_study.hpp"
#include "analysis/studies/coverage/coverage_study.hpp"
#include "analysis/studies/leaderboards/leaderboards_study.hpp"
#include "analysis/studies/partial/partial_study.hpp"
#include "analysis/studies/positions/positions_study.hpp"
#include "analysis/studies/reannotation/reannotation_study.hpp"

namespace touchstone::analysis::studies::table {

const std::vector<Study>& all_studies() {
  static const std::vector<Study> studies = {
      partial::partial_study(),           coverage::coverage_study(),   adjudication::adjudication_study(),
      leaderboards::leaderboards_study(), positions::positions_study(), reannotation::reannotation_study(),
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
