#pragma once

#include "pipeline/flow/shard.hpp"
#include "storage/store.hpp"

#include <cstdint>
#include <string>

namespace touchstone::pipeline::flow {

/// The pages of a shard: those whose ids are in [first, end). Shards are equal ranges of ids, so that each shard finds
/// its own in a few steps, whatever the size of the wiki.
struct PageRange {
  std::uint64_t first = 0, end = std::uint64_t{1} << 32;

  /// The key of the store at which the range begins.
  std::string first_key() const;
};

/// The ranges of all shards of one count cover every page once, in ascending order. Throws StorageError as the store
/// does.
PageRange page_range(const storage::Store& store, Shard shard);

}  // namespace touchstone::pipeline::flow
