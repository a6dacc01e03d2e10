#include "collection/automatic/report/automatic_overview.hpp"
#include "collection/release/report/shown_text.hpp"
#include "common/number_text.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace touchstone::collection::automatic::report::internal {

using namespace release::report;
namespace {

/// As many as the collections of TREC's ad hoc tracks have.
constexpr std::uint64_t kFewTopics = 50;
constexpr double kManySingles = 0.5;       ///< share of facets with one passage
constexpr double kManyEmpty = 0.3;         ///< share of headings without passages
constexpr double kMostlyRelevant = 0.5;    ///< share of the corpus that is relevant to some topic
constexpr double kManyShared = 0.02;       ///< share of passages that several topics have
constexpr double kManyForeign = 0.05;      ///< share of headings in other scripts
constexpr std::uint64_t kSomeForeign = 5;  ///< fewer such headings are no reason to warn

double share_of(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

using Warnings = std::vector<std::string>;

void warn_of_sizes(const AutomaticOverview& overview, const SplitNumbers& all, Warnings& warnings) {
  if (all.topics == 0) {
    warnings.emplace_back(
        "There is no topic. The table of what selection left out, below, says which rule costs most pages.");
    return;
  }
  for (const auto& [name, split] : {std::pair{"test", &overview.test}, std::pair{"training", &overview.train}}) {
    if (split->topics >= kFewTopics) continue;
    warnings.push_back(fmt::format(
        "The {} part has {}. Collections of TREC have 50 or more; with fewer, few differences between systems are "
        "significant. Use both parts together or the folds, relax automatic.select or automatic.min_sections, or take "
        "a larger wiki.",
        name, counted(split->topics, "topic")));
  }
  if (all.entities == 0)
    warnings.emplace_back("No passage links to a page, so there is nothing relevant for entity retrieval.");
}

void warn_of_facets(const SplitNumbers& all, Warnings& warnings) {
  const auto single = all.passages_per_facet.count(1);
  if (const auto share = share_of(single, all.facets_with_passages); share > kManySingles) {
    warnings.push_back(fmt::format(
        "{} of the {} facets that have passages have a single one ({}). One passage decides the score of such a facet. "
        "Report means over many facets, or use the toplevel or article qrels, whose topics have more passages.",
        with_commas(single), with_commas(all.facets_with_passages), percent(share)));
  }
  const auto without = all.facets - all.facets_with_passages;
  if (const auto share = share_of(without, all.facets); share > kManyEmpty) {
    warnings.push_back(fmt::format(
        "{} of {} headings have no passage directly below them ({}): they have inner headings only, or lists, tables "
        "and images, which are no passages unless automatic.include_lists, include_tables or include_captions say so.",
        with_commas(without), with_commas(all.facets), percent(share)));
  }
}

void warn_of_texts(const AutomaticOverview& overview, Warnings& warnings) {
  if (const auto share = share_of(overview.distinct_passages, overview.manifest.numbers.passages);
      share > kMostlyRelevant) {
    warnings.push_back(fmt::format(
        "{} of the {} passages in the corpus are relevant to some topic ({}). Systems have few other passages to tell "
        "them from, so the task is easier than on a whole wiki. Choose fewer query pages with automatic.select, or "
        "take "
        "a larger wiki.",
        with_commas(overview.distinct_passages), with_commas(overview.manifest.numbers.passages), percent(share)));
  }
  if (const auto share = share_of(overview.shared_passages, overview.distinct_passages); share > kManyShared) {
    warnings.push_back(fmt::format(
        "{} of {} relevant passages belong to several topics ({}). They are texts that pages share, such as standard "
        "sentences; look whether these pages are realistic topics.",
        with_commas(overview.shared_passages), with_commas(overview.distinct_passages), percent(share)));
  }
  if (overview.leaks[0] + overview.leaks[1] + overview.leaks[2] > 0)
    warnings.emplace_back(
        "The knowledge base leaks answers; the section on leaks names them. Do not release it; write it again with "
        "touchstone export-automatic --force.");
}

void warn_of_languages(const AutomaticOverview& overview, Warnings& warnings) {
  if (!overview.knows_headings && overview.languages.size() < 2) {
    warnings.push_back(fmt::format(
        "The program knows no headings, lists and dates of the wiki's language ({}), so sections such as \"See also\" "
        "stay in unless they have names that all wikis use. Name those of this wiki in automatic.forbidden_headings, "
        "or "
        "name a language in automatic.heading_languages.",
        overview.manifest.info.language.empty() ? "not known" : overview.manifest.info.language));
  }
  const auto& scripts = overview.scripts;
  if (scripts.foreign < kSomeForeign || share_of(scripts.foreign, scripts.headings) < kManyForeign) return;
  warnings.push_back(fmt::format(
      "{} of {} headings are in a script that no configured language ({}) uses ({}), such as {}. Sections that should "
      "be removed may have stayed; name their language in automatic.heading_languages.",
      with_commas(scripts.foreign), with_commas(scripts.headings), fmt::join(overview.languages, ", "),
      percent(share_of(scripts.foreign, scripts.headings)), fmt::join(scripts.samples, "; ")));
}

}  // namespace

std::vector<std::string> automatic_warnings(const AutomaticOverview& overview) {
  Warnings warnings;
  SplitNumbers all = overview.train;
  all.add(overview.test);
  warn_of_sizes(overview, all, warnings);
  warn_of_facets(all, warnings);
  warn_of_texts(overview, warnings);
  warn_of_languages(overview, warnings);
  return warnings;
}

}  // namespace touchstone::collection::automatic::report::internal
