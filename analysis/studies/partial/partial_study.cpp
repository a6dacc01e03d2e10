#include "analysis/statistics/score_matrix.hpp"
#include "analysis/studies/partial/partial_numbers.hpp"
#include "analysis/studies/partial/partial_output.hpp"
#include "analysis/studies/passage_facts.hpp"
#include "analysis/studies/study.hpp"
#include "common/error.hpp"
#include "formats/fields/columns.hpp"
#include "formats/fields/quote.hpp"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

namespace touchstone::analysis::studies::partial {
namespace {

struct PartialOptions {
  std::int64_t random = 1000, random_curves = 50;
  std::vector<std::string> base_systems;
  std::vector<std::string> fractions = {"0", "10", "20", "30", "40", "50", "60", "70", "80", "90", "100"};
  std::string corpus, popularity;

  static std::vector<Option<PartialOptions>> options() {
    return {
        {"partial.random", &PartialOptions::random, between(0, 1e7), "Random selections of one label for each topic."},
        {"partial.corpus", &PartialOptions::corpus,
         "Texts of the passages, for the selections longest and shortest: JSON lines with `_id` and `text`, or a "
         "collection."},
        {"partial.popularity", &PartialOptions::popularity,
         "Lines of docid, tab and number of backlinks, for the selection most-popular."},
        {"partial.base_systems", &PartialOptions::base_systems,
         "Systems of the system-based selection, by tag or file; by default all, or the word none."},
        {"partial.fractions", &PartialOptions::fractions,
         "Percentages of the evidence for the curves, or the word none."},
        {"partial.random_curves", &PartialOptions::random_curves, between(0, 1e6),
         "Random orders of the evidence for the curves."},
    };
  }
};

bool is_none(const std::vector<std::string>& words) {
  return words == std::vector<std::string>{"none"};
}

std::vector<double> read_fractions(const std::vector<std::string>& words) {
  std::vector<double> fractions;
  if (is_none(words)) return fractions;
  for (const auto& word : words) {
    double percent = -1;
    if (!formats::fields::parse_real(word, percent) || !(percent >= 0 && percent <= 100)) {
      throw ConfigError(
          fmt::format("--fractions takes percentages from 0 to 100, not {}", formats::fields::quote_for_message(word)));
    }
    fractions.push_back(percent / 100);
  }
  std::sort(fractions.begin(), fractions.end());
  fractions.erase(std::unique(fractions.begin(), fractions.end()), fractions.end());
  return fractions;
}

std::vector<std::size_t> read_base_systems(const std::vector<std::string>& words, const JudgedRuns& runs) {
  std::vector<std::size_t> systems;
  if (is_none(words)) return systems;
  if (runs.systems().size() < 3) {
    if (words.empty()) return systems;
    throw ConfigError("system-based selection needs at least 3 runs, because the base system leaves the comparison");
  }
  if (words.empty()) {
    systems.resize(runs.systems().size());
    std::iota(systems.begin(), systems.end(), std::size_t{0});
  }
  for (const auto& word : words) systems.push_back(runs.find_system(word));
  std::sort(systems.begin(), systems.end());
  systems.erase(std::unique(systems.begin(), systems.end()), systems.end());
  return systems;
}

/// Docids of all evidence, each once, in the order of topics and docids.
std::vector<std::string> evidence_docids(const JudgedRuns& runs, int min_grade) {
  std::vector<std::string> docids;
  for (std::size_t t = 0; t < runs.topic_count(); ++t) {
    for (const auto passage : runs.relevant(t, min_grade)) docids.emplace_back(runs.docids(t)[passage]);
  }
  std::sort(docids.begin(), docids.end());
  docids.erase(std::unique(docids.begin(), docids.end()), docids.end());
  return docids;
}

/// Lengths and popularity of the evidence.
class PassageSources {
 public:
  PassageSources(const PartialOptions& options, const JudgedRuns& runs, int min_grade,
                 std::vector<std::pair<std::string, std::string>>& facts) {
    const auto docids = evidence_docids(runs, min_grade);
    if (!options.corpus.empty()) {
      lengths_ = read_word_counts(options.corpus, docids);
      facts.emplace_back("corpus", options.corpus);
      if (!lengths_.missing.empty()) {
        throw ConfigError(fmt::format(
            "{} lacks {} of the {} passages of evidence, such as {}; longest and shortest need the text of each, so "
            "give a corpus that has all of them or leave out --corpus",
            options.corpus, lengths_.missing.size(), docids.size(),
            formats::fields::quote_for_message(lengths_.missing.front())));
      }
    }
    if (options.popularity.empty()) return;
    popularity_ = read_popularity(options.popularity, docids);
    facts.emplace_back("popularity", options.popularity);
    if (popularity_.numbers.empty()) {
      throw ConfigError(fmt::format("{} has none of the {} passages of evidence, such as {}; are the docids the same?",
                                    options.popularity, docids.size(),
                                    formats::fields::quote_for_message(docids.front())));
    }
    if (!popularity_.missing.empty()) {
      facts.emplace_back("popularity 0", fmt::format("{} of {} passages of evidence are not in the file and count as 0",
                                                     popularity_.missing.size(), docids.size()));
    }
  }
  void add_to(PartialPlan& plan) const {
    if (!lengths_.numbers.empty()) plan.lengths = &lengths_.numbers;
    if (!popularity_.numbers.empty()) plan.popularity = &popularity_.numbers;
  }

 private:
  PassageNumbers lengths_, popularity_;
};

/// Without a ranking by all labels there is nothing to compare with.
void refuse_equal_systems(const EvidenceLabels& labels) {
  const auto [lowest, highest] = std::minmax_element(labels.reference_means().begin(), labels.reference_means().end());
  if (*highest - *lowest > statistics::kEqualScores) return;
  throw ConfigError(fmt::format(
      "all systems score {:.4f} in {} by all labels, so that there is no ranking to compare with; give other runs or "
      "another measure",
      *highest, labels.scorer().measure().name));
}

StudyOutput run_partial(StudyContext& context) {
  const auto& shared = context.shared();
  const auto& options = context.settings.get<PartialOptions>();
  PartialPlan plan;
  plan.seed = static_cast<std::uint64_t>(shared.seed);
  plan.random = static_cast<std::size_t>(options.random);
  plan.random_curves = static_cast<std::size_t>(options.random_curves);
  plan.fractions = read_fractions(options.fractions);
  const auto scorers = study_measures(shared, "R@20");
  const auto runs = read_judged_runs(shared, 2);
  for (const auto& scorer : scorers) count_relevant(runs, scorer.min_grade());
  plan.base_systems = read_base_systems(options.base_systems, runs);
  StudyOutput output;
  output.study = "partial";
  output.facts = input_facts(runs, shared);
  int lowest = scorers.front().min_grade();
  for (const auto& scorer : scorers) lowest = std::min(lowest, scorer.min_grade());
  const PassageSources sources(options, runs, lowest, output.facts);
  sources.add_to(plan);
  context.progress.total = scorers.size() * work_of(plan);
  std::vector<PartialNumbers> numbers;
  for (const auto& scorer : scorers) {
    const EvidenceLabels labels(runs, scorer, shared.alpha);
    refuse_equal_systems(labels);
    numbers.push_back(partial_numbers(labels, plan, context.progress, context.stop));
  }
  if (numbers.front().selections.empty()) {
    throw ConfigError("there is no selection to study; allow --random, --base-systems, --corpus or --popularity");
  }
  add_partial_output(output, numbers);
  return output;
}

}  // namespace

Study partial_study() {
  return {"partial", "What partial labels would change in the ranking of systems", "selections",
          &option_group<PartialOptions>(), run_partial};
}

}  // namespace touchstone::analysis::studies::partial
