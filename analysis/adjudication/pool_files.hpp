#pragma once

#include "analysis/adjudication/topic_pool.hpp"

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace touchstone::analysis::adjudication {

struct NamedPool {
  std::string topic;
  TopicPool pool;
};

/// The pools of all topics of the runs, by topic in byte order. Ranks are those of formats::trec::RunFile. Throws
/// StorageError and FormatError for a file that is not a run, with file, line and remedy.
std::vector<NamedPool> read_pools(std::span<const std::filesystem::path> runs, std::size_t depth);

/// The run files that `paths` name, those of a folder in byte order of their names. A folder stands for its files *.run
/// and *.run.gz, or without such for all its files that are not hidden. Throws ConfigError for a folder without files.
std::vector<std::filesystem::path> expand_folders(std::span<const std::string> paths);

}  // namespace touchstone::analysis::adjudication
