#include "cli/command.hpp"
#include "common/error.hpp"
#include "common/files.hpp"
#include "common/json_writer.hpp"
#include "common/number_text.hpp"
#include "common/scratch_folder.hpp"
#include "linking/dictionary.hpp"
#include "linking/linker_options.hpp"
#include "pipeline/automatic/query_pages.hpp"
#include "pipeline/automatic/stages.hpp"
#include "pipeline/corpus/docids.hpp"
#include "pipeline/corpus/ingest_options.hpp"
#include "pipeline/corpus/page_files.hpp"
#include "pipeline/entities/dictionary_build.hpp"
#include "pipeline/entities/linker_accuracy.hpp"
#include "pipeline/entities/page_annotations.hpp"
#include "pipeline/flow/work_files.hpp"
#include "pipeline/passages/passage_composer.hpp"
#include "pipeline/passages/passage_options.hpp"

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

namespace touchstone::cli {
namespace {

namespace pages = pipeline::entities;
using linking::Agreement;
using linking::Dictionary;
using linking::LinkerOptions;
using pipeline::entities::EditorsComparison;
using pipeline::flow::WorkPaths;

constexpr double kUsualHeldOut = 0.1;
constexpr const char* kHeldOutFact = "held_out";
constexpr const char* kQueryPagesFact = "query_pages_left_out";

struct LinkFlags {
  WorkFlags work;
  std::string make, dictionary, out, benchmark, format = "text";
  std::optional<double> held_out;
  unsigned min_links = 1;
  bool evaluate = false, terms = false, missing_pages = false, without_query_pages = false;
};

/// A store that is open, with what a command needs of it.
struct OpenStore {
  std::unique_ptr<storage::Store> store;
  pages::LinkedPages linked;

  explicit OpenStore(const std::string& work)
      : store(storage::Store::open(WorkPaths{work}.store(), storage::Access::kReadOnly)), linked(*store) {}
};

Settings settings_of(const LinkFlags& flags) {
  return load_settings(flags.work, flags.work.work.empty() || !flags.work.config_file.empty()
                                       ? ""
                                       : pipeline::flow::Runner::stored_config(flags.work.work));
}

pipeline::automatic::QueryPageSet query_pages_of(const std::string& work) {
  const auto file = WorkPaths{work}.file(pipeline::kQueryPagesFile);
  if (!std::filesystem::exists(file))
    throw ConfigError(work + " has no query pages yet; run touchstone build --to automatic --work " + work + " first");
  return pipeline::automatic::QueryPageSet(file);
}

/// The pages whose links do not go into a dictionary.
std::function<bool(PageId)> left_out_pages(const OpenStore& open, const std::string& work, double share,
                                           bool query_pages) {
  auto chosen = query_pages ? std::optional(query_pages_of(work)) : std::nullopt;
  return [&open, chosen = std::move(chosen), share](PageId page) {
    return (chosen && chosen->contains(page)) || (share > 0 && pages::is_held_out(open.linked.title_of(page), share));
  };
}

/// Makes a dictionary from the store, without the links of pages that are left out.
pages::DictionaryReport make_dictionary(const LinkFlags& flags, const OpenStore& open, const Settings& settings,
                                        const std::filesystem::path& file, double held_out, bool query_pages,
                                        const Context& context) {
  const ScratchFolder scratch("linking");
  pages::DictionarySettings dictionary;
  dictionary.file = file;
  dictionary.scratch = scratch.path();
  dictionary.wiki =
      pipeline::corpus::wiki_name(settings.get<pipeline::corpus::NameOptions>(), open.linked.titles().site());
  dictionary.threads = run_options(flags.work, context).threads;
  dictionary.min_links = flags.min_links;
  dictionary.terms = flags.terms;
  dictionary.missing_pages = flags.missing_pages;
  dictionary.left_out = left_out_pages(open, flags.work.work, held_out, query_pages);
  if (held_out > 0) dictionary.facts[kHeldOutFact] = fmt::format("{}", held_out);
  if (query_pages) dictionary.facts[kQueryPagesFact] = "yes";
  return pages::build_dictionary(open.linked, dictionary, install_stop_signals());
}

void run_make(const LinkFlags& flags, const Settings& settings, const Context& context) {
  if (flags.work.work.empty()) throw ConfigError("--make needs --work DIR with what ingest and link made");
  const OpenStore open(flags.work.work);
  const auto report = make_dictionary(flags, open, settings, flags.make, flags.held_out.value_or(0),
                                      flags.without_query_pages, context);
  std::string text = fmt::format("{}: {} anchors with {} links to {} entities, from {} pages\n", flags.make,
                                 with_commas(report.anchors), with_commas(report.links), with_commas(report.entities),
                                 with_commas(report.pages));
  if (report.left_out > 0) text += fmt::format("the links of {} pages were left out\n", with_commas(report.left_out));
  if (report.without_page > 0)
    text += fmt::format("{} of the entities are no pages of the store\n", with_commas(report.without_page));
  if (report.anchors == 0) text += "no anchor was found: the pages have no links between them\n";
  std::fputs(text.c_str(), stdout);
}

/// The pages that a dictionary says it holds no links of.
std::function<bool(PageId)> pages_apart(const OpenStore& open, const LinkFlags& flags, const Dictionary& dictionary) {
  const auto held_out = dictionary.fact(kHeldOutFact);
  const bool query_pages = dictionary.fact(kQueryPagesFact) == "yes";
  if (held_out.empty() && !query_pages)
    throw ConfigError(flags.dictionary +
                      " was made from all pages, so that it knows the links that it would be measured with; make one "
                      "with --held-out or --without-query-pages, or leave --dictionary out");
  return left_out_pages(open, flags.work.work, held_out.empty() ? 0 : std::stod(held_out), query_pages);
}

/// Which truth a linker was compared with.
enum class LinkTruth { kEditorsLinks, kBenchmark };

std::string rates_text(const Agreement& agreement) {
  return fmt::format("{:9.3f} {:9.3f} {:9.3f}", agreement.precision(), agreement.recall(), agreement.f1());
}

void put_agreement(JsonWriter& json, const char* name, const Agreement& agreement) {
  const auto rate = [](double value) { return fmt::format("{:.4f}", value); };
  json.key(name).begin_object().field("right", agreement.right).field("wrong", agreement.wrong);
  json.field("missed", agreement.missed).key("precision").raw(rate(agreement.precision()));
  json.key("recall").raw(rate(agreement.recall())).key("f1").raw(rate(agreement.f1())).end_object();
}

double reachable_share(const EditorsComparison& comparison) {
  return comparison.links == 0 ? 0 : static_cast<double>(comparison.reachable) / static_cast<double>(comparison.links);
}

std::string accuracy_text(const EditorsComparison& comparison, LinkTruth truth) {
  const bool editors = truth == LinkTruth::kEditorsLinks;
  std::string text =
      fmt::format("{} pages that the dictionary has no links of, with {} {}\n", with_commas(comparison.pages),
                  with_commas(comparison.links), editors ? "links of their editors" : "true labels of paragraphs");
  text += fmt::format("{} {:.1f} % of them; no linker can find more\n",
                      editors ? "the dictionary knows phrase and meaning of" : "the dictionary has the entities of",
                      100 * reachable_share(comparison));
  text +=
      fmt::format("\n{:12}{:^31} {:^29}\n", "", editors ? "mentions" : "entities of paragraphs", "entities of pages");
  text += fmt::format("{:12}{:>11} {:>9} {:>9}  {:>9} {:>9} {:>9}\n", "linker", "precision", "recall", "F1",
                      "precision", "recall", "F1");
  for (const auto& row : comparison.rows)
    text += fmt::format("{:12}  {}  {}\n", row.name, rates_text(row.pages.mentions), rates_text(row.pages.entities));
  return text;
}

std::string accuracy_json(const EditorsComparison& comparison, LinkTruth truth) {
  const bool editors = truth == LinkTruth::kEditorsLinks;
  JsonWriter json({.indent = 2});
  json.begin_object()
      .field("truth", editors ? "editors' links" : "benchmark")
      .field("pages", comparison.pages)
      .field("links", comparison.links)
      .field("reachable", comparison.reachable);
  json.key("linkers").begin_array();
  for (const auto& row : comparison.rows) {
    json.begin_object().field("linker", row.name);
    put_agreement(json, editors ? "mentions" : "paragraphs", row.pages.mentions);
    put_agreement(json, "pages", row.pages.entities);
    json.end_object();
  }
  return json.end_array().end_object().take_line();
}

void print_accuracy(const LinkFlags& flags, const pages::EditorsComparison& comparison, LinkTruth truth) {
  std::fputs((flags.format == "json" ? accuracy_json(comparison, truth) : accuracy_text(comparison, truth)).c_str(),
             stdout);
}

void run_evaluate(const LinkFlags& flags, const Settings& settings, const Context& context) {
  const bool of_benchmark = !flags.benchmark.empty();
  if (flags.work.work.empty() && (!of_benchmark || flags.dictionary.empty()))
    throw ConfigError("--evaluate needs --work DIR with what ingest and link made");
  auto& stop = install_stop_signals();
  const auto& options = settings.get<LinkerOptions>();
  std::optional<OpenStore> open;
  if (!flags.work.work.empty()) open.emplace(flags.work.work);
  const ScratchFolder scratch("linking");
  auto file = std::filesystem::path(flags.dictionary);
  if (flags.dictionary.empty()) {
    file = scratch.path() / "anchors.dictionary";
    const bool query_pages = of_benchmark || flags.without_query_pages;
    make_dictionary(flags, *open, settings, file, flags.held_out.value_or(query_pages ? 0 : kUsualHeldOut), query_pages,
                    context);
  }
  const Dictionary dictionary(file);
  if (of_benchmark) {
    if (dictionary.fact(kQueryPagesFact) != "yes")
      throw ConfigError(flags.dictionary +
                        " holds the links of the query pages, which the benchmark asks for; make one with "
                        "--without-query-pages");
    print_accuracy(flags, pages::compare_with_benchmark(flags.benchmark, dictionary, options, stop),
                   LinkTruth::kBenchmark);
    return;
  }
  const auto chosen = pages_apart(*open, flags, dictionary);
  print_accuracy(flags,
                 pages::compare_with_pages(open->linked, dictionary, options, chosen,
                                           run_options(flags.work, context).threads, stop),
                 LinkTruth::kEditorsLinks);
}

/// The name of a file in docids: letters, digits, '_' and '.' of it.
std::string name_of(const std::filesystem::path& file) {
  std::string name;
  for (const char c : file.stem().string()) {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.') name.push_back(c);
  }
  return name.empty() ? "pages" : name;
}

bool is_plain_text(const pipeline::flow::SourceInput& source) {
  return source.kind == "pages" && source.path.extension() == ".txt";
}

/// Writes the entities of all texts of one source.
using WriteEntities = std::function<void(const pages::PageTextsSource&)>;

void annotate_files(const LinkFlags& flags, const Settings& settings, int threads, const WriteEntities& write) {
  const auto& ingest = settings.get<pipeline::corpus::IngestOptions>();
  for (const auto& source : flags.work.sources) {
    if (is_plain_text(source)) {
      write(pages::texts_of_plain_file(source.path, name_of(source.path)));
      continue;
    }
    const pipeline::corpus::PageFileSettings of_file{{source}, ingest, "", threads, &install_stop_signals()};
    const auto files = pipeline::corpus::page_file_kind(source.kind).make(of_file);
    write(pages::texts_of_files(*files, name_of(source.path)));
  }
}

void annotate_store(const LinkFlags& flags, const Settings& settings, const WriteEntities& write) {
  const OpenStore open(flags.work.work);
  const auto name =
      pipeline::corpus::wiki_name(settings.get<pipeline::corpus::NameOptions>(), open.linked.titles().site());
  const pipeline::passages::PassageComposer composer(*open.store, settings.get<pipeline::passages::PassagesOptions>());
  write(pages::texts_of_store(open.linked, composer, name));
}

void run_annotate(const LinkFlags& flags, const Settings& settings, const Context& context) {
  if (flags.dictionary.empty())
    throw ConfigError("link-entities needs --dictionary FILE to link with, --make FILE to make one, or --evaluate");
  if (flags.work.sources.empty() == flags.work.work.empty())
    throw ConfigError("give the texts to link: --pages FILE, or --work DIR for the passages of a store");
  if (flags.out.empty()) throw ConfigError("give the file to write with --out FILE; - is standard output");
  const Dictionary dictionary(flags.dictionary);
  const int threads = run_options(flags.work, context).threads;
  std::optional<TextWriter> writer;
  if (flags.out != "-") writer.emplace(flags.out, InTheWay::kRefuse);
  pages::AnnotationCounts sum;
  const auto annotate = [&](const pages::PageTextsSource& source) {
    const auto counts =
        pages::annotate(source, dictionary, settings.get<LinkerOptions>(), threads, install_stop_signals(),
                        [&](std::string_view lines) {
                          writer ? writer->write(lines) : void(std::fwrite(lines.data(), 1, lines.size(), stdout));
                        });
    sum.texts += counts.texts;
    sum.spans += counts.spans;
    sum.entities += counts.entities;
  };
  if (flags.work.sources.empty()) {
    annotate_store(flags, settings, annotate);
  } else {
    annotate_files(flags, settings, threads, annotate);
  }
  if (writer) writer->finish();
  std::fprintf(stderr, "%s mentions of %s entities (counted in each text) in %s texts\n",
               with_commas(sum.spans).c_str(), with_commas(sum.entities).c_str(), with_commas(sum.texts).c_str());
}

void run_link_entities(const LinkFlags& flags, const Context& context) {
  if (!flags.make.empty() && flags.evaluate)
    throw ConfigError("--make and --evaluate are two commands; --evaluate makes the dictionary that it needs");
  if (!flags.benchmark.empty() && !flags.evaluate) throw ConfigError("--benchmark goes with --evaluate");
  const auto settings = settings_of(flags);
  if (!flags.make.empty()) {
    run_make(flags, settings, context);
  } else if (flags.evaluate) {
    run_evaluate(flags, settings, context);
  } else {
    run_annotate(flags, settings, context);
  }
}

}  // namespace

void add_link_entities(CLI::App* app, Context& context) {
  auto* command = app->add_subcommand("link-entities", "Find the entities of a wiki in texts, or measure how well");
  auto flags = std::make_shared<LinkFlags>();
  flags->work.add_to(command, WorkFlags::kConfig | WorkFlags::kSources);
  command->get_option("--work")->required(false);
  auto* make = command->add_option("--make", flags->make, "Make this dictionary from the links of --work");
  make->type_name("FILE");
  auto* dictionary = command->add_option("--dictionary", flags->dictionary, "Link with this dictionary");
  dictionary->type_name("FILE")->excludes(make);
  command
      ->add_option("--out", flags->out, "JSON lines to write, compressed if the name ends in .gz; - is standard output")
      ->type_name("FILE");
  command->add_flag("--evaluate", flags->evaluate, "Compare with the links of editors, and with a baseline");
  command
      ->add_option("--benchmark", flags->benchmark,
                   "Compare with this benchmark of entity linking of an automatic collection instead")
      ->type_name("FILE");
  command
      ->add_option_function<std::string>(
          "--held-out",
          [flags](const std::string& share) {
            std::size_t used = 0;
            double value = -1;
            try {
              value = std::stod(share, &used);
            } catch (const std::exception&) {
            }
            if (used != share.size() || !(value >= 0 && value < 1))
              throw ConfigError("--held-out " + share + ": expected a share from 0 to less than 1, such as 0.1");
            flags->held_out = value;
          },
          "Share of the pages whose links do not count, chosen by their titles (default: 0; with --evaluate 0.1)")
      ->type_name("SHARE");
  command->add_flag("--without-query-pages", flags->without_query_pages,
                    "The links of the query pages of --work do not count");
  command->add_flag("--terms", flags->terms,
                    "Links to no page lead to entities too, which are linked wherever they occur: the terms of a book");
  command->add_flag("--missing-pages", flags->missing_pages,
                    "Links to pages that the store does not have lead to entities too");
  command
      ->add_option("--min-links", flags->min_links, "Phrases that are a link on fewer pages are left out (default: 1)")
      ->type_name("N");
  command->add_option("--format", flags->format, "Of --evaluate: text or json")
      ->check(one_of({"text", "json"}))
      ->type_name("FORMAT");
  add_threads(command, flags->work.threads);
  add_footer(command);
  command->callback([=, &context] { run_link_entities(*flags, context); });
}

}  // namespace touchstone::cli
