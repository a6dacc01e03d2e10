#pragma once

#include "common/settings.hpp"

#include <cstdint>
#include <vector>

namespace touchstone::pipeline::release {

/// Which topics a collection keeps.
struct TopicsOptions {
  std::int64_t min_evidence = 5;
  double min_probability = 0.6;
  double max_unsure = 0.9;

  static std::vector<Option<TopicsOptions>> options();
};

}  // namespace touchstone::pipeline::release
