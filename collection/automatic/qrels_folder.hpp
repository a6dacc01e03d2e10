#pragma once

#include "collection/automatic/qrels_file.hpp"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace touchstone::collection::automatic {

struct QrelsFolderOptions {
  bool list_items = false;  ///< as in DerivationOptions
  bool captions = false;
};

/// What `derive_qrels_folder` has written.
struct QrelsFolder {
  struct File {
    std::string name;
    QrelsCount count;
  };
  std::vector<File> files;
  std::uint64_t pages = 0;              ///< of the pages file; 0 if the input was a file of qrels
  std::vector<std::string> shared_ids;  ///< ids that several pages of different titles have; sorted
};

/// Writes `{article,toplevel,hierarchical,tree}{,.entity}.qrels` into the folder, which is made if it is not there.
///
/// \param input  pages in CBOR with or without a header, or in JSON lines; or hierarchical qrels, which give only the
///               four files without entities
/// Throws as formats::car::for_each_page and formats::trec::read_qrels do; ConfigError if options are given for a file
/// of qrels; FormatError if an id may not be in a line of qrels; StorageError if a file cannot be written.
QrelsFolder derive_qrels_folder(const std::filesystem::path& input, const std::filesystem::path& folder,
                                const QrelsFolderOptions& options = {});

}  // namespace touchstone::collection::automatic
