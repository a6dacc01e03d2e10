#pragma once

#include "analysis/votes/item_votes.hpp"

#include <string>

/// What a vote gave, for people and as files. All functions are pure.
namespace touchstone::analysis::presentation {

/// How many items have each grade, and how their grades were found, as aligned columns; items without a grade below.
/// Source: figure 4 of FiRA (Hofstätter et al., CIKM 2020).
std::string votes_text(const votes::Votes& votes);

/// A line for each item with a result: topic, docid, member, kind, grade, agreement, votes, skipped and the votes by
/// grade (`0:1 2:2`), below a header, separated by tabs. Tabs and line ends in a member become blanks.
std::string votes_tsv(const votes::Votes& votes);

/// A line for each item without a result: topic, docid, member, kind, votes, skipped, votes by grade and the reason.
std::string left_out_tsv(const votes::Votes& votes);

/// A JSON line for each item whose result has spans: topic, docid, member, kind, grade, `voters` whose selections
/// count, `spans` ([begin, end) in code points, that more than half of them selected) and `heat` ([begin, end,
/// voters]).
std::string spans_json_lines(const votes::Votes& votes);

}  // namespace touchstone::analysis::presentation
