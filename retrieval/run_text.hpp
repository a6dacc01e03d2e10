#pragma once

#include "retrieval/document.hpp"
#include "retrieval/index.hpp"

#include <string>
#include <string_view>

namespace touchstone::retrieval {

/// The lines of one topic in a TREC run. Scores are printed so that each is smaller than the one before, also in single
/// precision, with which trec_eval compares: equal ones go down by the least step. Every reader therefore keeps the
/// order.
std::string run_lines(const Index& index, std::string_view topic, const Ranking& ranking, std::string_view tag);

namespace internal {

/// Scores in single precision, each smaller than the one before. \pre descending
std::vector<float> strictly_descending(const Ranking& ranking);

}  // namespace internal

}  // namespace touchstone::retrieval
