#include "analysis/measures/ranking.hpp"
#include "common/error.hpp"

#include <algorithm>
#include <cmath>
#include <queue>
#include <string_view>
#include <tuple>

// Measures of novelty and diversity over the facets of a topic, as the TREC Web track's ndeval 4.5 defines them. Facets
// without a relevant passage are left out.
namespace touchstone::analysis::measures::internal {
namespace {

using FacetGrade = formats::trec::QrelsTable::FacetGrade;

/// The facets that the judged passages of a topic are relevant to.
class FacetRelevance {
 public:
  explicit FacetRelevance(const View& view) : counts_(view.qrels->facet_count(view.topic)) {
    const auto judgments = view.qrels->judgments(view.topic).size();
    first_.assign(judgments + 1, 0);
    for (const FacetGrade& grade : view.qrels->facet_grades(view.topic)) {
      if (grade.grade < view.min_grade) continue;
      facets_.push_back(grade.facet);
      ++first_[grade.judgment + 1];
      ++counts_[grade.facet];
    }
    for (std::size_t i = 1; i < first_.size(); ++i) first_[i] += first_[i - 1];
    facets_seen_ = static_cast<double>(std::count_if(counts_.begin(), counts_.end(), [](auto n) { return n > 0; }));
  }

  std::span<const std::uint32_t> of(std::size_t judgment) const {
    return std::span(facets_).subspan(first_[judgment], first_[judgment + 1] - first_[judgment]);
  }
  std::size_t judgments() const noexcept { return first_.size() - 1; }
  /// Relevant passages of each facet.
  const std::vector<std::uint32_t>& counts() const noexcept { return counts_; }
  double facets() const noexcept { return facets_seen_; }

 private:
  std::vector<std::uint32_t> counts_, facets_;
  std::vector<std::size_t> first_;
  double facets_seen_ = 0;
};

/// Gain of a passage to a reader for whom each further passage on a facet is worth (1 - alpha) of the one before.
class Novelty {
 public:
  Novelty(const FacetRelevance& relevance, double alpha)
      : relevance_(relevance), worth_(relevance.counts().size(), 1.0), keeps_(1 - alpha) {}
  double gain(std::size_t judgment) const {
    double sum = 0;
    for (const auto facet : relevance_.of(judgment)) sum += worth_[facet];
    return sum;
  }
  void take(std::size_t judgment) {
    for (const auto facet : relevance_.of(judgment)) worth_[facet] *= keeps_;
  }

 private:
  const FacetRelevance& relevance_;
  std::vector<double> worth_;
  double keeps_;
};

double discount(const Measure& measure, std::uint32_t rank) {
  switch (measure.kind) {
    case MeasureKind::kAlphaDcg:
    case MeasureKind::kAlphaNdcg:
      return 1 / log2_discount(rank);
    case MeasureKind::kErrIa:
    case MeasureKind::kNerrIa:
      return 1 / (rank + 1.0);
    default:
      return std::pow(measure.numbers[1], rank);
  }
}

double discounted_novelty(const Measure& measure, const View& view, const FacetRelevance& relevance) {
  Novelty novelty(relevance, measure.numbers[0]);
  double sum = 0;
  for (const auto& hit : view.hits) {
    if (hit.rank >= depth_of(measure)) break;
    sum += novelty.gain(hit.judgment) * discount(measure, hit.rank);
    novelty.take(hit.judgment);
  }
  return sum;
}

/// The ideal ranking takes the most novel passage at each rank, ties by descending docid. (The exact optimum is
/// NP-hard.) Gains never grow, so if the passage at the head of the queue keeps its gain after an update, it is the
/// best.
double ideal_discounted_novelty(const Measure& measure, const View& view, const FacetRelevance& relevance) {
  struct Candidate {
    double gain;
    std::string_view docid;
    std::size_t judgment;
    bool operator<(const Candidate& other) const { return std::tie(gain, docid) < std::tie(other.gain, other.docid); }
  };
  Novelty novelty(relevance, measure.numbers[0]);
  std::priority_queue<Candidate> queue;
  const auto judgments = view.qrels->judgments(view.topic);
  for (std::size_t i = 0; i < relevance.judgments(); ++i) {
    if (!relevance.of(i).empty()) queue.push({novelty.gain(i), judgments[i].docid, i});
  }
  double sum = 0;
  for (std::uint32_t rank = 0; rank < depth_of(measure) && !queue.empty();) {
    Candidate best = queue.top();
    queue.pop();
    const double now = novelty.gain(best.judgment);
    if (now < best.gain) {
      best.gain = now;
      queue.push(best);
      continue;
    }
    sum += now * discount(measure, rank++);
    novelty.take(best.judgment);
  }
  return sum;
}

/// Upper bound of any ranking: every passage is relevant to every facet.
double upper_bound(const Measure& measure, double facets) {
  const double keeps = 1 - measure.numbers[0];
  if (measure.kind == MeasureKind::kNrbp) return facets / (1 - keeps * measure.numbers[1]);
  if (measure.cutoff == 0) {  // ERR_IA: the sum of keeps^(i-1) / i over all i
    return keeps == 0 ? facets : facets * -std::log(1 - keeps) / keeps;
  }
  double sum = 0, gain = facets;
  for (std::uint32_t rank = 0; rank < measure.cutoff && gain > 0; ++rank, gain *= keeps) {
    sum += gain * discount(measure, rank);
  }
  return sum;
}

double intent_aware_ap(const View& view, const FacetRelevance& relevance) {
  std::vector<double> seen(relevance.counts().size()), sums(seen.size());
  for (const auto& hit : view.hits) {
    for (const auto facet : relevance.of(hit.judgment)) sums[facet] += ++seen[facet] / (hit.rank + 1.0);
  }
  double sum = 0;
  for (std::size_t i = 0; i < sums.size(); ++i) {
    if (relevance.counts()[i] > 0) sum += sums[i] / relevance.counts()[i];
  }
  return sum / relevance.facets();
}

}  // namespace

double facet_score(const Measure& measure, const View& view) {
  const FacetRelevance relevance(view);
  if (relevance.facets() == 0) return 0;
  const auto depth = depth_of(measure);
  switch (measure.kind) {
    case MeasureKind::kAlphaDcg:
    case MeasureKind::kErrIa:
    case MeasureKind::kNrbp:
      return discounted_novelty(measure, view, relevance) / upper_bound(measure, relevance.facets());
    case MeasureKind::kAlphaNdcg:
    case MeasureKind::kNerrIa:
    case MeasureKind::kNnrbp:
      return discounted_novelty(measure, view, relevance) / ideal_discounted_novelty(measure, view, relevance);
    case MeasureKind::kApIa:
      return intent_aware_ap(view, relevance);
    case MeasureKind::kPrecisionIa:
    case MeasureKind::kStRecall: {
      std::vector<std::uint32_t> seen(relevance.counts().size());
      for (const auto& hit : view.hits) {
        if (hit.rank >= depth) break;
        for (const auto facet : relevance.of(hit.judgment)) ++seen[facet];
      }
      double sum = 0;
      const bool covered = measure.kind == MeasureKind::kStRecall;
      for (const auto n : seen) sum += covered ? std::min(n, 1U) : n;
      return sum / (covered ? relevance.facets() : relevance.facets() * measure.cutoff);
    }
    default:
      TS_CHECK(false, "a measure of facets");
      return 0;
  }
}

}  // namespace touchstone::analysis::measures::internal
