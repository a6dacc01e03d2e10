#pragma once

#include "common/ids.hpp"
#include "common/settings.hpp"
#include "pipeline/flow/work_paths.hpp"
#include "storage/store.hpp"

#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

namespace touchstone::pipeline::inspection {

/// Answers what `touchstone show` asks of a work directory, as JSON whose fields scripts may rely on (docs/show.md).
/// Throws Error when the title is not in the store.
class Inspector {
 public:
  Inspector(const storage::Store& store, const Settings& settings, const flow::WorkPaths& paths);
  ~Inspector();

  nlohmann::ordered_json page(std::string_view title) const;
  nlohmann::ordered_json outline(std::string_view title) const;
  nlohmann::ordered_json tables(std::string_view title) const;
  nlohmann::ordered_json passages(std::string_view title) const;
  nlohmann::ordered_json backlinks(std::string_view title) const;
  /// The groups of one list page, by its title or by a topic id.
  nlohmann::ordered_json group(std::string_view title_or_topic) const;
  nlohmann::ordered_json groups() const;
  /// Judgments of one topic (an empty id: of all), each with the judge's verbatim reply.
  nlohmann::ordered_json judgments(std::string_view topic) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace touchstone::pipeline::inspection
