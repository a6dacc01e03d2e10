#pragma once

#include "pipeline/judging/gold_labels.hpp"
#include "pipeline/judging/judge.hpp"
#include "pipeline/judging/judge_questions.hpp"

#include <cstddef>
#include <vector>

namespace touchstone::pipeline::judging {

/// A pair with the label of a person, as a judge may be shown it.
struct GoldExample {
  GoldKey pair;
  JudgeRequest request;
  GoldLabel label;
};

/// Labels to show: of each grade the first `count` in the order of digests of the pairs, so that more of them begin
/// alike and no part of the file is preferred. Only pairs that are candidates; of a page with several passages, its
/// first. Yes and no by turns. Reads the candidates once and composes the chosen ones. Throws as compose_questions.
std::vector<GoldExample> choose_examples(const GoldLabels& gold, std::size_t count, const CandidateReader& candidates,
                                         const corpus::TitleIndex& titles, const passages::PassageCorpus& passages);

}  // namespace touchstone::pipeline::judging
