#include "analysis/studies/trust/trust_summary.hpp"
#include "common/number_text.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace touchstone::analysis::studies::trust {
namespace {

/// Of the pairs that are told apart, those that depend on how unjudged documents count, in percent.
constexpr double kFewDependent = 5, kManyDependent = 20;
/// Of E rho^2 and of the lower end of its interval. Collections aim at .95, and .8 is the least (J. Urbano, M. Marrero,
/// D. Martin, "On the Measurement of Test Collection Reliability", SIGIR 2013, discuss both).
constexpr double kReliable = 0.95, kLeastReliable = 0.9, kUnreliable = 0.8;
constexpr const char* kAnswerRule =
    "good if at most 5 % of the pairs that are told apart depend on how unjudged documents count, and E rho^2 is at "
    "least .95, with an interval from .9 on; bad if more than 20 % do or E rho^2 is below .8; otherwise caution, and "
    "so "
    "if the labels list relevant documents only. There is no verdict if no pair is told apart.";

std::string pairs_of_systems(std::size_t count) {
  return fmt::format("{} pair{} of systems", with_commas(count), count == 1 ? "" : "s");
}

std::string topics_words(std::size_t topics) {
  return fmt::format("{} topic{}", with_commas(topics), topics == 1 ? "" : "s");
}

/// Percent of the pairs that are told apart, as a text prints it.
double dependent_share(const TrustNumbers& n) {
  return as_shown(100 * static_cast<double>(n.lost) / static_cast<double>(n.significant), 1);
}

/// Whether more of the pairs that are told apart depend on unjudged documents than a good collection may have.
bool depends_on_unjudged(const TrustNumbers& n) {
  return n.significant > 0 && dependent_share(n) > kFewDependent;
}

/// Whether the pairs that are told apart can be believed, and why not. \pre a pair is told apart
std::pair<Verdict, std::string> belief(const TrustNumbers& n) {
  const auto& e = n.reliability->e_rho_squared;
  const double expected = as_shown(e.expected, 3);
  const bool reliable = expected >= kReliable && as_shown(e.low, 3) >= kLeastReliable;
  const bool doubtful = depends_on_unjudged(n), supposes = n.lists_relevant_only && n.unjudged > 0;
  if (reliable && !doubtful && !supposes)
    return {Verdict::kGood, " As far as these labels go, what they tell apart can be believed."};
  std::string text;
  if (supposes) text += " They suppose that documents without a label are not relevant.";
  if (doubtful)
    text += fmt::format(" But {} of the {} pairs that they tell apart depend on how documents without a label count.",
                        with_commas(n.lost), with_commas(n.significant));
  if (!reliable)
    text += fmt::format(
        " With {} it is not sure that the ranking as a whole is reliable (E rho^2 {:.3f}, 95 % interval "
        "from {:.3f}).",
        topics_words(n.topics), e.expected, e.low);
  const bool bad = (doubtful && dependent_share(n) > kManyDependent) || !(expected >= kUnreliable);
  return {bad ? Verdict::kBad : Verdict::kCaution, text};
}

/// What can be said about the best system. \pre a pair is told apart
std::string best_words(const TrustNumbers& n) {
  const auto& best = n.systems.front();
  const auto open = n.systems.size() - 1 - best.better_than;
  if (open == 0) return fmt::format(" The best system, {}, is significantly better than all others.", best.system);
  return fmt::format(
      " The best system, {}, is significantly better than {} of the {} others; no order can be claimed "
      "between it and the {}.",
      best.system, best.better_than, n.systems.size() - 1,
      open == 1 ? std::string("next") : fmt::format("{} that follow it", open));
}

Finding answer(const TrustNumbers& n) {
  const auto& best = n.systems.front();
  if (n.systems.size() < 2)
    return {Verdict::kFact,
            fmt::format("There is one system, so that there is no pair to tell apart. Its {} is {:.4f}.", n.measure,
                        best.mean)};
  if (!n.comparison)
    return {Verdict::kFact, fmt::format("{} cannot tell systems apart: no test knows how much scores vary by topic.",
                                        n.topics == 1 ? "One topic" : "No topic with a value of all systems")};
  const auto pairs = n.pairs.size();
  const double largest = best.mean - n.systems.back().mean, critical = *n.comparison->critical_difference;
  if (largest <= statistics::kEqualScores)
    return {Verdict::kFact,
            fmt::format("All {} systems have the same {}, {:.4f}, so that there is nothing to tell apart.",
                        n.systems.size(), n.measure, best.mean)};
  if (n.significant == 0)
    return {Verdict::kFact,
            fmt::format("These labels tell none of the {} apart by {}: do not claim any order. The best and the worst "
                        "mean differ by {:.4f}, and {} tell only differences above {:.4f} apart.",
                        pairs_of_systems(pairs), n.measure, largest, topics_words(n.topics), critical),
            kAnswerRule};
  const auto open = pairs - n.significant;
  auto text = open == 0 ? fmt::format("These labels tell all {} apart by {}.", pairs_of_systems(pairs), n.measure)
                        : fmt::format(
                              "Of {}, these labels tell {} apart by {}; do not claim an order for the other {}, "
                              "whose means differ by at most {:.4f}, too little for {}.",
                              pairs_of_systems(pairs), with_commas(n.significant), n.measure,
                              open == 1 ? std::string("one") : with_commas(open), critical, topics_words(n.topics));
  const auto [verdict, words] = belief(n);
  return {verdict, text + words + best_words(n), kAnswerRule};
}

Finding topics_finding(const TrustNumbers& n) {
  if (!n.comparison || *n.comparison->critical_difference <= statistics::kEqualScores)
    return {Verdict::kFact, fmt::format("Topics: {} with a value of all systems.", topics_words(n.topics))};
  auto text = fmt::format("Topics: {} tell two systems apart if their means differ by more than {:.4f}.",
                          topics_words(n.topics), *n.comparison->critical_difference);
  const auto& e = n.reliability->e_rho_squared;
  if (std::isnan(e.expected)) return {Verdict::kFact, text};
  text += fmt::format(" E rho^2, the reliability of the ranking as a whole, is {:.3f} (95 % interval {:.3f} to {:.3f})",
                      e.expected, e.low, e.high);
  const double needed = n.topics_needed.e_rho_squared.expected;
  text += std::isfinite(needed)
              ? fmt::format("; {} topics give {}.", with_commas(static_cast<std::uint64_t>(std::max(needed, 1.0))),
                            shortest_digits(n.topics_needed.target))
              : fmt::format("; no number of topics gives {}.", shortest_digits(n.topics_needed.target));
  return {Verdict::kFact, text};
}

/// "8.0 % of the first 10 documents of the runs have no label (from 0.0 % of A to 35.1 % of B)"
std::string unjudged_words(const TrustNumbers& n) {
  const auto by_share = [](const RankedSystem& a, const RankedSystem& b) { return a.unjudged < b.unjudged; };
  std::vector<RankedSystem> known;
  for (const auto& system : n.systems) {
    if (!std::isnan(system.unjudged)) known.push_back(system);
  }
  const auto [least, most] = std::minmax_element(known.begin(), known.end(), by_share);
  auto text = fmt::format("{} of the first {} documents of the runs have no label",
                          percent(static_cast<double>(n.unjudged) / static_cast<double>(n.retrieved)), n.depth);
  if (known.size() > 1)
    text += fmt::format(" (from {} of {} to {} of {})", percent(least->unjudged), least->system,
                        percent(most->unjudged), most->system);
  return text;
}

Finding unjudged_finding(const TrustNumbers& n) {
  if (n.retrieved == 0) return {Verdict::kFact, "Unjudged documents: the runs hold no document of these topics."};
  if (n.unjudged == 0)
    return {Verdict::kFact,
            fmt::format("Unjudged documents: none; all of the first {} documents of the runs have a label.", n.depth)};
  auto text = "Unjudged documents: " + unjudged_words(n) + " and count as not relevant.";
  if (n.lists_relevant_only)
    text +=
        " Most topics have no document that was judged not relevant, so that the labels cannot say what a document "
        "without one is.";
  if (n.has_judged_only)
    text += fmt::format(
        " If they are left out of the rankings instead, {} of the {} pairs are no longer told apart in "
        "this order, and {} other pairs are told apart.",
        with_commas(n.lost), with_commas(n.significant), with_commas(n.gained));
  return {Verdict::kFact, text};
}

Finding assessors_finding(std::span<const StudyOutput> studies) {
  std::string text;
  for (const auto& study : studies) {
    const bool compares_labels = study.study == "reannotation" || study.study == "leaderboards";
    if (compares_labels && !study.findings.empty()) text += " " + study.findings.front().statement;
  }
  if (text.empty())
    text =
        " not known. There is one set of labels, so that nobody can say which pairs other assessors would turn "
        "around; --set reannotation.assessors=FILES takes labels of others.";
  return {Verdict::kFact, "Assessors:" + text};
}

/// Where judging begins: the stratum with the most relevant documents to be expected, of equals the first.
std::string first_stratum(const TrustNumbers& n) {
  const auto best = std::max_element(n.strata.begin(), n.strata.end(), [](const RankStratum& a, const RankStratum& b) {
    return std::pair(a.expected_relevant(), a.unjudged) < std::pair(b.expected_relevant(), b.unjudged);
  });
  return fmt::format(
      "Begin with the {} unjudged documents whose best rank is {}: about {:.0f} of them are relevant if "
      "they are as often relevant as the judged ones there.",
      with_commas(best->unjudged),
      best->first_rank == best->last_rank ? fmt::to_string(best->first_rank)
                                          : fmt::format("{} to {}", best->first_rank, best->last_rank),
      best->expected_relevant());
}

Finding help_finding(const TrustNumbers& n) {
  const std::string start = "What would help most: ";
  if (n.systems.size() < 2) return {Verdict::kFact, start + "runs of other systems, because one has no rival."};
  if (!n.comparison) return {Verdict::kFact, start + "more topics; no test works with fewer than two."};
  if (n.systems.front().mean - n.systems.back().mean <= statistics::kEqualScores)
    return {Verdict::kFact, start + "runs of other systems, because these do not differ."};
  const auto by_topics = n.with_twice_topics - n.significant, by_judging = n.lost + n.gained;
  std::uint64_t documents = 0;
  for (const auto& stratum : n.strata) documents += stratum.unjudged;
  const auto count = [](std::size_t pairs) {
    return fmt::format("{} more pair{}", with_commas(pairs), pairs == 1 ? "" : "s");
  };
  const auto judging = fmt::format("how the {} unjudged documents among the first {} of the runs count decides {}",
                                   with_commas(documents), n.depth, pairs_of_systems(by_judging));
  const auto topics = fmt::format(
      "twice the topics would tell {} apart if the means stay as they are, and take about {} "
      "more judgments",
      count(by_topics), with_commas(n.labels));
  if (by_topics == 0 && by_judging == 0) {
    if (n.lists_relevant_only && n.unjudged > 0)
      return {Verdict::kFact, start + "judgments of documents without a label. " + first_stratum(n)};
    return {Verdict::kFact, start +
                                "labels of a second assessor, because neither twice the topics nor judgments of "
                                "unjudged documents would change which pairs are told apart."};
  }
  if (depends_on_unjudged(n))
    return {Verdict::kFact, start +
                                "judging documents without a label, because pairs that are told apart depend on them. "
                                "More topics with such gaps would repeat the same doubt. " +
                                first_stratum(n)};
  if (by_judging >= by_topics)
    return {Verdict::kFact, start + "judging documents without a label, because " + judging + ", while " + topics +
                                ". " + first_stratum(n)};
  auto text = start + "more topics, because " + topics;
  if (n.has_judged_only) return {Verdict::kFact, text + ", while " + judging + "."};
  if (n.unjudged > 0)
    text +=
        "; what judging documents without a label would change cannot be computed from labels that list relevant "
        "documents only";
  return {Verdict::kFact, text + "."};
}

}  // namespace

std::vector<Finding> trust_findings(const TrustNumbers& numbers, std::span<const StudyOutput> studies) {
  return {answer(numbers), topics_finding(numbers), unjudged_finding(numbers), assessors_finding(studies),
          help_finding(numbers)};
}

}  // namespace touchstone::analysis::studies::trust
