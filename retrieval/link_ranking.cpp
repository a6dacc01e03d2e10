#include "retrieval/link_ranking.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <unordered_map>

namespace touchstone::retrieval {
namespace {

constexpr std::size_t kSeedDocuments = 10;
constexpr std::size_t kMostPages = 500;  ///< whose documents are ranked
constexpr std::size_t kMostDocumentsOfPage = 1000;

double inlinks(const Index& index, std::uint32_t document) {
  std::size_t most = 0;
  for (const auto page : index.links().pages_of(document)) most = std::max(most, index.links().sources_of(page).size());
  return std::log1p(static_cast<double>(most));
}

std::vector<std::uint32_t> seeds(const Index& index, const Ranking& by_words) {
  std::vector<std::uint32_t> pages;
  for (std::size_t i = 0; i < std::min(by_words.size(), kSeedDocuments); ++i) {
    for (const auto page : index.links().pages_of(by_words[i].document)) pages.push_back(page);
  }
  std::sort(pages.begin(), pages.end());
  pages.erase(std::unique(pages.begin(), pages.end()), pages.end());
  return pages;
}

/// The pages that are linked together with the seeds most, with their numbers; best first.
std::vector<std::pair<std::uint32_t, double>> cocited(const LinkGraph& links, const std::vector<std::uint32_t>& seeds) {
  std::unordered_map<std::uint32_t, double> weights;
  for (const auto seed : seeds) {
    for (const auto source : links.sources_of(seed)) {
      const auto targets = links.targets_of(source);
      for (const auto target : targets) weights[target] += 1.0 / static_cast<double>(targets.size());
    }
  }
  std::vector<std::pair<std::uint32_t, double>> best(weights.begin(), weights.end());
  const auto kept = static_cast<std::ptrdiff_t>(std::min(best.size(), kMostPages));
  std::partial_sort(best.begin(), best.begin() + kept, best.end(), [](const auto& a, const auto& b) {
    return a.second != b.second ? a.second > b.second : a.first < b.first;
  });
  best.resize(static_cast<std::size_t>(kept));
  return best;
}

}  // namespace

Ranking rank_by_inlinks(const Index& index, const Ranking& by_words, std::size_t depth) {
  Ranking ranking;
  double most = 0;
  for (const auto& hit : by_words) most = std::max(most, inlinks(index, hit.document));
  for (const auto& hit : by_words) {
    const double prior = most > 0 ? inlinks(index, hit.document) / most : 0;
    ranking.push_back({hit.document, hit.score / by_words.front().score + prior});
  }
  index.rank(ranking, depth);
  return ranking;
}

Ranking rank_by_cocitation(const Index& index, const Ranking& by_words, std::size_t depth) {
  const auto pages = cocited(index.links(), seeds(index, by_words));
  std::unordered_map<std::uint32_t, double> scores;
  for (const auto& [page, weight] : pages) {
    const auto documents = index.links().documents_of(page);
    for (const auto document : documents.first(std::min(documents.size(), kMostDocumentsOfPage)))
      scores.try_emplace(document, weight / pages.front().second);
  }
  for (const auto& hit : by_words) {
    if (const auto found = scores.find(hit.document); found != scores.end())
      found->second += hit.score / by_words.front().score / 2;
  }
  Ranking ranking;
  for (const auto& [document, score] : scores) ranking.push_back({document, score});
  index.rank(ranking, depth);
  return ranking;
}

}  // namespace touchstone::retrieval
