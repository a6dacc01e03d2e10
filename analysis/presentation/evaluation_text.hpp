#pragma once

#include "analysis/measures/evaluate.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

/// Evaluations as text. All functions are pure.
namespace touchstone::analysis::presentation {

enum class TextFormat : std::uint8_t {
  kTable,     ///< aligned columns, values with four decimals
  kTsv,       ///< comments `# name: value`, header `run measure topic value`; values with all digits
  kJson,      ///< an object with files, options, topics and `values`, an array of {run, measure, topic, value}
  kTrecEval,  ///< the text of trec_eval 10, one run after another
};
inline constexpr std::pair<std::string_view, TextFormat> kTextFormats[] = {{"table", TextFormat::kTable},
                                                                           {"tsv", TextFormat::kTsv},
                                                                           {"json", TextFormat::kJson},
                                                                           {"trec_eval", TextFormat::kTrecEval}};

struct TextOptions {
  TextFormat format = TextFormat::kTable;
  bool per_topic = false;  ///< print the values of each topic, before those over all topics
  bool summary = true;     ///< print the values over all topics, as topic `all`
};

/// Each form but kTrecEval names the program's version, the qrels and the options that change values. Runs keep their
/// order, topics are in byte order, measures are in the evaluation's order (kTrecEval: in trec_eval's). Measures
/// without values for single topics (num_q, gm_map, ...) occur only in the summary, relstring only with topics. The
/// same evaluation gives the same bytes.
std::string evaluation_text(const measures::Evaluation& evaluation, const TextOptions& options);

}  // namespace touchstone::analysis::presentation
