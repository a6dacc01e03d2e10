#pragma once

#include "common/stop.hpp"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace touchstone::pipeline::difference {

struct SnapshotOptions {
  std::vector<std::filesystem::path> collections;  ///< evidence collections of one wiki, oldest first
  std::filesystem::path out;
  /// Leave out of the last slice's qrels what the qrels of earlier slices tell.
  bool withhold_known = false;
};

/// A month of a wiki as a slice of a shared task.
struct Slice {
  std::string name;  ///< "2026-05"
  std::uint64_t documents = 0, topics = 0, labels = 0;
  std::uint64_t known_topics = 0;     ///< that an earlier slice has
  std::uint64_t known_documents = 0;  ///< with a text that an earlier slice has
  /// Labels of a topic and a text for which an earlier slice has a label: who has the earlier qrels need not find them.
  std::uint64_t known_labels = 0;
  std::uint64_t withheld = 0;  ///< labels left out
};

/// Writes collections as slices in the layout of LongEval, a folder for each below `out`: metadata.json (also in etc/)
/// with `timestamp`, `prior-datasets` and `snapshot`; documents/, queries.txt, qrels.txt; and ids.tsv, which ties its
/// documents to those of the slice before. Memory: some 250 bytes for each passage of two slices, and 40 for each
/// passage and label of all. Throws ConfigError for collections of several wikis, of one month, or out of order;
/// StorageError and FormatError as reading a collection does, and StorageError if `out` is there already or cannot be
/// written; Interrupted. A run that is killed leaves only `out`.partial, which the next one removes. Source:
/// ir_datasets_longeval 0.0.16, LongEvalSciDataset.
std::vector<Slice> write_snapshots(const SnapshotOptions& options, const StopFlag& stop);

/// A table for people, and all numbers for programs.
std::string slices_text(const std::vector<Slice>& slices);
std::string slices_json(const std::vector<Slice>& slices);

}  // namespace touchstone::pipeline::difference
