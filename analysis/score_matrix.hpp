#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace touchstone::analysis {

/// Scores of systems on topics, row-major: `values[system * topics.size() + topic]`.
struct ScoreMatrix {
  std::vector<std::string> systems, topics;
  std::vector<double> values;
  double at(std::size_t system, std::size_t topic) const { return values[system * topics.size() + topic]; }
};

}  // namespace touchstone::analysis
