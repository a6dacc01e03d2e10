#include "collection/evidence/collection_counter.hpp"

#include "collection/health/health_check.hpp"
#include "common/number_text.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <string>
#include <vector>

namespace touchstone::collection::evidence {
namespace {

struct Spread {
  double mean = 0;
  double median = 0;
  std::uint64_t min = 0;
  std::uint64_t max = 0;
};

Spread spread(std::vector<std::uint64_t> values) {
  if (values.empty()) return {};
  std::sort(values.begin(), values.end());
  const std::size_t middle = values.size() / 2;
  const auto at = [&](std::size_t i) { return static_cast<double>(values[i]); };
  const auto sum = std::accumulate(values.begin(), values.end(), std::uint64_t{0});
  return {round_to(static_cast<double>(sum) / static_cast<double>(values.size()), health::kShareDigits),
          values.size() % 2 == 1 ? at(middle) : (at(middle - 1) + at(middle)) / 2, values.front(), values.back()};
}

}  // namespace

std::pair<std::uint64_t, std::uint64_t> member_bucket(std::uint64_t members) {
  if (members == 0) return {0, 0};
  std::uint64_t width = 10;
  while (members > width * 10 && width < std::numeric_limits<std::uint64_t>::max() / 100) width *= 10;
  const std::uint64_t first = (members - 1) / width * width + 1;
  return {first, first + width - 1};
}

bool CollectionCounter::member(const MemberRecord& member) {
  const auto topic = topics_.find(member.topic);
  if (topic == topics_.end()) return false;
  ++topic->second.members;
  ++numbers_.members;
  member_pages_.insert(member.page_id);
  return true;
}

void CollectionCounter::judgment(const JudgmentRecord& judgment) {
  ++numbers_.judgments;
  if (judgment.history) ++history_[{judgment.history->state, judgment.history->reason}];
  if (!judgment.grade) {
    ++numbers_.unjudged;
    if (judgment.state == JudgmentState::kUnsure) ++numbers_.unsure;
  } else if (*judgment.grade >= evidence_grade_) {
    ++numbers_.judged_yes;
  } else {
    ++numbers_.judged_no;
  }
  if (!judgment.source) return;
  auto& of_source = by_source_[*judgment.source];
  ++of_source.candidates;
  of_source.judged += judgment.grade ? 1 : 0;
  of_source.evidence += judgment.grade && *judgment.grade >= evidence_grade_ ? 1 : 0;
}

bool CollectionCounter::qrel(const std::string& topic, int grade, bool own_article) {
  const auto entry = topics_.find(topic);
  if (entry == topics_.end()) return false;
  ++numbers_.qrels;
  if (grade > 0) {
    ++entry->second.evidence;
    ++numbers_.evidence;
    if (!own_article) ++evidence_outside_;
  }
  return true;
}

CollectionNumbers CollectionCounter::numbers() const {
  CollectionNumbers numbers = numbers_;
  numbers.topics = topics_.size();
  numbers.distinct_members = member_pages_.size();

  std::vector<std::uint64_t> members;
  std::vector<std::uint64_t> evidence;
  std::map<std::pair<std::uint64_t, std::uint64_t>, CollectionNumbers::Bucket> buckets;
  for (const auto& [id, topic] : topics_) {
    members.push_back(topic.members);
    evidence.push_back(topic.evidence);
    auto& bucket = buckets[member_bucket(topic.members)];
    ++bucket.topics;
    bucket.members += topic.members;
    bucket.evidence += topic.evidence;
  }
  const Spread member_spread = spread(std::move(members));
  numbers.members_mean = member_spread.mean;
  numbers.members_median = member_spread.median;
  numbers.members_min = member_spread.min;
  numbers.members_max = member_spread.max;
  const Spread evidence_spread = spread(std::move(evidence));
  numbers.evidence_mean = evidence_spread.mean;
  numbers.evidence_median = evidence_spread.median;
  numbers.evidence_min = evidence_spread.min;
  numbers.evidence_max = evidence_spread.max;
  if (numbers.evidence > 0) {
    numbers.outside_own_article =
        round_to(static_cast<double>(evidence_outside_) / static_cast<double>(numbers.evidence), health::kShareDigits);
  }
  for (auto& [range, bucket] : buckets) {
    bucket.label = range.second == 0 ? "0" : std::to_string(range.first) + "-" + std::to_string(range.second);
    bucket.evidence_mean =
        round_to(static_cast<double>(bucket.evidence) / static_cast<double>(bucket.topics), health::kShareDigits);
    numbers.buckets.push_back(std::move(bucket));
  }
  for (const auto& [source, counted] : by_source_) {
    auto& entry = numbers.by_source.emplace_back(counted);
    entry.source = source;
    if (entry.judged > 0)
      entry.evidence_share =
          round_to(static_cast<double>(entry.evidence) / static_cast<double>(entry.judged), health::kShareDigits);
  }
  for (const auto& [kind, labels] : history_) {
    const auto& [state, reason] = kind;
    numbers.history.push_back(
        {std::string(to_string(state)), std::string(reason ? to_string(*reason) : std::string_view()), labels});
  }
  return numbers;
}

}  // namespace touchstone::collection::evidence
