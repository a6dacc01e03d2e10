#pragma once

#include "pipeline/flow/stage.hpp"

#include <string>

namespace touchstone::pipeline::judging::stage {

/// The judge's precision, recall, F1 and kappa against the gold labels of judge.gold, as a line; where a model or
/// several judges were asked, also a table of each judge with its prompt. Empty without labels.
std::string gold_text(const flow::WorkView& work);

/// What would still have to be asked, topic by topic, with the highest cost; empty where every judge answers at once.
std::string remaining_work_text(const flow::WorkView& work);

}  // namespace touchstone::pipeline::judging::stage
