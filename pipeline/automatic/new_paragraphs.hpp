#pragma once

#include "pipeline/automatic/page_composer.hpp"
#include "pipeline/automatic/selection/automatic_options.hpp"
#include "pipeline/corpus/new_pages.hpp"
#include "storage/store.hpp"

#include <filesystem>
#include <optional>
#include <string>

namespace touchstone::pipeline::automatic {

/// Leaves in pages what is newer than a day (corpus::NewPages). Thread-safe.
class NewParagraphs {
 public:
  /// \param previous  a work directory, or empty. Throws as corpus::NewPages.
  NewParagraphs(const storage::Store& store, const std::string& day, const std::filesystem::path& previous,
                const selection::AutomaticOptions& options);

  /// Whether the page may be a query page.
  bool has(PageId page) const { return pages_.has(page); }
  /// Removes the texts that the page had in the previous work directory, wherever they were on it, and sections that
  /// nothing is left of.
  void keep_new(ComposedPage& composed) const;

 private:
  corpus::NewPages pages_;
  std::optional<PageComposer> before_;  ///< of the previous work directory
};

}  // namespace touchstone::pipeline::automatic
