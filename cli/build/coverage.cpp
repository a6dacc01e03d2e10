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
#include "pipeline/flow/work_files.hpp"
#include "retrieval/retrieve.hpp"
#include "retrieval/system.hpp"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <vector>

namespace touchstone::cli::build {
namespace {

namespace fs = std::filesystem;

constexpr const char* kSummaryFile = "summary.txt";
constexpr const char* kDigestsFile = "sha256sums.txt";  ///< written last: its name says that all other files are whole
constexpr const char* kLinksFile = "links.tsv";
constexpr const char* kRunsFolder = "runs";

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

/// Whether all files are as sha256sums.txt says.
bool is_whole(const fs::path& folder) {
  if (!fs::exists(folder / kDigestsFile)) return false;
  bool whole = true;
  for_each_line(folder / kDigestsFile, [&](std::string_view line, std::uint64_t) {
    constexpr std::size_t kDigits = 64;
    if (line.size() < kDigits + 3) return whole = false;
    const auto file = folder / line.substr(kDigits + 2);
    return whole = fs::is_regular_file(file) && sha256_file(file) == line.substr(0, kDigits);
  });
  return whole;
}

/// Removes what an earlier run wrote that a new one would not write over.
void remove_old_files(const fs::path& folder) {
  fs::remove(folder / kDigestsFile);
  fs::remove(folder / kLinksFile);
  for (const auto& system : retrieval::systems()) fs::remove(folder / kRunsFolder / (std::string(system.tag) + ".run"));
  std::vector<fs::path> left;  // indexes of killed runs
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.is_directory() && entry.path().filename().string().starts_with("retrieve-")) left.push_back(entry.path());
  }
  for (const auto& index : left) fs::remove_all(index);
}

std::vector<std::string> make_runs(const Places& places, CollectionKind kind, const fs::path& work, int threads) {
  retrieval::RetrieveOptions options;
  options.collection = places.collection;
  options.out = places.out / kRunsFolder;
  options.temporary = places.out;
  options.threads = threads;
  options.stop = &install_stop_signals();
  if (kind == CollectionKind::kEvidence) {
    options.links = places.out / kLinksFile;
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
  const auto end = text.find(". ");
  return end == std::string::npos ? text : text.substr(0, end + 1);
}

/// What the study says of the known evidence, with its verdict, and of passages without a label.
std::string summary_of(const analysis::studies::StudyOutput& output, const fs::path& folder) {
  const auto& found = output.findings.at(0);
  const auto verdict = std::find_if(std::begin(analysis::studies::kVerdicts), std::end(analysis::studies::kVerdicts),
                                    [&](const auto& entry) { return entry.second == found.verdict; });
  return "coverage    " + first_sentence(found.statement) + " Verdict: " + std::string(verdict->first) +
         ".\n            " + first_sentence(output.findings.at(2).statement) + " See " +
         (folder / "report.html").string() + "\n";
}

/// Writes sha256sums.txt of what the study wrote, the runs and the summary.
void write_digests(const fs::path& folder, const std::vector<std::string>& runs,
                   const analysis::studies::StudyOutput& output) {
  std::vector<fs::path> files{folder / kSummaryFile, folder / "report.html", folder / "study.json"};
  files.insert(files.end(), runs.begin(), runs.end());
  for (const auto& table : output.tables) {
    for (const char* form : {".tsv", ".tex"}) files.push_back(folder / (table.name + form));
  }
  for (const auto& chart : output.charts) {
    for (const char* form : {".svg", ".pdf"}) files.push_back(folder / (chart.name + form));
  }
  std::string digests;
  for (const auto& file : files) {
    if (fs::exists(file))  // there are no PDF files without the program that draws them
      digests += sha256_file(file) + "  " + file.lexically_relative(folder).string() + "\n";
  }
  write_file_atomically(folder / kDigestsFile, digests);
}

}  // namespace

std::string measure_coverage(const WorkFlags& flags, CollectionKind kind, const Context& context) {
  const auto places = places_of(flags.work, kind);
  if (!has_evidence(places.qrels))
    return "coverage    not measured: " + places.qrels.string() + " holds no relevant passage\n";
  const auto summary = places.out / kSummaryFile;
  const auto made_of = "made of " + fingerprint(places.collection) + "\n";
  if (!flags.force && is_whole(places.out)) {
    const auto before = read_file(summary);
    if (before.starts_with(made_of)) return before.substr(made_of.size());
  }
  fs::create_directories(places.out);
  remove_old_files(places.out);
  const auto runs = make_runs(places, kind, flags.work, flags.threads);
  if (runs.empty()) return "coverage    not measured: no baseline system finds a passage for any topic\n";
  const auto output = study_runs(places, runs, flags.threads, context);
  write_study_folder(output, places.out);
  const auto lines = summary_of(output, places.out);
  write_file_atomically(summary, made_of + lines);
  write_digests(places.out, runs, output);
  return lines;
}

}  // namespace touchstone::cli::build
