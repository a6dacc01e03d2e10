#include "pipeline/release/previous_collection.hpp"

#include "collection/evidence/collection_lines.hpp"
#include "collection/release/files.hpp"
#include "common/digest.hpp"
#include "common/error.hpp"
#include "common/files.hpp"
#include "pipeline/flow/work_files.hpp"

#include <system_error>

#include <fmt/format.h>

namespace touchstone::pipeline::release {
namespace {

namespace fs = std::filesystem;
using collection::evidence::CollectionLineReader;

bool is_present(const fs::path& path) {
  std::error_code ignored;
  return fs::exists(path, ignored);
}

fs::path collection_of(const corpus::PreviousOptions& options) {
  return flow::WorkPaths{options.work}.file(kCollectionFolder);
}

/// The passages that the previous collection was made of. Throws ConfigError if they or the groups are gone.
passages::PassageCorpus passages_of(const corpus::PreviousOptions& options, const storage::Store& store,
                                    const std::string& wiki) {
  const flow::WorkPaths paths{options.work};
  for (const auto name : {kPassagesFolder, kPassageIndexFile, kRepeatsFile, kGroupsFile}) {
    if (!is_present(paths.file(name)))
      throw ConfigError(
          fmt::format("--previous {}: {} is gone, which says why labels change; build that directory again, or set "
                      "previous.work to nothing to export without a history",
                      options.work, name));
  }
  return {store, paths, {wiki}};
}

}  // namespace

bool PreviousCollection::is_there(const corpus::PreviousOptions& options) {
  if (options.work.empty()) return false;
  if (!is_present(options.work))
    throw ConfigError(
        fmt::format("--previous {}: the work directory is gone, so that the history of the labels cannot be told; "
                    "bring it back, or set previous.work to nothing to export without a history",
                    options.work));
  return is_present(collection_of(options) / collection::release::kDigests.name);
}

std::string PreviousCollection::fingerprint(const Settings& settings) {
  const auto& options = settings.get<corpus::PreviousOptions>();
  if (options.work.empty()) return "";
  const auto digests = collection_of(options) / collection::release::kDigests.name;
  return is_present(digests) ? "previous collection " + sha256_file(digests) : "no previous collection";
}

PreviousCollection::PreviousCollection(const corpus::PreviousOptions& options)
    : directory_(collection_of(options)),
      manifest_digest_(sha256_file(directory_ / collection::release::kManifest.name)),
      manifest_(collection::evidence::read_manifest(directory_)),
      store_(corpus::open_previous(options.work)),
      passages_(passages_of(options, *store_, manifest_.info.wiki)),
      month_(*store_, passages_, flow::WorkPaths{options.work}.file(kGroupsFile)) {}

std::map<std::string, std::string> PreviousCollection::queries() const {
  std::map<std::string, std::string> queries;
  CollectionLineReader reader;
  const auto file = directory_ / "queries.jsonl";
  for_each_line(file, [&](std::string_view line, std::uint64_t number) {
    auto topic = reader.query(line);
    if (!topic) throw FormatError(fmt::format("{}:{}: {}", file.string(), number, topic.error()));
    queries.emplace(std::move(topic->id), std::move(topic->query));
    return true;
  });
  return queries;
}

}  // namespace touchstone::pipeline::release
