#pragma once

#include "extractors/page_loader.hpp"
#include "extractors/page_source.hpp"
#include "storage/store.hpp"

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>

namespace touchstone::pipeline::corpus {

/// Adds to `batch` what StoredPages finds of a page: its text, or only that it exists.
void put_included_page(storage::Batch& batch, const extractors::IncludedPage& page);

/// How far the pass that collects included pages came. It is in the same batch as the pages before it.
struct IncludedSoFar {
  std::uint64_t file = 0;    ///< index of the file being read
  std::uint64_t offset = 0;  ///< of its source: everything before is in the store
  std::uint64_t texts = 0;   ///< pages that can be included
  template <class Fields>
  void fields(Fields& field) {
    field("file", file)("offset", offset)("texts", texts);
  }
  std::string encode() const;
};
/// Throws FormatError for bytes that `encode` did not write.
IncludedSoFar included_so_far(const storage::Store& store);

/// Gives included pages out of the store. Keeps the ones it gave, up to a bound: most inclusions are of a few pages.
/// Thread-safe.
class StoredPages : public extractors::PageLoader {
 public:
  explicit StoredPages(const storage::Store& store, std::size_t cache_bytes = std::size_t{32} << 20)
      : store_(store), cache_bytes_(cache_bytes) {}

  std::optional<std::string> load(const Title& title) const override;
  bool exists(const Title& title) const override;

 private:
  const storage::Store& store_;
  std::size_t cache_bytes_;
  mutable std::mutex mutex_;
  mutable std::size_t used_bytes_ = 0;
  mutable std::unordered_map<std::string, std::optional<std::string>> cache_;  ///< by key of the store
};

}  // namespace touchstone::pipeline::corpus
