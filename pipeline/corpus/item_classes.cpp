#include "pipeline/corpus/item_classes.hpp"

#include "storage/keys.hpp"
#include "storage/records.hpp"

#include <cstddef>
#include <set>
#include <string>

namespace touchstone::pipeline::corpus {
namespace {

constexpr std::size_t kMostClasses = 10'000;  // of a class; subclass-of has circles and loose ends

}  // namespace

const std::vector<std::uint64_t>& ItemClasses::with_superclasses(std::uint64_t item) {
  const auto [found, fresh] = known_.try_emplace(item);
  if (!fresh) return found->second;
  std::set<std::uint64_t> seen{item};
  std::string bytes;
  for (std::vector<std::uint64_t> open{item}; !open.empty() && seen.size() < kMostClasses;) {
    const auto of = open.back();
    open.pop_back();
    if (!store_.get(storage::Family::kClass, storage::item_key(of), bytes)) continue;
    for (const auto superclass : storage::decode_class(bytes).superclasses) {
      if (seen.insert(superclass).second) open.push_back(superclass);
    }
  }
  found->second.assign(seen.begin(), seen.end());
  return found->second;
}

}  // namespace touchstone::pipeline::corpus
