#pragma once

#include "analysis/agreement/coefficients.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace touchstone::analysis::agreement::testing {

/// Items of one topic, one row of grades each.
inline Ratings ratings_of(std::vector<std::vector<int>> rows) {
  Ratings ratings;
  for (std::size_t a = 0; a < rows[0].size(); ++a) ratings.assessors.push_back("a" + std::to_string(a));
  for (std::size_t i = 0; i < rows.size(); ++i) {
    ratings.items.emplace_back("t", "d" + std::to_string(1000 + i));
    ratings.grades.insert(ratings.grades.end(), rows[i].begin(), rows[i].end());
  }
  return ratings;
}

}  // namespace touchstone::analysis::agreement::testing
