#pragma once

#include <cstdint>
#include <random>
#include <string>

#include <fmt/format.h>
#include <unistd.h>

namespace touchstone::pipeline::flow {

/// One part of a stage's work, so that several machines can share it: part `index` of `count`, counted from 0. The
/// default is all of the work.
struct Shard {
  std::uint32_t index = 0, count = 1;

  friend bool operator==(const Shard&, const Shard&) = default;
};

/// A name for what this process does once, which no other process has or had. Thread-safe.
inline std::string attempt_name() {
  std::random_device random;
  return fmt::format("{}-{:08x}{:08x}", ::getpid(), random(), random());
}

}  // namespace touchstone::pipeline::flow
