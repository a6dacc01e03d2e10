#pragma once

#include "storage/store.hpp"

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace touchstone::pipeline::corpus {

/// What the classes of Wikidata in a store are subclasses of. Not thread-safe. Memory: the superclasses of each class
/// that was asked for.
class ItemClasses {
 public:
  /// The store outlives this object.
  explicit ItemClasses(const storage::Store& store) : store_(store) {}

  /// A class and all classes above it, ascending; of more than 10,000 some.
  const std::vector<std::uint64_t>& with_superclasses(std::uint64_t item);

 private:
  const storage::Store& store_;
  std::unordered_map<std::uint64_t, std::vector<std::uint64_t>> known_;
};

}  // namespace touchstone::pipeline::corpus
