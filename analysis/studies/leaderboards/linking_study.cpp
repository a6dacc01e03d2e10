#include "analysis/studies/leaderboards/leaderboards_study.hpp"
#include "analysis/studies/study.hpp"
#include "common/error.hpp"
#include "formats/trec/qrels_table.hpp"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace touchstone::analysis::studies::leaderboards {
namespace {

namespace fs = std::filesystem;

struct LinkingOptions {
  std::string links, linker;
  std::string part = "test";
  std::string level = "hierarchical";

  static std::vector<Option<LinkingOptions>> options() {
    return {
        {"linking.links", &LinkingOptions::links,
         "Directory of the automatic collection whose entities are those that the pages link to."},
        {"linking.linker", &LinkingOptions::linker,
         "Directory of the automatic collection of the same pages, whose entities a linker found (automatic.linker)."},
        {"linking.part", &LinkingOptions::part, "Part of both: test, train, or a fold such as fold-0-test."},
        {"linking.level", &LinkingOptions::level, "Level of the topics: article, toplevel or hierarchical."},
    };
  }
};

fs::path qrels_of(const std::string& collection, const LinkingOptions& options, const char* flag) {
  if (collection.empty())
    throw ConfigError(
        fmt::format("name two automatic collections of the same pages with --links DIR and --linker DIR; "
                    "{} is missing. Build the second with --linker own (docs/entity-linking.md)",
                    flag));
  auto file = fs::path(collection) / fmt::format("{}.pages.cbor-{}.entity.qrels", options.part, options.level);
  if (!fs::exists(file))
    throw ConfigError(fmt::format("{}: no such file; {} names an automatic collection, --part and --level its qrels",
                                  file.string(), flag));
  return file;
}

using Pairs = std::set<std::pair<std::string, std::string>>;

Pairs pairs_of(const fs::path& qrels, std::int64_t min_grade) {
  const formats::trec::QrelsTable table(qrels);
  Pairs pairs;
  for (std::size_t topic = 0; topic < table.topic_count(); ++topic) {
    for (const auto& judgment : table.judgments(topic))
      if (judgment.grade >= min_grade) pairs.emplace(table.topic(topic), judgment.docid);
  }
  return pairs;
}

struct PairCounts {
  std::uint64_t links = 0, linker = 0, both = 0;

  double share(std::uint64_t of) const { return of == 0 ? 0 : static_cast<double>(both) / static_cast<double>(of); }
  double jaccard() const { return share(links + linker - both); }
};

PairCounts count_pairs(const Pairs& links, const Pairs& linker) {
  PairCounts counts{links.size(), linker.size(), 0};
  counts.both = static_cast<std::uint64_t>(
      std::count_if(links.begin(), links.end(), [&](const auto& pair) { return linker.contains(pair); }));
  return counts;
}

StudyOutput run_linking(StudyContext& context) {
  const auto& own = context.settings.get<LinkingOptions>();
  auto shared = context.shared();
  const auto links = qrels_of(own.links, own, "--links"), linker = qrels_of(own.linker, own, "--linker");
  if (!shared.qrels.empty()) throw ConfigError("the qrels are those of --links and --linker; leave --qrels out");
  if (shared.runs.size() < 2)
    throw ConfigError(
        fmt::format("name at least two runs that rank entities; touchstone retrieve {} --rank entities "
                    "--part {} --level {} --out DIR writes some",
                    own.links, own.part, own.level));
  shared.qrels = links.string();
  if (shared.measures.empty()) shared.measures = {"Rprec", "map", "ndcg"};
  auto output = compare_leaderboards(context, shared, {linker.string(), shared.min_grade, true, true});
  const auto counts = count_pairs(pairs_of(links, shared.min_grade), pairs_of(linker, shared.min_grade));
  output.study = "linking";
  output.title = "Hyperlinks against an entity linker";
  output.question =
      "Would systems that rank entities stand in another order if a linker had found the entities that editors link "
      "to?";
  output.findings.insert(
      output.findings.begin(),
      {Verdict::kFact,
       fmt::format("By the links of editors {} pairs of topic and entity are relevant, by the linker {}, by both {}: "
                   "{:.1f} % of the linker's pairs, {:.1f} % of the links' (Jaccard {:.3f}). Below, \"the qrels\" are "
                   "those of the links, and \"the other qrels\" those of the linker.",
                   counts.links, counts.linker, counts.both, 100 * counts.share(counts.linker),
                   100 * counts.share(counts.links), counts.jaccard())});
  output.write_fields = [counts, rest = std::move(output.write_fields)](JsonWriter& json) {
    json.key("pairs").begin_object().field("links", counts.links).field("linker", counts.linker);
    json.field("both", counts.both).field("jaccard", counts.jaccard()).end_object();
    rest(json);
  };
  return output;
}

}  // namespace

Study linking_study() {
  return {"linking", "Whether links of editors and an entity linker rank systems alike", "measures",
          &option_group<LinkingOptions>(), run_linking};
}

}  // namespace touchstone::analysis::studies::leaderboards
