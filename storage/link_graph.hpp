#pragma once

#include "common/ids.hpp"
#include "common/records/record_bytes.hpp"
#include "storage/backlink_block.hpp"
#include "storage/bulk_loader.hpp"
#include "storage/store.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <span>
#include <string>
#include <utility>
#include <vector>

/// Who links to whom: the families `backlink_source`, `backlink_list` and `backlink_place` (docs/store.md). All access
/// to them is here. The lists name pages alone, so that they are small and quick to read; the places of the links are
/// apart.
namespace touchstone::storage {

/// The pages that link to others, ascending. Their indices are the numbers in the lists.
class SourcePages {
 public:
  SourcePages() = default;
  /// \pre pages ascend strictly
  explicit SourcePages(std::vector<PageId> pages);

  std::span<const PageId> pages() const noexcept { return pages_; }
  std::uint32_t size() const noexcept { return static_cast<std::uint32_t>(pages_.size()); }
  /// \pre the page is one of them
  std::uint32_t number_of(PageId page) const;

 private:
  std::vector<PageId> pages_;
  unsigned shift_ = 0;                ///< pages whose ids agree but for so many bits share a slot
  std::vector<std::uint32_t> slots_;  ///< number of the first page of each slot
};

/// Writes the families. Not thread-safe. Throws StorageError.
class LinkGraphWriter {
 public:
  /// Writes the sources.
  /// \param sources  outlive this object
  LinkGraphWriter(const SourcePages& sources, BulkLoader& loader);

  /// \param source  one of the sources, behind those that were added for this target
  /// \param places  of the links there: ordinal of the paragraph + 1, or 0 for elsewhere; ascending, not empty
  void add_source(PageId source, std::span<const std::uint32_t> places);
  /// Says that these were all sources of a target. \pre targets ascend
  void end_target(PageId target);
  void finish();

  std::uint64_t targets() const noexcept { return targets_; }  ///< with a source
  std::uint64_t links() const noexcept { return links_; }      ///< pairs of a source and a target
  std::uint64_t list_bytes() const noexcept { return list_bytes_; }
  std::uint64_t place_bytes() const noexcept { return place_bytes_; }

 private:
  void end_block();

  const SourcePages& sources_;
  BulkLoader& loader_;
  internal::BacklinkBlockBuilder lists_;
  std::vector<std::uint32_t> numbers_;  ///< of the sources of the target
  records::Encoder places_of_target_, places_;
  std::uint64_t targets_ = 0, links_ = 0, list_bytes_ = 0, place_bytes_ = 0;
};

/// Reads the families. Thread-safe. The first call that needs the sources reads all of them: 4 bytes of memory each.
/// Throws StorageError for damaged records.
class LinkGraph {
 public:
  explicit LinkGraph(const Store& store) : store_(store) {}

  /// True if no page links to another, or if the links were not inverted yet.
  bool empty() const { return !store_.cursor(Family::kBacklinkList).valid(); }
  /// How many pages link to a page.
  std::uint32_t count(PageId target) const;
  /// The pages that link to a page, ascending.
  std::vector<PageId> sources(PageId target) const;
  /// A page that links to another.
  struct Source {
    PageId page;
    std::vector<std::uint32_t> places;  ///< paragraph ordinal + 1, ascending; 0: elsewhere on the page
    friend bool operator==(const Source&, const Source&) = default;
  };
  /// The same with the places of the links.
  std::vector<Source> sources_with_places(PageId target) const;

  /// Calls `use(target, sources)` for each page with backlinks and an id in [first, last], ascending.
  using ListUse = std::function<void(PageId target, std::span<const PageId> sources)>;
  void for_each_list(PageId first, PageId last, const ListUse& use) const;

 private:
  class Lookup;
  std::span<const PageId> pages_for(const internal::BacklinkBlock& block) const;

  const Store& store_;
  mutable std::mutex mutex_;
  mutable std::vector<Cursor> cursors_;  ///< that no thread uses
  mutable std::once_flag read_;
  mutable std::vector<PageId> pages_;
};

}  // namespace touchstone::storage
