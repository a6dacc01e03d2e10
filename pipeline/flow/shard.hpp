#pragma once

#include <cstdint>

namespace touchstone::pipeline::flow {

/// One part of a stage's work, so that several machines can share it: part `index` of `count`, counted from 0. The
/// default is all of the work.
struct Shard {
  std::uint32_t index = 0, count = 1;

  friend bool operator==(const Shard&, const Shard&) = default;
};

/// How a stage can be cut into shards.
enum class Cut : std::uint8_t {
  kNone,   ///< it runs as a whole
  kPages,  ///< by ranges of page ids
  kTopics  ///< by ranges of topics
};

}  // namespace touchstone::pipeline::flow
