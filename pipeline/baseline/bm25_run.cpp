#include "pipeline/baseline/bm25_run.hpp"

#include "analysis/measures/evaluate.hpp"
#include "collection/automatic/automatic_files.hpp"
#include "common/digest.hpp"
#include "common/error.hpp"
#include "common/files.hpp"
#include "common/number_text.hpp"
#include "retrieval/retrieve.hpp"
#include "retrieval/runs.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

namespace touchstone::pipeline::baseline {
namespace {

namespace fs = std::filesystem;
namespace measures = analysis::measures;
using collection::release::BaselineScores;

constexpr std::uint32_t kDepth = 100;
constexpr std::string_view kRunName = "bm25.run";
constexpr std::array<std::string_view, 5> kMeasures = {"nDCG@10", "AP", "Rprec", "R@100", "Judged@10"};

std::string_view qrels_of(CollectionKind kind) {
  return kind == CollectionKind::kAutomatic ? "trec/test.article.qrels" : "qrels.txt";
}

std::string first_field(std::string_view line) {
  return std::string(line.substr(0, line.find(' ')));
}

std::unordered_set<std::string> topics_of(const fs::path& qrels) {
  std::unordered_set<std::string> topics;
  for_each_line(qrels, [&](std::string_view line, std::uint64_t) {
    topics.insert(first_field(line));
    return true;
  });
  return topics;
}

/// Whether a run answers a topic that has qrels; else there is nothing to score.
bool can_be_scored(const fs::path& run, const fs::path& qrels) {
  const auto judged = topics_of(qrels);
  bool found = false;
  for_each_line(run, [&](std::string_view line, std::uint64_t) {
    found = judged.contains(first_field(line));
    return !found;
  });
  return found;
}

retrieval::SourceOptions source_options(CollectionKind kind, std::string language) {
  retrieval::SourceOptions options;
  options.level = "article";
  options.facts = retrieval::CollectionFacts{kind == CollectionKind::kAutomatic, std::move(language)};
  return options;
}

/// Throws FormatError if the run is of another collection.
void check_run(const fs::path& directory, CollectionKind kind) {
  const auto source = retrieval::open_collection(directory, source_options(kind, ""));
  std::unordered_set<std::uint64_t> documents;  // digests of docids
  source->for_each_document([&](retrieval::Document&& document) { documents.insert(xxh3_64(document.id)); });
  const auto topics = source->topics();
  const auto run = directory / collection::release::kBaselineRunFile;
  retrieval::check_run(run, topics, [&](std::string_view docid) { return documents.contains(xxh3_64(docid)); });
  if (!can_be_scored(run, directory / qrels_of(kind)))
    throw FormatError(run.string() + " answers no topic that has qrels; export the collection again");
}

BaselineScores score(const fs::path& run, const fs::path& qrels) {
  std::vector<measures::Measure> wanted;
  for (const auto name : kMeasures) {
    for (auto& measure : measures::parse_measure(name)) wanted.push_back(std::move(measure));
  }
  measures::EvaluateOptions options;
  options.complete = true;
  const std::array<fs::path, 1> runs{run};
  const auto evaluation = measures::evaluate(qrels, runs, wanted, options);
  BaselineScores scores;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    scores.emplace_back(evaluation.measures[i].name,
                        round_to(evaluation.runs.front().means[i], collection::release::kBaselineDigits));
  }
  return scores;
}

}  // namespace

collection::release::BaselineSystem bm25_system(CollectionKind kind, std::string language, fs::path scratch,
                                                int threads, const StopFlag& stop) {
  retrieval::RetrieveOptions options;
  options.systems = {"bm25"};
  options.depth = kDepth;
  options.threads = threads;
  options.stop = &stop;
  options.source = source_options(kind, std::move(language));
  collection::release::BaselineSystem system;
  system.about.system =
      "BM25 (k1=.9, b=.4) over titles, headings and texts, as `touchstone retrieve --system bm25` makes it";
  system.about.depth = kDepth;
  system.about.qrels = qrels_of(kind);
  const auto folder = scratch / "bm25";  // holds the run as plain text until it is scored: that is read piece by piece
  system.retrieve = [options, folder, qrels = system.about.qrels](const fs::path& directory, TextWriter& run) mutable {
    fs::remove_all(folder);  // a killed run left it
    fs::create_directories(folder);
    options.collection = directory;
    options.out = folder;
    options.temporary = folder;
    const auto result = retrieval::retrieve(options);
    if (result.systems.empty() || !can_be_scored(folder / kRunName, directory / qrels)) {
      fs::remove_all(folder);
      return false;
    }
    for_each_line(folder / kRunName, [&](std::string_view line, std::uint64_t) {
      run.write(std::string(line) + "\n");
      return true;
    });
    return true;
  };
  system.score = [folder, qrels = system.about.qrels](const fs::path& directory) {
    auto scores = score(folder / kRunName, directory / qrels);
    fs::remove_all(folder);
    return scores;
  };
  return system;
}

BaselineScores score_run(const fs::path& directory) {
  const bool is_automatic = fs::exists(directory / collection::automatic::kCorpusFile);
  const auto kind = is_automatic ? CollectionKind::kAutomatic : CollectionKind::kEvidence;
  check_run(directory, kind);
  return score(directory / collection::release::kBaselineRunFile, directory / qrels_of(kind));
}

}  // namespace touchstone::pipeline::baseline
