#include "pipeline/flow/page_range.hpp"

#include "common/error.hpp"
#include "storage/keys.hpp"

namespace touchstone::pipeline::flow {
namespace {

constexpr std::uint64_t kIds = std::uint64_t{1} << 32;

/// One more than the highest page id; 0 without pages.
std::uint64_t end_of_pages(const storage::Store& store) {
  auto cursor = store.cursor(storage::Family::kPage);
  std::uint64_t none_before = 0, none_from = kIds;  // no id is found at or after `none_from`
  while (none_before < none_from) {
    const std::uint64_t middle = (none_before + none_from) / 2;
    cursor.seek(storage::page_key(PageId{static_cast<std::uint32_t>(middle)}));
    if (cursor.valid()) {
      none_before = middle + 1;
    } else {
      none_from = middle;
    }
  }
  return none_from;
}

}  // namespace

std::string PageRange::first_key() const {
  return storage::page_key(PageId{static_cast<std::uint32_t>(first)});
}

PageRange page_range(const storage::Store& store, Shard shard) {
  TS_CHECK(shard.index < shard.count, "a shard's index is below its count");
  if (shard.count == 1) return {};
  const std::uint64_t end = end_of_pages(store);
  const auto bound = [&](std::uint64_t index) { return end * index / shard.count; };
  return {bound(shard.index), bound(std::uint64_t{shard.index} + 1)};
}

}  // namespace touchstone::pipeline::flow
