#include "collection/automatic/automatic_health.hpp"
#include "collection/automatic/automatic_writer.hpp"
#include "collection/automatic/leak_check.hpp"
#include "collection/automatic/near_duplicates.hpp"
#include "collection/automatic/ordered_batches.hpp"
#include "common/digest.hpp"
#include "common/files.hpp"
#include "common/json_tree.hpp"
#include "formats/car/ids.hpp"
#include "formats/car/json_lines.hpp"
#include "pipeline/automatic/corpus_order.hpp"
#include "pipeline/automatic/headline.hpp"
#include "pipeline/automatic/inlink_anchors.hpp"
#include "pipeline/automatic/page_composer.hpp"
#include "pipeline/automatic/page_relinker.hpp"
#include "pipeline/automatic/query_pages.hpp"
#include "pipeline/automatic/stages.hpp"
#include "pipeline/baseline/bm25_run.hpp"
#include "pipeline/corpus/build_record.hpp"
#include "pipeline/corpus/near_duplicates/near_duplicate_options.hpp"
#include "pipeline/corpus/page_walk.hpp"
#include "pipeline/corpus/wiki_options.hpp"
#include "pipeline/flow/stage_files.hpp"
#include "pipeline/flow/work_files.hpp"
#include "pipeline/linking/dictionary_build.hpp"
#include "storage/meta_keys.hpp"

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <oneapi/tbb/enumerable_thread_specific.h>
#include <oneapi/tbb/task_arena.h>

namespace touchstone::pipeline::automatic {
namespace {

using collection::automatic::AutomaticInfo;
using collection::automatic::AutomaticWriter;
using collection::automatic::DerivationOptions;
using collection::automatic::EncodedPassage;
using collection::automatic::LeakCheck;
using collection::automatic::OrderedBatches;
using corpus::near_duplicates::NearDuplicatesOptions;
using flow::StageReport;
using flow::WriteContext;
using formats::car::Page;
using selection::AutomaticOptions;
using storage::Family;

constexpr auto kHierarchical = static_cast<std::size_t>(collection::automatic::QrelsLevel::kHierarchical);

/// Paragraphs of a page that go into the corpus, as JSON lines with their ids.
using CorpusLines = std::vector<std::pair<std::string, std::string>>;

using Anchors = std::vector<formats::car::AnchorCount>;

/// A query page as it was found and as it is released.
struct MadeQueryPage {
  Page whole;
  collection::automatic::QueryTexts texts;
  CorpusLines corpus;
  collection::automatic::EncodedQueryPage released;
};

/// A page of the knowledge base.
struct MadePage {
  bool is_leak = false;      ///< it has the title of a query page, or of a redirect to one
  std::uint64_t copies = 0;  ///< texts of query pages that were removed
  CorpusLines corpus;
  collection::automatic::EncodedPage released;
};

class ExportAutomatic {
 public:
  explicit ExportAutomatic(WriteContext& context)
      : context_(context),
        options_(context.options<AutomaticOptions>()),
        titles_(context.store, context.options<corpus::TextOptions>()),
        facts_(corpus::collection_facts(context, titles_.site(), "automatic", options_.name)),
        composer_(context.store, facts_.wiki, {.links = false}),
        rules_(options_, titles_.site()),
        duplicates_(collection::automatic::NearDuplicates::read(context.input(kNearDuplicatesFile))),
        query_pages_(records::RecordFile<QueryPage>::read(context.input(kQueryPagesFile))),
        writer_(context.output(kAutomaticFolder), info()),
        corpus_(context.scratch(), static_cast<std::uint64_t>(options_.seed)),
        leaks_(leak_options()) {
    for (const auto& page : query_pages_) chosen_.emplace(page.page.value, &page);
  }

  StageReport run() {
    open_linker();
    anchors_.emplace(context_, [this](PageId id) { return is_query_page(id); });
    write_query_pages();
    kill_point("export_automatic.query_pages");
    write_knowledge_base();
    kill_point("export_automatic.knowledge_base");
    write_corpus();
    writer_.add_near_duplicates(context_.input(kNearDuplicatesFile));
    kill_point("export_automatic.before_finish");
    const auto bm25 = baseline::bm25_system(baseline::CollectionKind::kAutomatic, facts_.language, context_.scratch(),
                                            context_.threads, context_.stop);
    const auto numbers = writer_.finish(
        [this](const std::filesystem::path& directory) {
          return collection::automatic::examine_automatic(directory, info(), context_.stop);
        },
        options_.baseline_run ? &bm25 : nullptr);
    for (const auto& [part, counts] : numbers.parts) {
      if (part != "train" && part != "test") continue;
      report_.topics = report_.topics.value_or(0) + counts.pages;
      report_.counts[part + " topics"] = counts.pages;
      report_.counts[part + " facets"] = counts.facets;
      report_.counts[part + " relevant passages"] = counts.passages.at(kHierarchical);
      report_.counts[part + " relevant entities"] = counts.entities.at(kHierarchical);
    }
    if (numbers.shared_car_ids > 0) {
      report_.warnings.push_back(
          fmt::format("{} ids of TREC CAR stand for several pages or sections each, so that the files of TREC CAR mix "
                      "their judgments; the ids in all other files are unambiguous (ids.tsv)",
                      numbers.shared_car_ids));
    }
    report_.counts["passages"] = numbers.passages;
    report_.counts["knowledge base pages"] = numbers.knowledge_pages;
    return std::move(report_);
  }

 private:
  AutomaticInfo info() const {
    AutomaticInfo info;
    static_cast<collection::release::CollectionFacts&>(info) = facts_;
    info.manifest_json = json_text(corpus::build_record(context_));
    info.folds = static_cast<std::uint32_t>(options_.folds);
    info.list_items = options_.include_lists;
    info.captions = options_.include_captions;
    return info;
  }

  bool is_query_page(PageId id) const { return chosen_.contains(id.value); }

  /// Makes the dictionary of the linker, unless it is a file, and opens it.
  void open_linker() {
    using selection::LinkerSource;
    const auto source = options_.linker_source();
    if (source == LinkerSource::kNone) return;
    std::filesystem::path file = options_.linker;
    const bool made = source != LinkerSource::kFile;
    if (made) {
      file = context_.scratch() / "linker.dictionary";
      linking::DictionarySettings settings;
      settings.file = file;
      settings.scratch = context_.scratch();
      settings.wiki = facts_.wiki;
      settings.threads = context_.threads;
      settings.terms = source == LinkerSource::kTerms;
      if (!settings.terms) settings.left_out = [this](PageId id) { return is_query_page(id); };
      linking::build_dictionary(linking::LinkedPages(context_.store), settings, context_.stop);
    }
    relinker_.emplace(file, context_.options<touchstone::linking::LinkerOptions>());
    if (made) std::filesystem::remove(file);  // what is open stays readable
  }

  std::function<std::string(std::string_view)> representative() const {
    return [this](std::string_view id) { return duplicates_.representative(id); };
  }

  DerivationOptions derivation_options() const {
    return {options_.include_lists, options_.include_captions, representative()};
  }

  collection::automatic::LeakCheckOptions leak_options() const {
    collection::automatic::LeakCheckOptions options;
    options.representative = representative();
    return options;
  }

  static std::string without_line_end(std::string line) {
    line.pop_back();
    return line;
  }

  /// The paragraphs of a page that stand for themselves.
  CorpusLines corpus_lines(const Page& page) const {
    CorpusLines lines;
    const DerivationOptions options{options_.include_lists, options_.include_captions, {}};
    for (const auto& passage : derive(page, options).passages) {
      if (duplicates_.representative(passage.id) == passage.id)
        lines.emplace_back(passage.id, without_line_end(paragraph_json_line(*passage.paragraph)));
    }
    return lines;
  }

  void add_corpus(const CorpusLines& lines) {
    for (const auto& [id, line] : lines) corpus_.add(id, line);
  }

  /// A composed page as its file holds it, and the texts of links to it.
  struct StoredPage {
    PageId id;
    std::string record;
    Anchors anchors;

    ComposedPage page() const { return records::decode_all<ComposedPage>(record); }
  };

  /// Goes over the composed pages, the query pages or the others: `make(stored)` in several threads, `take` in order.
  template <class Made, class Make, class Take>
  void walk(bool query_pages, const Make& make, const Take& take) {
    anchors_->rewind();
    const auto files = flow::kept_parts(context_.input(kPagesFolder));
    auto file = files.begin();
    std::optional<records::ByteReader> reader;
    std::string_view record;
    const auto next = [&](StoredPage& page) {
      for (;;) {
        if (reader && reader->next(record)) {
          page.id.value = records::Decoder(record).number_as<std::uint32_t>();  // its first field
          if (is_query_page(page.id) != query_pages) continue;
          page.record = record;
          page.anchors = anchors_->of(page.id);
          return true;
        }
        if (file == files.end()) return false;
        reader.emplace(*file++);
      }
    };
    corpus::walk<StoredPage, std::unique_ptr<Made>>(
        context_, next, [](const StoredPage& page) { return page.record.size(); }, make, take);
  }

  std::unique_ptr<MadeQueryPage> make_query_page(StoredPage stored) const {
    auto composed = stored.page();
    if (relinker_) relinker_->relink(composed.page);
    auto made = std::make_unique<MadeQueryPage>();
    made->corpus = corpus_lines(composed.page);
    made->texts = leaks_.texts_of(composed.page);
    composer_.add_inlinks(
        stored.id, [this](PageId id) { return is_query_page(id); }, composed.page.metadata);
    made->whole = composed.page;
    Page& page = composed.page;
    page.metadata.inlink_anchors = std::move(stored.anchors);
    const Wordings wordings = rules_.prepare(page).wordings;
    const QueryPage& chosen = *chosen_.at(stored.id.value);
    const auto derivation = derive(page, derivation_options());
    made->released = collection::automatic::encode_query_page(
        {&page, &derivation, chosen.test, chosen.fold,
         [&](const std::vector<std::string>& headings) { return wording(page, wordings, headings); }});
    return made;
  }

  void write_query_pages() {
    walk<MadeQueryPage>(
        true, [&](StoredPage stored) { return make_query_page(std::move(stored)); },
        [&](const std::unique_ptr<MadeQueryPage>& made) {
          leaks_.add_query_page(made->whole, made->texts);
          add_corpus(made->corpus);
          writer_.add(made->released);
          ++context_.progress.records;
        });
  }

  /// What a person worded, else the title and the headings with blanks between.
  static std::string wording(const Page& page, const Wordings& wordings, const std::vector<std::string>& headings) {
    std::vector<std::string> path{page.name};
    auto text = wordings.contains(path) ? wordings.at(path) : page.name;
    for (const auto& heading : headings) {
      path.push_back(heading);
      const auto reworded = wordings.find(path);
      text += " " + (reworded == wordings.end() ? heading : reworded->second);
    }
    return text;
  }

  std::unique_ptr<MadePage> make_page(StoredPage stored) const {
    auto composed = stored.page();
    auto made = std::make_unique<MadePage>();
    if (!composed.is_disambiguation) made->corpus = corpus_lines(composed.page);  // else its texts are no passages
    made->is_leak = leaks_.is_leak(composed.page);
    if (made->is_leak) return made;
    composer_.add_inlinks(
        stored.id, [this](PageId id) { return is_query_page(id); }, composed.page.metadata);
    composed.page.metadata.inlink_anchors = std::move(stored.anchors);
    made->copies = leaks_.remove_leaked_texts(composed.page);
    made->released = collection::automatic::encode_page(composed.page);
    return made;
  }

  void write_knowledge_base() {
    walk<MadePage>(
        false, [&](StoredPage stored) { return make_page(std::move(stored)); },
        [&](const std::unique_ptr<MadePage>& made) {
          add_corpus(made->corpus);
          if (made->is_leak) {
            ++report_.counts["pages with the title of a query page or of a redirect to one left out"];
            return;
          }
          if (made->copies > 0)
            report_.counts["copies of query pages' texts left out of the knowledge base"] += made->copies;
          writer_.add_knowledge_page(made->released);
          ++context_.progress.records;
        });
  }

  void write_corpus() {
    constexpr std::size_t kPassagesPerBatch = 1024;
    tbb::enumerable_thread_specific<formats::car::JsonLineReader> readers;
    const auto encode = [&](std::string& line) {
      const auto record = readers.local().record(line);
      TS_CHECK(record && std::holds_alternative<formats::car::Paragraph>(*record), "a line that the program wrote");
      return collection::automatic::encode_passage(std::get<formats::car::Paragraph>(*record));
    };
    OrderedBatches<std::string, EncodedPassage> batches(kPassagesPerBatch, encode, [&](const EncodedPassage& passage) {
      context_.stop.check();
      writer_.add_passage(passage);
    });
    corpus_.for_each([&](std::string_view line) { batches.add(std::string(line)); });
    batches.finish();
  }

  WriteContext& context_;
  const AutomaticOptions& options_;
  corpus::TitleIndex titles_;
  collection::release::CollectionFacts facts_;
  PageComposer composer_;
  QueryPages rules_;
  collection::automatic::NearDuplicates duplicates_;
  std::vector<QueryPage> query_pages_;
  std::unordered_map<std::uint32_t, const QueryPage*> chosen_;
  std::optional<InlinkAnchors> anchors_;
  std::optional<PageRelinker> relinker_;
  AutomaticWriter writer_;
  CorpusOrder corpus_;
  LeakCheck leaks_;
  StageReport report_;
};

class ExportAutomaticStage : public flow::Stage {
 public:
  StageReport merge(WriteContext& context, const flow::Parts& /*parts*/) override {
    tbb::task_arena arena(context.threads);
    return arena.execute([&] { return ExportAutomatic(context).run(); });
  }
};

/// The dictionary of the linker, if it is a file.
std::string linker_fingerprint(const Settings& settings) {
  const auto& options = settings.get<AutomaticOptions>();
  if (options.linker_source() != selection::LinkerSource::kFile) return {};
  return std::filesystem::exists(options.linker) ? sha256_file(options.linker) : "missing";
}

}  // namespace

flow::StageInfo export_automatic_stage() {
  return {.name = "export-automatic",
          .summary = "Write the directory of the automatic collection",
          .format_version = 10,
          .inputs = {flow::folder(kPagesFolder), flow::file(kNearDuplicatesFile), flow::file(kQueryPagesFile),
                     flow::meta(storage::kMetaSite), flow::meta(storage::kMetaSources),
                     flow::meta(storage::kMetaNewestTimestamp), flow::family(Family::kPage),
                     flow::family(Family::kTitle), flow::family(Family::kOutline), flow::family(Family::kParagraph),
                     flow::family(Family::kTable), flow::family(Family::kLink), flow::family(Family::kLinkTarget),
                     flow::family(Family::kBacklink), flow::family(Family::kAlias), flow::family(Family::kAttribute)},
          .outputs = {flow::folder(kAutomaticFolder), flow::file(kAutomaticManifest), flow::file(kAutomaticDigests)},
          .options = {flow::reads<corpus::NameOptions>(), flow::reads<corpus::LicenseOptions>(),
                      flow::inherits<AutomaticOptions>(), flow::inherits<NearDuplicatesOptions>(),
                      flow::inherits<corpus::TextOptions>(), flow::reads<touchstone::linking::LinkerOptions>()},
          .progress_unit = "pages",
          .progress_records = "pages",
          .make = flow::make_stage<ExportAutomaticStage>,
          .extra_fingerprint = linker_fingerprint,
          .outcome_of_build = collection_headline,
          .shorthands = {{"--linker", "automatic.linker",
                          "Dictionary of link-entities, own or terms: links of query pages", "FILE"}},
          .finds_topics = true};
}

}  // namespace touchstone::pipeline::automatic
