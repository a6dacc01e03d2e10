#pragma once

#include "common/error.hpp"
#include "pipeline/flow/stage.hpp"
#include "storage/keys.hpp"
#include "storage/records.hpp"

#include <cstddef>
#include <type_traits>
#include <utility>
#include <variant>
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

/// Goes over all pages in the order of their ids. `prepare(id)`
/// is called for one page after the other, in order; `make(id, record, prepared)` turns a page into a `Result` in
/// several threads; `take(Result)` gets the results one by one, in order. Throws Interrupted if a stop was requested.
template <class Result, class Make, class Take, class Prepare>
void walk_pages(const flow::ReadContext& context, const Make& make, const Take& take, const Prepare& prepare) {
  constexpr std::size_t kPagesPerBatch = 64, kBatches = 8;
  constexpr std::size_t kTextBytesPerBatch = std::size_t{256} << 10;  // what is made of a page may be many times larger
  struct Item {
    PageId id;
    storage::PageRecord record;
    std::invoke_result_t<Prepare, PageId> prepared;
  };
  using Pages = std::vector<Item>;
  using Results = std::vector<Result>;
  auto cursor = context.store.cursor(storage::Family::kPage);
  bool stopped = false;
  const auto read = [&](tbb::flow_control& control) {
    Pages pages;
    std::size_t text_bytes = 0;
    const auto is_full = [&] { return pages.size() == kPagesPerBatch || text_bytes >= kTextBytesPerBatch; };
    stopped = context.stop.requested();
    for (; !stopped && cursor.valid() && !is_full(); cursor.next()) {
      const auto id = storage::read_page_key(cursor.key());
      if (!id) throw StorageError("the store holds a page key it should not; build it again");
      pages.push_back({*id, storage::decode_page(cursor.value()), prepare(*id)});
      text_bytes += pages.back().record.text_bytes;
    }
    if (pages.empty()) control.stop();
    return pages;
  };
  const auto turn = [&](Pages pages) {
    Results results;
    results.reserve(pages.size());
    for (auto& [id, record, prepared] : pages) results.push_back(make(id, record, std::move(prepared)));
    return results;
  };
  const auto collect = [&](Results results) {
    for (auto& result : results) take(std::move(result));
    context.progress.done += results.size();
  };
  tbb::task_arena arena(context.threads);
  arena.execute([&] {
    tbb::parallel_pipeline(kBatches, tbb::make_filter<void, Pages>(tbb::filter_mode::serial_in_order, read) &
                                         tbb::make_filter<Pages, Results>(tbb::filter_mode::parallel, turn) &
                                         tbb::make_filter<Results, void>(tbb::filter_mode::serial_in_order, collect));
  });
  if (stopped) context.stop.check();
}

/// Likewise, with nothing to prepare: `make(id, record)`.
template <class Result, class Make, class Take>
void walk_pages(const flow::ReadContext& context, const Make& make, const Take& take) {
  const auto nothing = [](PageId) { return std::monostate(); };
  const auto make_alone = [&](PageId id, const storage::PageRecord& record, std::monostate) {
    return make(id, record);
  };
  walk_pages<Result>(context, make_alone, take, nothing);
}

}  // namespace touchstone::pipeline::corpus
