#pragma once

#include "analysis/studies/study.hpp"

namespace touchstone::analysis::studies::positions {

/// Where in documents relevant snippets stand.
/// Source: S. Hofstaetter et al., "Fine-Grained Relevance Annotations for Multi-Task Document Ranking and Question
/// Answering" (FiRA), CIKM 2020, section 4.1.
Study positions_study();

}  // namespace touchstone::analysis::studies::positions
