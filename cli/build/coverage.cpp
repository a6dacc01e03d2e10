#include "cli/build/coverage.hpp"

#include "analysis/studies/coverage/coverage_study.hpp"
#include "analysis/studies/table/study_table.hpp"
#include "cli/links_file.hpp"
#include "cli/statistics_flags.hpp"
#include "cli/studies/study_runner.hpp"
#include "common/digest.hpp"
#include "common/files.hpp"
#include "common/stop.hpp"
#include "common/version.hpp"
#include "formats/trec/qrels.hpp"
#include "retrieval/retrieve.hpp"

#include <string_view>
#include <vector>

namespace touchstone::cli::build {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kSummaryFile = "summary.txt";

/// Places of a collection and of what is made of it.
struct Places {
  fs::path collection, qrels, out;
};

Places places_of(const fs::path& work, CollectionKind kind) {
  if (kind == CollectionKind::kEvidence)
    return {work / "collection", work / "collection" / "qrels.txt", work / "coverage" / "evidence"};
  return {work / "automatic", work / "automatic" / "trec" / "test.hierarchical.qrels", work / "coverage" / "automatic"};
}

bool has_evidence(const fs::path& qrels) {
  bool found = false;
  for_each_line(qrels, [&](std::string_view line, std::uint64_t) {
    const auto qrel = formats::trec::parse_qrel(line);
    found = qrel && qrel->grade > 0;
    return !found;
  });
  return found;
}

/// Of the collection and the program.
std::string fingerprint(const fs::path& collection) {
  Sha256 digest;
  digest.update_field(program_version()).update_field(sha256_file(collection / "sha256sums.txt"));
  return digest.hex();
}

std::vector<std::string> make_runs(const Places& places, CollectionKind kind, const fs::path& work, int threads) {
  retrieval::RetrieveOptions options;
  options.collection = places.collection;
  options.out = places.out / "runs";
  options.temporary = places.out;
  options.threads = threads;
  options.stop = &install_stop_signals();
  if (kind == CollectionKind::kEvidence) {
    options.links = places.out / "links.tsv";
    write_links(work, {.resolved = true}, options.links);
  }
  std::vector<std::string> runs;
  for (const auto& system : retrieval::retrieve(options).systems) runs.push_back(system.run.string());
  return runs;
}

analysis::studies::StudyOutput study_runs(const Places& places, const std::vector<std::string>& runs, int threads,
                                          const Context& context) {
  Settings settings(analysis::studies::table::all_study_options());
  auto& shared = settings.edit<analysis::studies::StudyOptions>();
  shared.qrels = places.qrels.string();
  shared.runs = runs;
  analysis::studies::FinishedParts parts;  // the study takes seconds
  return studies::run_study(analysis::studies::coverage::coverage_study(), settings, threads, parts, context);
}

std::string first_sentence(const std::string& text) {
  return text.substr(0, text.find(". ") + 1);
}

}  // namespace

std::string measure_coverage(const fs::path& work, CollectionKind kind, int threads, const Context& context) {
  const auto places = places_of(work, kind);
  if (!has_evidence(places.qrels))
    return "coverage    not measured: " + places.qrels.string() + " holds no relevant passage\n";
  const auto summary = places.out / kSummaryFile;
  const auto made_of = "made of " + fingerprint(places.collection) + "\n";
  if (fs::exists(summary)) {
    const auto before = read_file(summary);
    if (before.starts_with(made_of)) return before.substr(made_of.size());
  }
  fs::remove_all(places.out);
  fs::create_directories(places.out);
  const auto output = study_runs(places, make_runs(places, kind, work, threads), threads, context);
  write_study_folder(output, places.out);
  const auto lines = "coverage    " + first_sentence(output.findings.at(0).statement) + "\n            " +
                     first_sentence(output.findings.at(2).statement) + " See " + (places.out / "report.html").string() +
                     "\n";
  write_file_atomically(summary, made_of + lines);
  return lines;
}

}  // namespace touchstone::cli::build
