#pragma once

#include "extractors/page_loader.hpp"
#include "extractors/page_source.hpp"
#include "storage/store.hpp"

#include <cstddef>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>

namespace touchstone::pipeline::corpus {

/// Adds to `batch` what StoredPages finds of a page: its text, or only that it exists.
void put_included_page(storage::Batch& batch, const extractors::IncludedPage& page);

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
