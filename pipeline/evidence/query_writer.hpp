#pragma once

#include "pipeline/evidence/evidence_records.hpp"
#include "pipeline/flow/stage.hpp"

#include <memory>
#include <string>
#include <vector>

namespace touchstone::pipeline::evidence {

/// Words topics better than the template does.
class QueryWriter {
 public:
  virtual ~QueryWriter() = default;
  /// Puts its words in the place of the template's. A topic for which it has none keeps the template's, and is counted
  /// in `report`. Throws Interrupted when the run must stop.
  /// \param groups   the topics
  /// \param queries  of the same topics in the same order, worded by the template
  virtual void write(const std::vector<const Group*>& groups, std::vector<TopicQuery>& queries,
                     flow::StageReport& report) = 0;
};

/// How the phrase stage comes by a writer that asks a model. Models are known in a room above this one, which fills
/// this in; the stage declares what the writer reads and keeps as its own.
struct ModelQueries {
  std::vector<flow::OptionUse> options;
  std::vector<flow::Artifact> keeps;
  /// Of all that the words depend on besides options: what the model's answers depend on, where it words the queries,
  /// and the review.
  std::string (*fingerprint)(const Settings& settings) = nullptr;
  /// Null where the template words the queries.
  std::unique_ptr<QueryWriter> (*make)(flow::WriteContext& context) = nullptr;
};

}  // namespace touchstone::pipeline::evidence
