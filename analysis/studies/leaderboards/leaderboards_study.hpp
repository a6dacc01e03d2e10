#pragma once

#include "analysis/studies/study.hpp"

namespace touchstone::analysis::studies::leaderboards {

/// Whether two qrels, such as automatic and manual ones, lead to the same leaderboard.
/// Source: L. Dietz, J. Dalton, "Humans optional? Automatic Large-Scale Test Collections for Entity, Passage, and
/// Entity-Passage Retrieval", sections 4.2 to 4.5.
Study leaderboards_study();

}  // namespace touchstone::analysis::studies::leaderboards
