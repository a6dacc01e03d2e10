#pragma once

#include "analysis/measures/evaluate.hpp"

#include <cstdint>
#include <string>

/// Evaluations as text, for people and for programs.
namespace touchstone::analysis {

enum class TextFormat : std::uint8_t {
  kTable,     ///< columns of names and values with 4 decimals
  kTsv,       ///< header `run measure topic value`; values in full precision
  kJson,      ///< an array of {run, measure, topic, value}; values in full precision
  kTrecEval,  ///< what trec_eval 10 prints, one run after the other
};

struct TextOptions {
  TextFormat format = TextFormat::kTable;
  bool per_topic = false;  ///< values of single topics too, before those over all topics
  bool summary = true;     ///< values over all topics, with `all` as topic
};

/// The same evaluation gives the same bytes. Runs in their order; topics in byte order; measures in the evaluation's
/// order, under kTrecEval in trec_eval's. Measures whose single topics have no value of their own (num_q, gm_map, ...)
/// occur in the summary only, relstring with topics only.
std::string evaluation_text(const Evaluation& evaluation, const TextOptions& options);

}  // namespace touchstone::analysis
