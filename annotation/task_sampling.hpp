#pragma once

#include "formats/labeling/task.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace touchstone::annotation {

/// Leaves `size` of the tasks, or all if there are not more; 0: all. Where their judge gave more than one grade, each
/// grade is a stratum, two tasks are drawn of each, and the rest by Neyman's rule (analysis/audit/sample.hpp). Which
/// tasks are drawn does not depend on their order. Throws ConfigError if `size` is too small for two of each.
void draw_tasks(std::vector<formats::labeling::Task>& tasks, std::size_t size, std::uint64_t seed);

/// Makes `count` tasks probes, which every annotator gets, drawn at random among those without a right answer. Throws
/// ConfigError if there are fewer.
void choose_probes(std::vector<formats::labeling::Task>& tasks, std::size_t count, std::uint64_t seed);

}  // namespace touchstone::annotation
