#pragma once

#include "analysis/studies/study.hpp"

#include <cstdint>
#include <string>

namespace touchstone::analysis::studies::leaderboards {

/// The qrels that are compared with those of the shared options.
struct OtherQrels {
  std::string file;
  std::int64_t min_grade = 1;  ///< lowest relevant grade
  bool own_topics = false;     ///< each leaderboard is over all topics of its qrels
  bool only_positive = false;  ///< neither qrels has a label for what is not relevant, so that labels are not compared
};

/// What `study leaderboards` finds. Throws as Study::run does.
StudyOutput compare_leaderboards(StudyContext& context, const StudyOptions& shared, const OtherQrels& other);

}  // namespace touchstone::analysis::studies::leaderboards
