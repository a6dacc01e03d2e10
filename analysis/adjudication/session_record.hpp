#pragma once

#include "analysis/adjudication/adjudicator.hpp"
#include "analysis/adjudication/pool_files.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>

namespace touchstone::analysis::adjudication {

/// SessionRecord::grades of a session with a judge.
inline constexpr const char* kInteractive = "interactive";

/// Everything that decides which documents have a judgment. A file of judgments is a sample of the pool; without this
/// record nobody can say which one. It is kept beside the file, because readers of qrels know no comments.
struct SessionRecord {
  std::string method;
  std::uint64_t seed = 0;  ///< counts only if the method draws (is_stochastic())
  std::size_t pool_depth = 0, budget = 0;
  int min_grade = 1;
  std::string pool;    ///< digest of the documents and ranks of all runs
  std::string grades;  ///< where grades come from: kInteractive, or the digest of the qrels
};

SessionRecord record_of(const AdjudicationOptions& options, std::size_t pool_depth, int min_grade,
                        std::span<const NamedPool> pools, std::string grades);

/// "method hedge, pool depth 100, budget 50, lowest relevant grade 1", with the seed if the method draws.
std::string describe(const SessionRecord& record);

/// The file that keeps the record of the judgments in `judgments`: its name and `.json`.
std::filesystem::path record_file(const std::filesystem::path& judgments);

/// Checks that `judgments` may take judgments of documents that are chosen so, and writes the record beside it. A file
/// that is missing or empty may; else its record must name the same choice. Only the budget may differ, unless the
/// method chooses by it (top-k); a session with a judge only adds judgments, so that its record keeps the larger one.
/// Throws ConfigError that names each difference, and FormatError and StorageError for a record that cannot be used.
void keep_record(const std::filesystem::path& judgments, const SessionRecord& record);

}  // namespace touchstone::analysis::adjudication
