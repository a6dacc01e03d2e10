#pragma once

#include "analysis/measures/answer_scores.hpp"
#include "analysis/presentation/evaluation_text.hpp"

#include <string>
#include <vector>

namespace touchstone::cli {

/// What `evaluate --answers` is told.
struct AnswerFlags {
  std::string file;
  analysis::measures::AnswerOptions options;
  bool complete = false, lenient = false;
};

/// Scores the answers with the members and the evidence of each collection, and prints the scores. Warns of what they
/// do not show. Throws ConfigError, StorageError and FormatError.
void evaluate_answers(const AnswerFlags& flags, const std::vector<std::string>& collections,
                      const analysis::presentation::TextOptions& text);

}  // namespace touchstone::cli
