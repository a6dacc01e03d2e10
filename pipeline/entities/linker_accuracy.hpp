#pragma once

#include "common/stop.hpp"
#include "linking/accuracy.hpp"
#include "linking/linker.hpp"
#include "pipeline/entities/linked_pages.hpp"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace touchstone::pipeline::entities {

/// How well one way of linking does.
struct LinkerRow {
  std::string name;  ///< "voting" or "prior"
  linking::PageAgreement pages;
};

/// A linker and its baseline against the links of editors.
struct EditorsComparison {
  std::uint64_t pages = 0, links = 0;  ///< that were compared
  /// Links whose phrase the dictionary knows with the page that the editor chose, and true labels of a benchmark that
  /// are entities of the dictionary: no linker finds more.
  std::uint64_t reachable = 0;
  std::vector<LinkerRow> rows;  ///< the linker as the options have it, and the same with the prior alone
};

/// \param chosen  the pages to compare, whose links the dictionary must not hold
EditorsComparison compare_with_pages(const LinkedPages& pages, const linking::Dictionary& dictionary,
                                     const linking::LinkerOptions& options, const std::function<bool(PageId)>& chosen,
                                     int threads, const StopFlag& stop);

/// The same against a benchmark of entity linking (docs/automatic.md): rows have the agreement of paragraphs as
/// `mentions`, and of pages as `entities`. Throws FormatError with the line of a file that is no such benchmark, or
/// whose entities are those of another wiki than the dictionary's.
EditorsComparison compare_with_benchmark(const std::filesystem::path& benchmark, const linking::Dictionary& dictionary,
                                         const linking::LinkerOptions& options, const StopFlag& stop);

}  // namespace touchstone::pipeline::entities
