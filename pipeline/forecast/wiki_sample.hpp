#pragma once

#include "common/stop.hpp"
#include "pipeline/flow/source_records.hpp"

#include <cstdint>
#include <filesystem>
#include <vector>

namespace touchstone::pipeline::forecast {

/// Some of the pages of a wiki, in a file that is read as its dumps are.
struct WikiSample {
  std::vector<flow::SourceInput> sources;
  std::uint64_t bytes = 0;  ///< of text in the sample
  double of_all = 1;        ///< the share that it is of the text of all files, as far as their sizes tell
  bool is_all = false;      ///< it has all pages
};

/// Takes whole pages, or whole lines of JSON: of plain files and dumps of many bzip2 streams from places all over the
/// file, of other compressed files from the beginning. Books are not cut: a sample of them is all.
///
/// Throws ConfigError for standard input, FormatError for what is no dump, StorageError, and Interrupted.
/// \param bytes   of text that it should have
/// \param folder  to write it into
WikiSample sample_wiki(const std::vector<flow::SourceInput>& sources, std::uint64_t bytes,
                       const std::filesystem::path& folder, const StopFlag& stop);

}  // namespace touchstone::pipeline::forecast
