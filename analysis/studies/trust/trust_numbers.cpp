#include "analysis/studies/trust/trust_numbers.hpp"

#include "analysis/statistics/distributions.hpp"
#include "common/error.hpp"
#include "common/files.hpp"
#include "formats/beir/beir_lines.hpp"
#include "formats/trec/qrels.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <unordered_map>
#include <vector>

#include <fmt/format.h>

namespace touchstone::analysis::studies::trust {
namespace {

namespace fs = std::filesystem;

struct KnownPlace {
  std::string_view name;
  QrelsForm form;
};

/// The first that is there counts.
constexpr std::array<KnownPlace, 4> kKnownPlaces{{{"qrels.txt", QrelsForm::kTrec},
                                                  {"trec/test.hierarchical.qrels", QrelsForm::kTrec},
                                                  {"trec/train.hierarchical.qrels", QrelsForm::kTrec},
                                                  {"qrels/test.tsv", QrelsForm::kBeir}}};

bool is_file(const fs::path& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored);
}

bool has_any(const fs::path& directory, std::initializer_list<const char*> names) {
  return std::any_of(names.begin(), names.end(), [&](const char* name) { return is_file(directory / name); });
}

/// Files of the directory itself whose names have the word qrels, in byte order.
std::vector<fs::path> files_named_qrels(const fs::path& directory) {
  std::vector<fs::path> found;
  for (const auto& entry : fs::directory_iterator(directory)) {
    if (entry.is_regular_file() && entry.path().filename().string().find("qrels") != std::string::npos)
      found.push_back(entry.path());
  }
  std::sort(found.begin(), found.end());
  return found;
}

[[noreturn]] void refuse_choice(const fs::path& directory, const std::vector<fs::path>& found) {
  if (found.empty())
    throw ConfigError(directory.string() +
                      " has no qrels: neither qrels.txt, trec/test.hierarchical.qrels nor qrels/test.tsv, and no file "
                      "whose name has the word qrels; name the file of qrels in place of the directory");
  throw ConfigError(
      fmt::format("{} has several files of qrels, such as {} and {}; name one of them in place of the "
                  "directory",
                  directory.string(), found[0].filename().string(), found[1].filename().string()));
}

/// Ranks at which a stratum ends.
constexpr std::uint32_t kStratumEnds[] = {1, 3, 5, 10, 20, 50, 100, 200, 500, 1000};
constexpr std::uint32_t kDeepest = 100;  ///< of a measure without a cut-off

bool is_judged(const JudgedRuns& runs, std::size_t topic, std::uint32_t passage) {
  return passage < runs.judged_count(topic) && runs.grade(topic, passage) >= 0;
}

/// Systems by descending mean, with their intervals over topics.
void rank_systems(TrustNumbers& numbers, const statistics::ScoreMatrix& scores) {
  const auto topics = scores.topics.size();
  const auto means = scores.means();
  for (std::size_t s = 0; s < scores.systems.size(); ++s) {
    RankedSystem system{scores.systems[s], means[s]};
    const auto spread = statistics::spread_of(std::span(scores.values).subspan(s * topics, topics));
    const auto n = static_cast<double>(topics);
    const double reach =
        topics < 2 ? std::nan("") : statistics::t_critical(numbers.alpha, n - 1) * spread.deviation / std::sqrt(n);
    system.low = system.mean - reach;
    system.high = system.mean + reach;
    numbers.systems.push_back(std::move(system));
  }
}

/// Counts what the runs hold down to the depth, and returns the share without a label of each system.
std::vector<double> count_labels(TrustNumbers& numbers, const JudgedRuns& runs, int min_grade) {
  const auto systems = runs.systems().size();
  std::vector<std::uint64_t> retrieved(systems), unjudged(systems);
  std::uint32_t first = 1;
  for (const auto end : kStratumEnds) {
    if (first > numbers.depth) break;
    numbers.strata.push_back({first, std::min(end, numbers.depth)});
    first = end + 1;
  }
  if (first <= numbers.depth) numbers.strata.push_back({first, numbers.depth});
  for (std::size_t t = 0; t < runs.topic_count(); ++t) {
    std::unordered_map<std::uint32_t, std::uint32_t> best_rank;
    for (std::size_t s = 0; s < systems; ++s) {
      const auto ranking = runs.ranking(s, t);
      for (std::uint32_t rank = 1; rank <= std::min<std::size_t>(numbers.depth, ranking.size()); ++rank) {
        const auto passage = ranking[rank - 1];
        ++retrieved[s];
        unjudged[s] += is_judged(runs, t, passage) ? 0 : 1;
        auto& best = best_rank.try_emplace(passage, rank).first->second;
        best = std::min(best, rank);
      }
    }
    for (const auto& [passage, rank] : best_rank) {
      const auto stratum = std::find_if(numbers.strata.begin(), numbers.strata.end(),
                                        [rank = rank](const RankStratum& s) { return rank <= s.last_rank; });
      const bool judged = is_judged(runs, t, passage);
      ++stratum->documents;
      stratum->unjudged += judged ? 0 : 1;
      stratum->relevant += judged && runs.grade(t, passage) >= min_grade ? 1 : 0;
    }
  }
  std::vector<double> shares;
  for (std::size_t s = 0; s < systems; ++s) {
    numbers.retrieved += retrieved[s];
    numbers.unjudged += unjudged[s];
    shares.push_back(retrieved[s] == 0 ? std::nan("")
                                       : static_cast<double>(unjudged[s]) / static_cast<double>(retrieved[s]));
  }
  return shares;
}

/// Whether most topics have no judged document below the lowest relevant grade.
bool lists_relevant_only(const JudgedRuns& runs, int min_grade) {
  std::size_t without = 0;
  for (std::size_t t = 0; t < runs.topic_count(); ++t) {
    bool found = false;
    for (std::uint32_t p = 0; p < runs.judged_count(t) && !found; ++p)
      found = runs.grade(t, p) >= 0 && runs.grade(t, p) < min_grade;
    without += found ? 0 : 1;
  }
  return 2 * without > runs.topic_count();
}

/// The scores of the topics of `scores` without unjudged documents.
statistics::ScoreMatrix judged_only(const JudgedRuns& runs, const measures::LabelScorer& scorer,
                                    const statistics::ScoreMatrix& scores) {
  const auto labels = runs.labels();
  auto condensed = scores;
  std::vector<std::uint32_t> judged;
  for (std::size_t t = 0, column = 0; t < runs.topic_count() && column < scores.topics.size(); ++t) {
    if (runs.topic(t) != scores.topics[column]) continue;
    for (std::size_t s = 0; s < scores.systems.size(); ++s) {
      judged.clear();
      for (const auto passage : runs.ranking(s, t)) {
        if (is_judged(runs, t, passage)) judged.push_back(passage);
      }
      const double value = scorer.score(judged, labels[t]);
      condensed.values[s * scores.topics.size() + column] = std::isnan(value) ? 0 : value;
    }
    ++column;
  }
  return condensed;
}

void compare_pairs(TrustNumbers& numbers, const statistics::ScoreMatrix& scores, const TrustPlan& plan) {
  significance::CompareOptions options;
  options.alpha = plan.alpha;
  options.seed = plan.seed;
  options.permutations = plan.permutations;
  numbers.comparison = significance::compare_systems(scores, options);
  numbers.significant = numbers.comparison->significant;
  const auto systems = scores.systems.size();
  for (std::size_t i = 0; i < systems; ++i) {
    for (std::size_t j = i + 1; j < systems; ++j) {
      const auto& pair = numbers.comparison->at_ranks(i, j);
      numbers.pairs.push_back({i, j, pair.significant, pair.significant});
      numbers.systems[i].better_than += pair.significant ? 1 : 0;
      numbers.with_twice_topics +=
          pair.significant || pair.difference > *numbers.comparison->critical_difference / std::sqrt(2.0) ? 1 : 0;
    }
  }
  const auto study = agreement::g_study(scores);
  numbers.reliability = agreement::d_study(study, static_cast<double>(scores.topics.size()));
  numbers.topics_needed = agreement::topics_needed(study, plan.target);
}

void compare_judged_only(TrustNumbers& numbers, const statistics::ScoreMatrix& condensed) {
  const auto& full = *numbers.comparison;
  const auto other = significance::compare_systems(condensed, full.options);
  for (auto& pair : numbers.pairs) {
    const auto better = full.ranking[pair.better];
    const auto& relation = other.of(better, full.ranking[pair.worse]);
    const bool same_order = relation.first == better;
    pair.significant_judged_only = relation.significant && same_order;
    numbers.lost += pair.significant && !pair.significant_judged_only ? 1 : 0;
    numbers.gained += relation.significant && !pair.significant ? 1 : 0;
  }
}

}  // namespace

TrustInputs find_trust_inputs(const fs::path& place) {
  TrustInputs inputs;
  if (is_file(place)) {
    inputs.qrels = place;
    return inputs;
  }
  std::error_code ignored;
  if (!fs::is_directory(place, ignored))
    throw ConfigError(place.string() + " is neither a directory nor a file; name a collection or a file of qrels");
  for (const auto& [name, form] : kKnownPlaces) {
    if (!is_file(place / name)) continue;
    inputs.qrels = place / name;
    inputs.form = form;
    break;
  }
  if (inputs.qrels.empty()) {
    const auto found = files_named_qrels(place);
    if (found.size() != 1) refuse_choice(place, found);
    inputs.qrels = found.front();
  }
  if (has_any(place, {"corpus.jsonl.gz", "corpus.jsonl"})) inputs.corpus = place;
  inputs.has_topics = (!inputs.corpus.empty() && has_any(place, {"topics.tsv", "queries.jsonl"})) ||
                      has_any(place, {"dedup.articles-paragraphs.cbor"}) ||
                      (is_file(place / "docs.tsv") && is_file(place / "queries.tsv"));
  return inputs;
}

void write_trec_qrels(const fs::path& beir, const fs::path& trec) {
  TextWriter out(trec);
  for_each_line(beir, [&](std::string_view line, std::uint64_t number) {
    if (number == 1 || line.empty()) return true;  // readers of BEIR skip the first line without looking at it
    const auto qrel = formats::beir::parse_qrel(line);
    if (!qrel) throw FormatError(fmt::format("{} line {}: {}", beir.string(), number, qrel.error()));
    out.write(formats::trec::qrel_line(*qrel));
    return true;
  });
  out.finish();
}

double RankStratum::expected_relevant() const {
  const auto judged = documents - unjudged;
  if (judged == 0) return 0;
  return static_cast<double>(unjudged) * static_cast<double>(relevant) / static_cast<double>(judged);
}

TrustNumbers trust_numbers(const JudgedRuns& runs, const measures::LabelScorer& scorer, const TrustPlan& plan) {
  scorer.check_highest_grade(runs.highest_grade());
  TrustNumbers numbers;
  numbers.measure = scorer.measure().name;
  numbers.alpha = plan.alpha;
  numbers.permutations = plan.permutations;
  numbers.depth = scorer.depth() == std::numeric_limits<std::uint32_t>::max() ? kDeepest : scorer.depth();
  const auto scores = runs.score(scorer, runs.labels());
  numbers.topics = scores.topics.size();
  for (std::size_t t = 0; t < runs.topic_count(); ++t) numbers.labels += runs.judged_count(t);
  rank_systems(numbers, scores);
  const auto shares = count_labels(numbers, runs, scorer.min_grade());
  for (std::size_t s = 0; s < shares.size(); ++s) numbers.systems[s].unjudged = shares[s];
  std::stable_sort(numbers.systems.begin(), numbers.systems.end(),
                   [](const RankedSystem& a, const RankedSystem& b) { return a.mean > b.mean; });
  numbers.lists_relevant_only = lists_relevant_only(runs, scorer.min_grade());
  if (scores.systems.size() < 2 || scores.topics.size() < 2) return numbers;
  compare_pairs(numbers, scores, plan);
  numbers.has_judged_only = numbers.unjudged > 0 && !numbers.lists_relevant_only;
  if (numbers.has_judged_only) compare_judged_only(numbers, judged_only(runs, scorer, scores));
  return numbers;
}

}  // namespace touchstone::analysis::studies::trust
