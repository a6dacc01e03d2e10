#include "analysis/adjudication/topic_pool.hpp"

#include "common/error.hpp"
#include "formats/trec/run.hpp"

#include <algorithm>
#include <map>
#include <memory>

#include <fmt/format.h>

namespace touchstone::analysis::adjudication {

TopicPool make_topic_pool(std::span<const std::vector<std::string_view>> runs, std::size_t depth,
                          const std::function<bool(std::string_view)>& accept) {
  std::vector<std::string_view> docids;
  for (const auto& run : runs) docids.insert(docids.end(), run.begin(), run.begin() + std::min(depth, run.size()));
  std::sort(docids.begin(), docids.end());
  docids.erase(std::unique(docids.begin(), docids.end()), docids.end());
  if (accept) std::erase_if(docids, [&](std::string_view docid) { return !accept(docid); });
  if (docids.size() >= kNotPooled) throw Error("the pool of a topic has too many documents; lower the pool's depth");
  TopicPool pool;
  pool.depth = depth;
  pool.docids.assign(docids.begin(), docids.end());
  for (const auto& run : runs) {
    auto& documents = pool.runs.emplace_back();
    for (std::size_t rank = 0; rank < std::min(depth, run.size()); ++rank) {
      const auto place = std::lower_bound(docids.begin(), docids.end(), run[rank]);
      const bool found = place != docids.end() && *place == run[rank];
      documents.push_back(found ? static_cast<std::uint32_t>(place - docids.begin()) : kNotPooled);
    }
  }
  return pool;
}

std::vector<NamedPool> read_pools(std::span<const std::filesystem::path> paths, std::size_t depth) {
  std::vector<std::unique_ptr<formats::trec::RunFile>> runs;
  std::map<std::string, std::vector<std::vector<std::string_view>>, std::less<>> rankings;  // topic -> of each run
  for (const auto& path : paths) {
    auto& run = *runs.emplace_back(std::make_unique<formats::trec::RunFile>(path));
    std::vector<formats::trec::RunEntry> entries;
    for (std::size_t t = 0; t < run.topic_count(); ++t) {
      const auto faults = run.read_topic(t, entries);
      if (faults.total() > 0) throw FormatError(run.describe(faults.first_fault, faults.first_offset));
      auto& of_topic = rankings.try_emplace(std::string(run.topic(t)), paths.size()).first->second;
      for (const auto& entry : std::span(entries).first(std::min(depth, entries.size())))
        of_topic[runs.size() - 1].push_back(entry.docid);
    }
  }
  std::vector<NamedPool> pools;
  for (const auto& [topic, of_topic] : rankings) pools.push_back({topic, make_topic_pool(of_topic, depth)});
  return pools;
}

std::vector<std::filesystem::path> expand_folders(std::span<const std::string> paths) {
  std::vector<std::filesystem::path> files;
  for (const auto& path : paths) {
    if (!std::filesystem::is_directory(path)) {
      files.emplace_back(path);
      continue;
    }
    std::vector<std::filesystem::path> found, runs;
    for (const auto& entry : std::filesystem::directory_iterator(path)) {
      const auto name = entry.path().filename().string();
      if (!entry.is_regular_file() || name.starts_with('.')) continue;
      found.push_back(entry.path());
      if (name.ends_with(".run") || name.ends_with(".run.gz")) runs.push_back(entry.path());
    }
    if (found.empty()) throw ConfigError(fmt::format("{} holds no files; name a folder with TREC runs", path));
    if (!runs.empty()) found = std::move(runs);  // others may lie beside them: `retrieve` writes overlap.tsv there
    std::sort(found.begin(), found.end());
    files.insert(files.end(), found.begin(), found.end());
  }
  return files;
}

}  // namespace touchstone::analysis::adjudication
