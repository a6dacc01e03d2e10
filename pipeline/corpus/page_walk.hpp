#pragma once

#include "common/error.hpp"
#include "pipeline/flow/stage.hpp"
#include "storage/keys.hpp"
#include "storage/records.hpp"

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include <oneapi/tbb/parallel_pipeline.h>
#include <oneapi/tbb/task_arena.h>

namespace touchstone::pipeline::corpus {

/// How many bytes of source text a cut has. Small wikis are cut too, so that all threads have work; large ones not into
/// more files than needed.
struct CutBytes {
  std::uint64_t least = std::uint64_t{64} << 10U, most = std::uint64_t{16} << 20U;
  std::uint64_t cuts = 64;  ///< number of cuts between these bounds; each has some files of its own
};

/// Ranges of page ids with about the same number of bytes of source text each: the cuts of a stage that maps pages.
flow::Cuts page_cuts(const storage::Store& store, CutBytes of_cut = {});

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

/// Goes over all pages of the store: `make(id, record)` in several threads, and `take(Result)` in the order of the ids.
/// For what is not a stage; stages map cuts. Memory: the results of some cuts. Throws Interrupted if a stop was
/// requested.
template <class Result, class Make, class Take>
void walk_pages(const flow::ReadContext& context, const Make& make, const Take& take) {
  constexpr std::size_t kCutsAtOnce = 8;
  using Results = std::vector<Result>;
  const auto cuts = page_cuts(context.store);
  std::size_t next = 0;
  const auto read = [&](tbb::flow_control& control) {
    if (next == cuts.size() || context.stop.requested()) {
      control.stop();
      return flow::Cut{};
    }
    return cuts[next++];
  };
  const auto turn = [&](const flow::Cut& cut) {
    Results results;
    for_each_page(context, cut, [&](PageId id, const storage::PageRecord& page) { results.push_back(make(id, page)); });
    return results;
  };
  const auto collect = [&](Results results) {
    for (auto& result : results) take(std::move(result));
  };
  tbb::task_arena arena(context.threads);
  arena.execute([&] {
    tbb::parallel_pipeline(kCutsAtOnce,
                           tbb::make_filter<void, flow::Cut>(tbb::filter_mode::serial_in_order, read) &
                               tbb::make_filter<flow::Cut, Results>(tbb::filter_mode::parallel, turn) &
                               tbb::make_filter<Results, void>(tbb::filter_mode::serial_in_order, collect));
  });
  context.stop.check();
}

}  // namespace touchstone::pipeline::corpus
