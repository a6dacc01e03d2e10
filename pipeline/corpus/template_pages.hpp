#pragma once

#include "extractors/dump_reader.hpp"
#include "extractors/site_info.hpp"
#include "extractors/wikitext_parser.hpp"
#include "storage/store.hpp"

#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>

namespace touchstone::pipeline::corpus {

/// What one batch of the dump holds of pages that others may include.
struct TemplateBatch {
  storage::Batch batch;
  std::uint64_t templates = 0;
  std::uint64_t end_offset = 0;
};

/// Records for the template family: the wikitext of every page of the Template namespace, and for every other page that
/// it exists. Pages that cannot be read are left to the pass that reads all pages, which counts them. Pure,
/// thread-safe.
TemplateBatch read_template_batch(const extractors::SiteInfo& site, const extractors::PageBatch& batch);

/// Gives template pages out of the store. Keeps the ones it gave, up to a bound: most calls are of a few templates.
/// Thread-safe.
class StoredTemplates : public extractors::PageLoader {
 public:
  explicit StoredTemplates(const storage::Store& store, std::size_t cache_bytes = std::size_t{32} << 20)
      : store_(store), cache_bytes_(cache_bytes) {}

  std::optional<std::string> load(const Title& title) const override;
  bool exists(const Title& title) const override;

 private:
  const storage::Store& store_;
  std::size_t cache_bytes_;
  mutable std::mutex mutex_;
  mutable std::size_t used_bytes_ = 0;
  mutable std::unordered_map<std::string, std::optional<std::string>> cache_;
};

}  // namespace touchstone::pipeline::corpus
