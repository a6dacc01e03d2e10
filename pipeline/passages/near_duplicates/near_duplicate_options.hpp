#pragma once

#include "common/settings.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace touchstone {
namespace pipeline::passages::near_duplicates {

/// How much two sets of word bigrams A and B have in common.
enum class OverlapMeasure : std::uint8_t {
  kJaccard,     ///< |A and B| / |A or B|
  kDice,        ///< 2 |A and B| / (|A| + |B|)
  kContainment  ///< |A and B| / min(|A|, |B|), the overlap coefficient
};

/// When two paragraphs are near-duplicates.
struct NearDuplicatesOptions {
  bool enabled = true;
  double threshold = 0.5;
  OverlapMeasure measure = OverlapMeasure::kJaccard;
  bool keep_facts = true;
  std::string vectors;
  std::int64_t seed = 1;
  std::int64_t memory_bytes = 128 << 20;

  static std::vector<Option<NearDuplicatesOptions>> options();
};

}  // namespace pipeline::passages::near_duplicates

template <>
struct Choices<pipeline::passages::near_duplicates::OverlapMeasure> {
  using Measure = pipeline::passages::near_duplicates::OverlapMeasure;
  static constexpr Choice<Measure> table[] = {
      {"jaccard", Measure::kJaccard}, {"dice", Measure::kDice}, {"containment", Measure::kContainment}};
};

}  // namespace touchstone
