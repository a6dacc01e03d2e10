#include "collection/automatic/automatic_writer.hpp"
#include "collection/automatic/leak_check.hpp"
#include "collection/automatic/near_duplicates.hpp"
#include "common/files.hpp"
#include "common/json_tree.hpp"
#include "common/version.hpp"
#include "formats/car/ids.hpp"
#include "formats/car/json_lines.hpp"
#include "pipeline/automatic/corpus_order.hpp"
#include "pipeline/automatic/page_composer.hpp"
#include "pipeline/automatic/query_pages.hpp"
#include "pipeline/automatic/stages.hpp"
#include "pipeline/corpus/build_record.hpp"
#include "pipeline/corpus/near_duplicates/near_duplicate_options.hpp"
#include "pipeline/corpus/page_walk.hpp"
#include "pipeline/corpus/wiki_options.hpp"
#include "pipeline/flow/stage_files.hpp"
#include "storage/meta_keys.hpp"

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace touchstone::pipeline::automatic {
namespace {

using collection::automatic::AutomaticInfo;
using collection::automatic::AutomaticWriter;
using collection::automatic::Derivation;
using collection::automatic::DerivationOptions;
using collection::automatic::LeakCheck;
using collection::automatic::QueryPageRecord;
using corpus::near_duplicates::NearDuplicatesOptions;
using flow::StageContext;
using flow::StageReport;
using formats::car::Page;
using selection::AutomaticOptions;
using storage::Family;

constexpr auto kHierarchical = static_cast<std::size_t>(collection::automatic::QrelsLevel::kHierarchical);

/// Paragraphs of a page that go into the corpus, as JSON lines with their ids.
using CorpusLines = std::vector<std::pair<std::string, std::string>>;

/// A query page as it was chosen and as it is released.
struct MadeQueryPage {
  const QueryPage* chosen = nullptr;
  std::unique_ptr<Page> whole, page;  // the derivation points into `page`
  Derivation derivation;
  Wordings wordings;
  CorpusLines corpus;
};

/// A page of the knowledge base.
struct MadePage {
  Page page;
  bool is_article = false;  ///< false: a disambiguation page, whose texts are no passages
  CorpusLines corpus;
};

class ExportAutomatic {
 public:
  explicit ExportAutomatic(StageContext& context)
      : context_(context),
        options_(context.options<AutomaticOptions>()),
        titles_(context.store),
        wiki_(corpus::wiki_facts(context, titles_.site())),
        composer_(context.store, wiki_.name, {.table_rows = options_.include_tables}),
        rules_(options_, titles_.site()),
        duplicates_(collection::automatic::NearDuplicates::read(context.input(kNearDuplicatesFile))),
        query_pages_(read_query_pages(context.input(kQueryPagesFile))),
        writer_(context.output(kAutomaticFolder), info()),
        corpus_(context.scratch(), static_cast<std::uint64_t>(options_.seed)),
        leaks_(leak_options()) {
    for (const auto& page : query_pages_) chosen_.emplace(page.page.value, &page);
  }

  StageReport run() {
    write_query_pages();
    kill_point("export_automatic.query_pages");
    write_knowledge_base();
    kill_point("export_automatic.knowledge_base");
    write_corpus();
    writer_.add_near_duplicates(context_.input(kNearDuplicatesFile));
    kill_point("export_automatic.before_finish");
    const auto numbers = writer_.finish();
    for (const auto& [part, counts] : numbers.parts) {
      if (part != "train" && part != "test") continue;
      report_.counts[part + " topics"] = counts.pages;
      report_.counts[part + " facets"] = counts.facets;
      report_.counts[part + " relevant passages"] = counts.passages.at(kHierarchical);
      report_.counts[part + " relevant entities"] = counts.entities.at(kHierarchical);
    }
    report_.counts["passages"] = numbers.passages;
    report_.counts["knowledge base pages"] = numbers.knowledge_pages;
    return std::move(report_);
  }

 private:
  AutomaticInfo info() const {
    AutomaticInfo info;
    info.name = options_.name;
    if (info.name.empty()) info.name = wiki_.collection_name("automatic");
    info.wiki = wiki_.name;
    info.site_name = wiki_.site_name;
    info.base_url = wiki_.base_url;
    info.language = wiki_.language;
    info.license = context_.options<corpus::LicenseOptions>().license;
    info.dump_date = wiki_.dump_date;
    info.dump_names = wiki_.dump_names;
    info.program_version = program_version();
    info.manifest_json = json_text(corpus::build_record(context_));
    info.folds = static_cast<std::uint32_t>(options_.folds);
    info.list_items = options_.include_lists;
    info.captions = options_.include_captions;
    return info;
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

  std::unique_ptr<MadeQueryPage> make_query_page(PageId id, const storage::PageRecord& record) const {
    const auto found = chosen_.find(id.value);
    if (found == chosen_.end()) return nullptr;
    auto composed = composer_.compose(id, record);
    if (!composed) return nullptr;
    auto made = std::make_unique<MadeQueryPage>();
    made->chosen = found->second;
    made->whole = std::make_unique<Page>(composed->page);
    made->page = std::make_unique<Page>(std::move(composed->page));
    made->wordings = rules_.prepare(*made->page).wordings;
    made->derivation = derive(*made->page, derivation_options());
    made->corpus = corpus_lines(*made->whole);
    return made;
  }

  void write_query_pages() {
    corpus::walk_pages<std::unique_ptr<MadeQueryPage>>(
        context_, [&](PageId id, const storage::PageRecord& record) { return make_query_page(id, record); },
        [&](const std::unique_ptr<MadeQueryPage>& made) {
          if (!made) return;
          leaks_.add_query_page(*made->whole);
          add_corpus(made->corpus);
          writer_.add({made->page.get(), &made->derivation, made->chosen->test, made->chosen->fold,
                       [&](const std::vector<std::string>& headings) { return wording(*made, headings); }});
          ++context_.progress.records;
        });
  }

  /// What a person worded, else the title and the headings with blanks between.
  static std::string wording(const MadeQueryPage& made, const std::vector<std::string>& headings) {
    std::vector<std::string> path{made.page->name};
    auto text = made.wordings.contains(path) ? made.wordings.at(path) : made.page->name;
    for (const auto& heading : headings) {
      path.push_back(heading);
      const auto reworded = made.wordings.find(path);
      text += " " + (reworded == made.wordings.end() ? heading : reworded->second);
    }
    return text;
  }

  std::unique_ptr<MadePage> make_page(PageId id, const storage::PageRecord& record) const {
    if (chosen_.contains(id.value)) return nullptr;
    auto composed = composer_.compose(id, record);
    if (!composed) return nullptr;
    auto made = std::make_unique<MadePage>();
    made->is_article = !composed->is_disambiguation;
    made->page = std::move(composed->page);
    if (made->is_article) made->corpus = corpus_lines(made->page);
    return made;
  }

  void write_knowledge_base() {
    corpus::walk_pages<std::unique_ptr<MadePage>>(
        context_, [&](PageId id, const storage::PageRecord& record) { return make_page(id, record); },
        [&](const std::unique_ptr<MadePage>& made) {
          if (!made) return;
          add_corpus(made->corpus);
          if (const auto copies = leaks_.remove_copies(made->page); copies > 0)
            report_.counts["copies of query pages' texts left out of the knowledge base"] += copies;
          writer_.add_knowledge_page(made->page);
          ++context_.progress.records;
        });
  }

  void write_corpus() {
    formats::car::JsonLineReader reader;
    std::uint64_t count = 0;
    corpus_.for_each([&](std::string_view line) {
      if ((++count & 1023) == 0) context_.stop.check();
      const auto record = reader.record(line);
      TS_CHECK(record && std::holds_alternative<formats::car::Paragraph>(*record), "a line that the program wrote");
      writer_.add_passage(std::get<formats::car::Paragraph>(*record));
    });
  }

  StageContext& context_;
  const AutomaticOptions& options_;
  corpus::TitleIndex titles_;
  corpus::WikiFacts wiki_;
  PageComposer composer_;
  QueryPages rules_;
  collection::automatic::NearDuplicates duplicates_;
  std::vector<QueryPage> query_pages_;
  std::unordered_map<std::uint32_t, const QueryPage*> chosen_;
  AutomaticWriter writer_;
  CorpusOrder corpus_;
  LeakCheck leaks_;
  StageReport report_;
};

class ExportAutomaticStage : public flow::Stage {
 public:
  StageReport run(StageContext& context) override { return ExportAutomatic(context).run(); }
};

/// Headline numbers of the collection, and where to look.
std::string headline(const flow::WorkView& work) {
  flow::checked_file(work.store, work.paths, kAutomaticManifest);
  const auto directory = work.paths.file(kAutomaticFolder);
  const auto manifest = parse_json(read_file(directory / "manifest.json"));
  const auto& numbers = manifest.at("numbers");
  std::string text =
      manifest.at("collection").at("name").get<std::string>() + ", labels from the structure of the pages\n";
  for (const char* part : {"train", "test"}) {
    const auto& counts = numbers.at("parts").at(part);
    text += fmt::format("  {:<6} topics {:8}   facets {:8}   relevant passages {:8}   relevant entities {:8}\n", part,
                        counts.at("pages").get<std::uint64_t>(), counts.at("facets").get<std::uint64_t>(),
                        counts.at("passages").at("hierarchical").get<std::uint64_t>(),
                        counts.at("entities").at("hierarchical").get<std::uint64_t>());
  }
  text += fmt::format("  corpus {:8} passages   knowledge base {:8} pages\n",
                      numbers.at("passages").get<std::uint64_t>(), numbers.at("knowledge_pages").get<std::uint64_t>());
  return text + fmt::format("collection  {}\n", directory.string());
}

}  // namespace

flow::StageInfo export_automatic_stage() {
  return {.name = "export-automatic",
          .summary = "Write the directory of the automatic collection",
          .inputs = {flow::file(kNearDuplicatesFile), flow::file(kQueryPagesFile), flow::meta(storage::kMetaSite),
                     flow::meta(storage::kMetaSources), flow::meta(storage::kMetaNewestTimestamp),
                     flow::family(Family::kPage), flow::family(Family::kOutline), flow::family(Family::kParagraph),
                     flow::family(Family::kTable), flow::family(Family::kLink), flow::family(Family::kLinkTarget),
                     flow::family(Family::kBacklink), flow::family(Family::kAlias), flow::family(Family::kAttribute)},
          .outputs = {flow::folder(kAutomaticFolder), flow::file(kAutomaticManifest),
                      flow::file("automatic/sha256sums.txt")},
          .options = {flow::reads<corpus::NameOptions>(), flow::reads<corpus::LicenseOptions>(),
                      flow::inherits<AutomaticOptions>(), flow::inherits<NearDuplicatesOptions>()},
          .progress_unit = "pages",
          .progress_records = "pages",
          .make = flow::make_stage<ExportAutomaticStage>,
          .outcome_of_build = headline};
}

}  // namespace touchstone::pipeline::automatic
