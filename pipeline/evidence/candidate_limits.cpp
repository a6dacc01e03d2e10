#include "pipeline/evidence/candidate_limits.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace touchstone::pipeline::evidence {
namespace {

bool is_added(const CandidatePassage& passage) noexcept {
  return passage.source > CandidateSource::kLink;
}

std::uint64_t count_added(const TopicCandidates::Member& member) {
  return static_cast<std::uint64_t>(std::count_if(member.passages.begin(), member.passages.end(), is_added));
}

/// Keeps the first `most` passages, by source and place. Returns how many were left out.
std::uint64_t keep_strongest(std::vector<CandidatePassage>& passages, std::uint64_t most) {
  if (passages.size() <= most) return 0;
  const auto cut = passages.size() - most;
  const auto strength = [](const auto& passage) { return std::max(passage.source, CandidateSource::kLink); };
  std::sort(passages.begin(), passages.end(), [&](const auto& a, const auto& b) {
    return std::tuple(strength(a), a.page, a.ordinal) < std::tuple(strength(b), b.page, b.ordinal);
  });
  passages.resize(most);
  std::sort(passages.begin(), passages.end(),
            [](const auto& a, const auto& b) { return std::tie(a.page, a.ordinal) < std::tie(b.page, b.ordinal); });
  return cut;
}

/// The same, with a limit for what mentions and pages add.
std::uint64_t keep_added(TopicCandidates::Member& member, std::uint64_t most) {
  const auto added = count_added(member);
  return added <= most ? 0 : keep_strongest(member.passages, member.passages.size() - added + most);
}

}  // namespace

std::vector<std::uint64_t> shares_of(const std::vector<std::uint64_t>& counts, std::uint64_t most) {
  auto shares = counts;
  if (std::accumulate(counts.begin(), counts.end(), std::uint64_t{0}) <= most) return shares;
  auto sorted = counts;
  std::sort(sorted.begin(), sorted.end());
  std::uint64_t left = most, level = 0;
  std::size_t open = sorted.size();
  for (const auto count : sorted) {
    level = left / open;
    if (count > level) break;
    left -= count;
    --open;
  }
  std::uint64_t rest = left - level * open;
  for (auto& share : shares) {
    if (share <= level) continue;
    share = level + (rest > 0 ? 1 : 0);
    if (rest > 0) --rest;
  }
  return shares;
}

void limit_candidates(TopicCandidates& topic, const CandidatesOptions& options, CandidateCuts& cuts) {
  const auto most = static_cast<std::uint64_t>(options.max_per_member);
  const auto most_added = static_cast<std::uint64_t>(options.max_added_per_member);
  std::vector<std::uint64_t> added;
  for (auto& member : topic.members) {
    cuts.added_to_members += keep_added(member, most_added);
    if (most > 0) cuts.of_members += keep_strongest(member.passages, most);
    added.push_back(count_added(member));
  }
  const auto shares = shares_of(added, static_cast<std::uint64_t>(options.max_added_per_topic));
  for (std::size_t i = 0; i < shares.size(); ++i) cuts.added_to_topics += keep_added(topic.members[i], shares[i]);
}

}  // namespace touchstone::pipeline::evidence
