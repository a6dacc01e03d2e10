#pragma once

#include "formats/car/records.hpp"
#include "linking/dictionary.hpp"
#include "linking/linker_options.hpp"
#include "pipeline/entities/missing_titles.hpp"

#include <filesystem>
#include <string>
#include <string_view>

namespace touchstone::pipeline::automatic {

/// Replaces the links of pages by those that an entity linker finds, for pages that nobody linked, such as those of
/// textbooks (Dietz and Dalton, section 3.2). Thread-safe.
class PageRelinker {
 public:
  /// Throws StorageError and FormatError as `Dictionary` does.
  PageRelinker(const std::filesystem::path& dictionary, const touchstone::linking::LinkerOptions& options)
      : dictionary_(dictionary), options_(options), wiki_(dictionary_.fact("wiki")) {}

  /// The text of the page stays as it is, and with it the ids of its paragraphs. The page does not link to itself.
  void relink(formats::car::Page& page) const;

 private:
  touchstone::linking::Dictionary dictionary_;
  touchstone::linking::LinkerOptions options_;
  std::string wiki_;
};

/// Gives links to one entity without a page one target, whichever form of its title they have. Thread-safe.
/// \param wiki  site part of the ids of pages
void unify_missing_targets(formats::car::Page& page, const entities::MissingTitles& titles, std::string_view wiki);

}  // namespace touchstone::pipeline::automatic
