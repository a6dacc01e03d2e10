#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// The order in which the documents of a pool are judged.
namespace touchstone::analysis::adjudication {

/// Stands at a rank whose document is not in the pool.
inline constexpr std::uint32_t kNotPooled = static_cast<std::uint32_t>(-1);

/// The documents of a topic that may be judged: those that any run has at rank `depth` or above.
struct TopicPool {
  std::vector<std::string> docids;  ///< in byte order; a document is an index into them
  /// The documents of each run, best first, at most `depth`. kNotPooled where a document was left out, so that the
  /// others keep their ranks.
  std::vector<std::vector<std::uint32_t>> runs;
  std::size_t depth = 0;
};

/// Makes the pool from the runs' first docids of a topic.
/// \param runs  docids of each run, best first; only the first `depth` count
/// \param accept  whether a document may be judged; all if empty. A study leaves out what its qrels do not judge.
/// Throws Error for a pool of 2^32 - 1 documents or more.
TopicPool make_topic_pool(std::span<const std::vector<std::string_view>> runs, std::size_t depth,
                          const std::function<bool(std::string_view)>& accept = {});

struct NamedPool {
  std::string topic;
  TopicPool pool;
};

/// The pools of all topics of the runs, by topic in byte order. Ranks are those of formats::trec::RunFile. Throws
/// StorageError and FormatError for a file that is not a run, with file, line and remedy.
std::vector<NamedPool> read_pools(std::span<const std::filesystem::path> runs, std::size_t depth);

/// The run files that `paths` name, those of a folder in byte order of their names. A folder represents its files *.run
/// and *.run.gz, or without such for all its files that are not hidden. Throws ConfigError for a folder without files.
std::vector<std::filesystem::path> expand_folders(std::span<const std::string> paths);

}  // namespace touchstone::analysis::adjudication
