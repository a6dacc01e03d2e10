#include "analysis/agreement/run_overlap.hpp"
#include "analysis/presentation/overlap_text.hpp"
#include "analysis/statistics/parallel.hpp"
#include "cli/command.hpp"
#include "cli/statistics_flags.hpp"
#include "common/display_text.hpp"
#include "common/error.hpp"
#include "common/files.hpp"
#include "common/log.hpp"
#include "retrieval/retrieve.hpp"

#include <set>

#include <fmt/format.h>

namespace touchstone::cli {
namespace {

namespace agreement = analysis::agreement;
namespace presentation = analysis::presentation;

enum class ReportFormat { kTable, kJson };
constexpr std::pair<std::string_view, ReportFormat> kReportFormats[] = {{"table", ReportFormat::kTable},
                                                                        {"json", ReportFormat::kJson}};
constexpr std::pair<std::string_view, retrieval::Unit> kUnits[] = {{"passages", retrieval::Unit::kPassages},
                                                                   {"entities", retrieval::Unit::kEntities}};

struct RetrieveFlags {
  std::string collection, out, work, stemmer, links, topics;
  std::string vectors, vector_ids, queries, query_ids;
  std::vector<std::string> runs;
  ReportFormat format = ReportFormat::kTable;
  retrieval::RetrieveOptions options;

  retrieval::RetrieveOptions checked();
};

retrieval::RetrieveOptions RetrieveFlags::checked() {
  require_files(runs);
  for (const auto* file : {&links, &topics, &vectors, &vector_ids, &queries, &query_ids}) {
    if (!file->empty()) require_files({*file});
  }
  if (!vectors.empty()) {
    if (vector_ids.empty() || queries.empty())
      throw ConfigError(
          "--embeddings needs --embedding-ids and --query-embeddings; name the docids of the rows, and the vectors of "
          "the topics");
    options.dense = retrieval::DenseFiles{vectors, vector_ids, queries, query_ids};
  }
  options.collection = collection;
  options.out = out;
  options.work = work;
  if (!stemmer.empty()) options.stemmer = stemmer;
  options.links = links;
  options.source.topics = topics;
  options.runs.assign(runs.begin(), runs.end());
  return options;
}

/// Runs by their tags; the file's name is added where a tag came before.
std::vector<agreement::NamedRun> named_runs(const retrieval::RetrieveResult& result) {
  std::vector<agreement::NamedRun> runs;
  std::set<std::string> names;
  for (const auto& system : result.systems) {
    if (system.answered == 0) continue;
    auto name = system.tag;
    if (names.contains(name)) name += " (" + system.run.filename().string() + ")";
    names.insert(name);
    runs.push_back({name, system.run});
  }
  return runs;
}

std::string report_json(const retrieval::RetrieveResult& result, const agreement::RunOverlap& overlap) {
  JsonWriter json({.indent = 2});
  json.begin_object()
      .field("documents", result.documents)
      .field("topics", result.topics)
      .field("stemmer", result.stemmer)
      .key("systems")
      .begin_array();
  for (const auto& system : result.systems) {
    json.begin_object()
        .field("tag", system.tag)
        .field("description", system.description)
        .field("run", system.run.string())
        .field("answered", system.answered)
        .end_object();
  }
  json.end_array().key("left_out").begin_array();
  for (const auto& system : result.left_out)
    json.begin_object().field("tag", system.tag).field("reason", system.reason).end_object();
  json.end_array().key("overlap").begin_object();
  presentation::write_overlap(json, overlap);
  return json.end_object().end_object().take_line();
}

std::string counted(std::size_t number, std::string_view what) {
  return fmt::format("{} {}{}", number, what, number == 1 ? "" : "s");
}

std::string report_table(const retrieval::RetrieveResult& result, const agreement::RunOverlap& overlap) {
  std::string text = fmt::format("{} answered {} from {}.\n\n", counted(result.systems.size(), "system"),
                                 counted(result.topics, "topic"), counted(result.documents, "document"));
  for (const auto& system : result.systems) {
    text += fmt::format("{:<22} {}", display_text(system.tag), system.description);
    if (system.answered < result.topics)
      text += fmt::format(" (nothing for {})", counted(result.topics - system.answered, "topic"));
    text += "\n";
  }
  for (const auto& system : result.left_out) text += fmt::format("{:<22} left out: {}\n", system.tag, system.reason);
  const auto table = presentation::overlap_table(overlap);
  return table.empty() ? text : text + "\n" + table;
}

void add_flags(CLI::App* command, const std::shared_ptr<RetrieveFlags>& flags) {
  auto& options = flags->options;
  command
      ->add_option("COLLECTION", flags->collection,
                   "Collection directory, or a data set in the form of BEIR or ir_datasets")
      ->required()
      ->type_name("");
  command->add_option("--out", flags->out, "Folder for the runs and overlap.tsv")->required()->type_name("DIR");
  command->add_option("--work", flags->work, "Folder that keeps the index for the next run (default: a temporary one)")
      ->type_name("DIR");
  command->add_option("--depth", options.depth, "Documents of each topic (default: 100)")
      ->type_name("N")
      ->check(CLI::Range(1U, 100'000U))
      ->transform(whole_number);
  command->add_option("--system", options.systems, "Only this system; may be repeated (default: all)")
      ->expected(1)
      ->type_name("TAG")
      ->take_all();
  add_choice(command, "--rank", options.source.unit, kUnits,
             "What to rank: passages (default) or entities, the pages of an automatic collection")
      ->type_name("WHAT");
  command->add_option("--part", options.source.part, "Part of an automatic collection (default: test)")
      ->type_name("NAME");
  command
      ->add_option("--level", options.source.level,
                   "Topics of an automatic collection: article, toplevel or hierarchical (default)")
      ->type_name("NAME");
  command->add_option("--topics", flags->topics, "Other topics: id, tab, text")->type_name("FILE");
  command
      ->add_option("--stemmer", flags->stemmer, "Language of the stemmer, or none (default: the collection's language)")
      ->type_name("NAME");
  command->add_option("--links", flags->links, "Links between pages, as touchstone links writes them")
      ->type_name("FILE");
  command->add_option("--run", flags->runs, "Runs of other systems, for the table of overlaps")
      ->type_name("FILE")
      ->take_all();
  command->add_option("--embeddings", flags->vectors, "Vectors of documents, .npy: adds exact inner-product search")
      ->type_name("FILE");
  command->add_option("--embedding-ids", flags->vector_ids, "Docids of the vectors, one a line")->type_name("FILE");
  command->add_option("--query-embeddings", flags->queries, "Vectors of topics, .npy")->type_name("FILE");
  command
      ->add_option("--query-ids", flags->query_ids,
                   "Topics of these vectors, one a line (default: the order of the topics)")
      ->type_name("FILE");
  add_choice(command, "--format", flags->format, kReportFormats, "table (default) or json")->type_name("FORMAT");
  add_threads(command, options.threads);
}

}  // namespace

void add_retrieve(CLI::App* app, Context&) {
  auto flags = std::make_shared<RetrieveFlags>();
  auto* command = app->add_subcommand("retrieve", "Answer the topics of a collection with baseline systems");
  add_flags(command, flags);
  add_footer(command);
  command->callback([flags] {
    const auto options = flags->checked();
    const auto result = retrieval::retrieve(options);
    log_info(
        "{} {} documents ({:.1f} processor seconds), answered {} topics with {} systems ({:.1f} processor seconds)",
        result.index_was_built ? "indexed" : "opened the index of", result.documents, result.index_cpu_seconds,
        result.topics, result.systems.size(), result.search_cpu_seconds);
    agreement::RunOverlap overlap;
    analysis::statistics::in_arena(options.threads,
                                   [&] { overlap = agreement::run_overlap(named_runs(result), options.depth); });
    write_file_atomically(options.out / "overlap.tsv", presentation::overlap_tsv(overlap));
    print(flags->format == ReportFormat::kJson ? report_json(result, overlap) : report_table(result, overlap));
  });
}

}  // namespace touchstone::cli
