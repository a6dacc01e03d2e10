#pragma once

#include "common/settings.hpp"

#include <cstdint>
#include <vector>

namespace touchstone::pipeline::release {

/// Which topics a collection keeps.
struct TopicsOptions {
  std::int64_t min_evidence = 5;

  static std::vector<Option<TopicsOptions>> options();
};

}  // namespace touchstone::pipeline::release
