#pragma once

#include "analysis/studies/study.hpp"

/// What labels that were chosen by an adjudication method would say about systems.
/// Source: D. Otero, J. Parapar, N. Ferro, "How Discriminative Are Your Qrels?", CIKM 2023, sections 3 to 5.
namespace touchstone::analysis::studies::adjudication {

/// `touchstone study adjudication`. The gold labels are the judged documents in the pool of the runs.
Study adjudication_study();

}  // namespace touchstone::analysis::studies::adjudication
