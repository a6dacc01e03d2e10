#include "analysis/adjudication/topic_pool.hpp"

#include "common/error.hpp"

#include <algorithm>

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

}  // namespace touchstone::analysis::adjudication
