#pragma once

#include <cstdint>

namespace touchstone::pipeline::flow {

/// One part of a stage's work, so that several machines can share it: part `index` of `count`, counted from 0. The
/// default is all of the work.
struct Shard {
  std::uint32_t index = 0, count = 1;

  friend bool operator==(const Shard&, const Shard&) = default;
};

}  // namespace touchstone::pipeline::flow
