#include "pipeline/corpus/redirect_map.hpp"

#include <algorithm>

namespace touchstone::pipeline::corpus {

std::optional<RedirectMap::End> RedirectMap::follow(PageId page) const {
  End end{page};
  for (int hop = 0; hop <= kMaxRedirectHops; ++hop) {
    const auto next = next_.find(end.page);
    if (next == next_.end()) return end;
    end = {next->second.page, end.to_section || next->second.to_section};
  }
  return std::nullopt;
}

std::vector<std::pair<PageId, storage::AliasRecord>> RedirectMap::aliases() const {
  std::vector<std::pair<PageId, storage::AliasRecord::Alias>> ends;
  for (const auto& [redirect, next] : next_) {
    if (const auto end = follow(redirect)) ends.push_back({end->page, {redirect, end->to_section}});
  }
  std::sort(ends.begin(), ends.end(), [](const auto& a, const auto& b) {
    return std::pair(a.first, a.second.page) < std::pair(b.first, b.second.page);
  });
  std::vector<std::pair<PageId, storage::AliasRecord>> records;
  for (const auto& [page, alias] : ends) {
    if (records.empty() || records.back().first != page) records.push_back({page, {}});
    records.back().second.aliases.push_back(alias);
  }
  return records;
}

std::vector<PageId> RedirectMap::circles() const {
  std::vector<PageId> found;
  for (const auto& [redirect, next] : next_) {
    if (!follow(redirect)) found.push_back(redirect);
  }
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace touchstone::pipeline::corpus
