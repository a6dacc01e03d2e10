#pragma once

#include "common/error.hpp"
#include "pipeline/flow/stage.hpp"
#include "storage/keys.hpp"
#include "storage/records.hpp"

#include <cstddef>
#include <utility>
#include <vector>

#include <oneapi/tbb/parallel_pipeline.h>
#include <oneapi/tbb/task_arena.h>

namespace touchstone::pipeline::corpus {

/// Ranges of page ids with about the same number of bytes of source text each: the cuts of a stage that maps pages.
flow::Cuts page_cuts(const storage::Store& store);

/// Calls `use(id, record)` for each page of a cut in the order of their ids, and counts them as done. Throws
/// Interrupted if a stop was requested.
template <class Use>
void for_each_page(const flow::ReadContext& context, const flow::Cut& cut, const Use& use) {
  auto cursor = context.store.cursor(storage::Family::kPage);
  for (cursor.seek(storage::page_key(PageId{static_cast<std::uint32_t>(cut.first)})); cursor.valid(); cursor.next()) {
    const auto id = storage::read_page_key(cursor.key());
    if (!id) throw StorageError("the store holds a page key it should not; build it again");
    if (id->value >= cut.end) break;
    use(*id, storage::decode_page(cursor.value()));
    if ((++context.progress.done & 63) == 0) context.stop.check();
  }
}

/// Turns items into results in several threads: `next(item)` gives one item after the other, in order, and false behind
/// the last one; `weight(item)` is the size of its text in bytes; `make(item)` turns it into a `Result`; `take(Result)`
/// gets the results one by one, in order. Throws Interrupted if a stop was requested.
template <class Item, class Result, class Next, class Weight, class Make, class Take>
void walk(const flow::ReadContext& context, const Next& next, const Weight& weight, const Make& make,
          const Take& take) {
  constexpr std::size_t kItemsPerBatch = 64, kBatches = 8;
  constexpr std::size_t kTextBytesPerBatch = std::size_t{256} << 10;  // what is made of a page may be many times larger
  using Items = std::vector<Item>;
  using Results = std::vector<Result>;
  bool stopped = false;
  const auto read = [&](tbb::flow_control& control) {
    Items items;
    std::size_t bytes = 0;
    stopped = context.stop.requested();
    for (Item item; !stopped && items.size() < kItemsPerBatch && bytes < kTextBytesPerBatch && next(item); item = {}) {
      bytes += weight(item);
      items.push_back(std::move(item));
    }
    if (items.empty()) control.stop();
    return items;
  };
  const auto turn = [&](Items items) {
    Results results;
    results.reserve(items.size());
    for (auto& item : items) results.push_back(make(std::move(item)));
    return results;
  };
  const auto collect = [&](Results results) {
    for (auto& result : results) take(std::move(result));
    context.progress.done += results.size();
  };
  tbb::task_arena arena(context.threads);
  arena.execute([&] {
    tbb::parallel_pipeline(kBatches, tbb::make_filter<void, Items>(tbb::filter_mode::serial_in_order, read) &
                                         tbb::make_filter<Items, Results>(tbb::filter_mode::parallel, turn) &
                                         tbb::make_filter<Results, void>(tbb::filter_mode::serial_in_order, collect));
  });
  if (stopped) context.stop.check();
}

/// Goes over all pages of the store in the order of their ids: `make(id, record)`, then `take(Result)` in order.
template <class Result, class Make, class Take>
void walk_pages(const flow::ReadContext& context, const Make& make, const Take& take) {
  struct Item {
    PageId id;
    storage::PageRecord record;
  };
  auto cursor = context.store.cursor(storage::Family::kPage);
  const auto next = [&](Item& item) {
    if (!cursor.valid()) return false;
    const auto id = storage::read_page_key(cursor.key());
    if (!id) throw StorageError("the store holds a page key it should not; build it again");
    item = {*id, storage::decode_page(cursor.value())};
    cursor.next();
    return true;
  };
  walk<Item, Result>(
      context, next, [](const Item& item) { return item.record.text_bytes; },
      [&](const Item& item) { return make(item.id, item.record); }, take);
}

}  // namespace touchstone::pipeline::corpus
