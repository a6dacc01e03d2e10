#include "collection/automatic/automatic_health.hpp"
#include "collection/automatic/automatic_writer.hpp"
#include "collection/automatic/leak_check.hpp"
#include "collection/automatic/near_duplicates.hpp"
#include "common/digest.hpp"
#include "common/files.hpp"
#include "common/json_tree.hpp"
#include "pipeline/automatic/heading_uses.hpp"
#include "pipeline/automatic/headline.hpp"
#include "pipeline/automatic/knowledge_work.hpp"
#include "pipeline/automatic/located_passages.hpp"
#include "pipeline/automatic/new_paragraphs.hpp"
#include "pipeline/automatic/page_anchors.hpp"
#include "pipeline/automatic/page_composer.hpp"
#include "pipeline/automatic/page_relinker.hpp"
#include "pipeline/automatic/query_pages.hpp"
#include "pipeline/automatic/stages.hpp"
#include "pipeline/baseline/bm25_run.hpp"
#include "pipeline/corpus/build_record.hpp"
#include "pipeline/corpus/docids.hpp"
#include "pipeline/corpus/previous_work.hpp"
#include "pipeline/corpus/wiki_options.hpp"
#include "pipeline/flow/stage_files.hpp"
#include "pipeline/flow/work_files.hpp"
#include "pipeline/passages/near_duplicates/near_duplicate_options.hpp"
#include "storage/meta_keys.hpp"

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <oneapi/tbb/task_arena.h>

namespace touchstone::pipeline::automatic {
namespace {

using collection::automatic::AutomaticInfo;
using collection::automatic::AutomaticWriter;
using collection::automatic::DerivationOptions;
using collection::automatic::EncodedPage;
using collection::automatic::EncodedQueryPage;
using collection::automatic::LeakCheck;
using collection::automatic::LeakIndex;
using flow::ReadContext;
using flow::StageReport;
using flow::WriteContext;
using formats::car::Page;
using passages::near_duplicates::NearDuplicatesOptions;
using selection::AutomaticOptions;
using storage::Family;

constexpr auto kHierarchical = static_cast<std::size_t>(collection::automatic::QrelsLevel::kHierarchical);

// The parts of a cut. Passages of query pages and of others apart, since those of query pages come first.
constexpr std::string_view kTopicPagesPart = "query_pages";
constexpr std::string_view kKnowledgePart = "knowledge_base";
constexpr std::string_view kQueryPassagesPart = "query_passages";
constexpr std::string_view kOtherPassagesPart = "passages";
constexpr std::string_view kLeftOutPart = "counts";

/// What was left out of the knowledge base.
struct LeftOut {
  std::uint64_t pages = 0;   ///< with the title of a query page, or of a redirect to one
  std::uint64_t copies = 0;  ///< texts of query pages

  template <class Fields>
  void fields(Fields& field) {
    field("pages", pages)("copies", copies);
  }
};

/// Null if links are those of the pages.
std::unique_ptr<const PageRelinker> open_linker(const ReadContext& context) {
  using selection::LinkerSource;
  const auto& options = context.options<AutomaticOptions>();
  const auto source = options.linker_source();
  if (source == LinkerSource::kNone) return nullptr;
  const auto file =
      source == LinkerSource::kFile ? std::filesystem::path(options.linker) : context.input(kLinkerDictionary);
  return std::make_unique<const PageRelinker>(file, context.options<touchstone::linking::LinkerOptions>());
}

/// Turns composed pages into what the files of the collection hold of them. Thread-safe.
class PageMaker {
 public:
  explicit PageMaker(const ReadContext& context)
      : context_(context),
        options_(context.options<AutomaticOptions>()),
        composer_(context.store, wiki_of(context), {.links = false}),
        rules_(options_, composer_.titles().site(), boilerplate_headings(context.input(kHeadingUsesFile), options_)),
        duplicates_(collection::automatic::NearDuplicates::read(context.input(kNearDuplicatesFile))),
        representative_([this](std::string_view id) { return duplicates_.representative(id); }),
        leaks_(LeakIndex(context.input(kQueryPageIndex)), {.representative = representative_}),
        query_pages_(context.input(kQueryPagesFile)),
        missing_titles_(context.input(kMissingTitlesFile)),
        pages_(flow::kept_parts(context.input(kPagesFolder))),
        anchors_(flow::kept_parts(context.input(kAnchorsFolder))) {
    relinker_ = open_linker(context);
    knowledge_ = knowledge_of(context);
    if (const auto& day = context.options<corpus::NewPagesOptions>().only_new; !day.empty())
      new_.emplace(context.store, day, context.options<corpus::PreviousOptions>().work, options_);
  }

  /// \param file  of the pages of this work directory, or behind them of those of automatic.knowledge
  void make(std::size_t file, const flow::PartWriter& parts) const {
    auto query_pages = parts.records<EncodedQueryPage>(kTopicPagesPart);
    auto query_passages = parts.records<internal::LocatedPassage>(kQueryPassagesPart);
    auto knowledge = parts.records<EncodedPage>(kKnowledgePart);
    auto passages = parts.records<internal::LocatedPassage>(kOtherPassagesPart);
    LeftOut left_out;
    const auto add_other = [&](ComposedPage composed, std::string_view base_url) {
      if (!composed.is_disambiguation) add_passages(composed, base_url, passages);  // else its texts are not passages
      if (leaks_.is_leak(composed.page)) {
        ++left_out.pages;
        return;
      }
      left_out.copies += leaks_.remove_leaked_texts(composed.page);
      knowledge.add(collection::automatic::encode_page(composed.page));
    };
    if (file >= pages_.size()) {
      knowledge_->for_each_page(file - pages_.size(), [&](ComposedPage composed) {
        context_.stop.check();
        ++context_.progress.done;
        add_other(std::move(composed), knowledge_->facts().base_url);
      });
    } else {
      make_own(file, query_pages, query_passages, add_other);
    }
    context_.progress.records += query_pages.size() + knowledge.size();
    query_pages.finish();
    query_passages.finish();
    knowledge.finish();
    passages.finish();
    parts.write(kLeftOutPart, left_out);
  }

  static std::unique_ptr<const KnowledgeWork> knowledge_of(const ReadContext& context) {
    return open_knowledge(context.options<AutomaticOptions>(), context.input(kQueryPagesFile), wiki_of(context));
  }

 private:
  template <class Other>
  void make_own(std::size_t file, records::RecordFile<EncodedQueryPage>::Writer& query_pages,
                records::RecordFile<internal::LocatedPassage>::Writer& query_passages, const Other& add_other) const {
    AnchorReader anchors(anchors_.at(file));
    records::RecordFile<ComposedPage>::for_each(pages_.at(file), [&](ComposedPage composed) {
      context_.stop.check();
      ++context_.progress.done;
      unify_missing_targets(composed.page, missing_titles_, composed.page.metadata.site_id);
      auto page_anchors = anchors.of(composed.id);
      if (query_pages_.contains(composed.id)) {
        if (relinker_) relinker_->relink(composed.page);
        add_passages(composed, base_url(), query_passages);
        query_pages.add(query_page(std::move(composed), std::move(page_anchors)));
        return;
      }
      complete(composed, std::move(page_anchors));
      add_other(std::move(composed), base_url());
    });
  }

  static std::string wiki_of(const ReadContext& context) {
    return corpus::wiki_name(context.options<corpus::NameOptions>(),
                             corpus::TitleIndex(context.store, context.options<corpus::TextOptions>()).site());
  }

  /// The paragraphs of a page that stay in the corpus.
  /// \param base_url  of the wiki that the page is from
  void add_passages(const ComposedPage& composed, std::string_view base_url,
                    records::RecordFile<internal::LocatedPassage>::Writer& passages) const {
    const DerivationOptions options{options_.include_lists, options_.include_captions, {}};
    const collection::automatic::PageLocators locators(composed.page, composed.origin, base_url);
    for (const auto& passage : collection::automatic::derive(composed.page, options).passages) {
      if (representative_(passage.id) == passage.id)
        passages.add({*passage.paragraph, locators.of(*passage.paragraph)});
    }
  }

  const std::string& base_url() const { return composer_.titles().site().base_url; }

  /// Adds what is known of a page by others.
  void complete(ComposedPage& composed, std::vector<formats::car::AnchorCount> anchors) const {
    composer_.add_inlinks(composed.id, is_query_page_, composed.page.metadata);
    composed.page.metadata.inlink_anchors = std::move(anchors);
  }

  EncodedQueryPage query_page(ComposedPage composed, std::vector<formats::car::AnchorCount> anchors) const {
    complete(composed, std::move(anchors));
    if (new_) new_->keep_new(composed);
    Page& page = composed.page;
    const auto split = rules_.split(page.name);
    const Wordings wordings = rules_.prepare(page).wordings;
    const auto derivation =
        collection::automatic::derive(page, {options_.include_lists, options_.include_captions, representative_});
    return collection::automatic::encode_query_page(
        {&page, &derivation, split.test, split.fold,
         [&](const std::vector<std::string>& headings) { return wording(page, wordings, headings); }});
  }

  const ReadContext& context_;
  const AutomaticOptions& options_;
  PageComposer composer_;
  QueryPages rules_;
  collection::automatic::NearDuplicates duplicates_;
  std::function<std::string(std::string_view)> representative_;
  LeakCheck leaks_;
  QueryPageSet query_pages_;
  entities::MissingTitles missing_titles_;
  std::vector<std::filesystem::path> pages_, anchors_;
  std::function<bool(PageId)> is_query_page_ = [this](PageId id) { return query_pages_.contains(id); };
  std::unique_ptr<const PageRelinker> relinker_;
  std::unique_ptr<const KnowledgeWork> knowledge_;
  std::optional<NewParagraphs> new_;
};

class ExportAutomaticStage : public flow::Stage {
 public:
  flow::Cuts plan(const ReadContext& context) override {
    auto cuts = flow::cuts_of_kept(context.input(kPagesFolder));
    const auto knowledge = PageMaker::knowledge_of(context);
    for (std::size_t i = 0; knowledge != nullptr && i < knowledge->files(); ++i)
      cuts.push_back({cuts.size(), cuts.size() + 1});
    return cuts;
  }

  void open(const ReadContext& context) override { maker_ = std::make_unique<const PageMaker>(context); }

  void map(const ReadContext& /*context*/, const flow::Cut& cut, const flow::PartWriter& parts) const override {
    maker_->make(cut.first, parts);
  }

  StageReport merge(WriteContext& context, const flow::Parts& parts) override {
    tbb::task_arena arena(context.threads);
    return arena.execute([&] { return write(context, parts); });
  }

 private:
  static StageReport write(WriteContext& context, const flow::Parts& parts) {
    const auto& options = context.options<AutomaticOptions>();
    const corpus::TitleIndex titles(context.store, context.options<corpus::TextOptions>());
    const auto facts = corpus::collection_facts(context, titles.site(), "automatic", options.name);
    const auto knowledge = PageMaker::knowledge_of(context);
    const auto info = collection_info(context, facts, knowledge.get());
    AutomaticWriter writer(context.output(kAutomaticFolder), info);
    parts.for_each<EncodedQueryPage>(kTopicPagesPart, [&](const EncodedQueryPage& page) {
      context.stop.check();
      writer.add(page);
    });
    kill_point("export_automatic.query_pages");
    parts.for_each<EncodedPage>(kKnowledgePart, [&](const EncodedPage& page) {
      context.stop.check();
      writer.add_knowledge_page(page);
    });
    kill_point("export_automatic.knowledge_base");
    internal::write_corpus(context, parts, {kQueryPassagesPart, kOtherPassagesPart}, facts.license, writer);
    writer.add_near_duplicates(context.input(kNearDuplicatesFile));
    kill_point("export_automatic.before_finish");
    const auto bm25 = baseline::bm25_system(baseline::CollectionKind::kAutomatic, facts.language, context.scratch(),
                                            context.threads, context.stop);
    const auto numbers = writer.finish(
        [&](const std::filesystem::path& directory) {
          return collection::automatic::examine_automatic(directory, info, context.stop);
        },
        options.baseline_run ? &bm25 : nullptr);
    return report_of(numbers, parts);
  }

  static AutomaticInfo collection_info(const WriteContext& context, const collection::release::CollectionFacts& facts,
                                       const KnowledgeWork* knowledge) {
    const auto& options = context.options<AutomaticOptions>();
    AutomaticInfo info;
    static_cast<collection::release::CollectionFacts&>(info) = facts;
    auto record = corpus::build_record(context);
    if (knowledge != nullptr) {
      record["knowledge_sources"] = knowledge->record();
      info.knowledge.push_back(knowledge->facts());
    }
    info.manifest_json = json_text(record);
    info.folds = static_cast<std::uint32_t>(options.folds);
    info.list_items = options.include_lists;
    info.captions = options.include_captions;
    return info;
  }

  static StageReport report_of(const collection::automatic::AutomaticNumbers& numbers, const flow::Parts& parts) {
    StageReport report;
    const auto add = [&](const char* name, std::uint64_t count) {
      if (count > 0) report.counts[name] += count;
    };
    parts.for_each<LeftOut>(kLeftOutPart, [&](const LeftOut& counts) {
      add("pages with the title of a query page or of a redirect to one left out", counts.pages);
      add("copies of query pages' texts left out of the knowledge base", counts.copies);
    });
    for (const auto& [part, counts] : numbers.parts) {
      if (part != "train" && part != "test") continue;
      report.topics = report.topics.value_or(0) + counts.pages;
      report.counts[part + " topics"] = counts.pages;
      report.counts[part + " facets"] = counts.facets;
      report.counts[part + " relevant passages"] = counts.passages.at(kHierarchical);
      report.counts[part + " relevant entities"] = counts.entities.at(kHierarchical);
    }
    if (numbers.shared_car_ids > 0) {
      report.warnings.push_back(
          fmt::format("{} ids of TREC CAR belong to several pages or sections each, so that the files of TREC CAR mix "
                      "their judgments; the ids in all other files are unambiguous (ids.tsv)",
                      numbers.shared_car_ids));
    }
    report.counts["passages"] = numbers.passages;
    report.counts["knowledge base pages"] = numbers.knowledge_pages;
    return report;
  }

  std::unique_ptr<const PageMaker> maker_;
};

/// The dictionary of the linker, if it is a file, and the work directories that tell what is new and what is known.
std::string files_of_export(const Settings& settings) {
  const auto& options = settings.get<AutomaticOptions>();
  auto previous = corpus::new_pages_fingerprint(settings) + knowledge_fingerprint(settings);
  if (options.linker_source() != selection::LinkerSource::kFile) return previous;
  return (std::filesystem::exists(options.linker) ? sha256_file(options.linker) : "missing") + previous;
}

}  // namespace

flow::StageInfo export_automatic_stage() {
  return {
      .name = "export-automatic",
      .summary = "Write the directory of the automatic collection",
      .format_version = 13,
      .inputs = {flow::folder(kPagesFolder),
                 flow::file(kNearDuplicatesFile),
                 flow::file(kQueryPagesFile),
                 flow::folder(kQueryPageIndex),
                 flow::folder(kAnchorsFolder),
                 flow::optional_file(kLinkerDictionary),
                 flow::file(kMissingTitlesFile),
                 flow::meta(storage::kMetaSite),
                 flow::meta(storage::kMetaSources),
                 flow::meta(storage::kMetaPrevious),
                 flow::meta(storage::kMetaNewestTimestamp),
                 flow::family(Family::kPage),
                 flow::family(Family::kTitle),
                 flow::family(Family::kOutline),
                 flow::family(Family::kParagraph),
                 flow::family(Family::kTable),
                 flow::family(Family::kLink),
                 flow::family(Family::kLinkTarget),
                 flow::family(Family::kBacklinkSource),
                 flow::family(Family::kBacklinkList),
                 flow::family(Family::kAlias),
                 flow::family(Family::kAttribute),
                 flow::family(Family::kEntity),
                 flow::family(Family::kSqlPage),
                 flow::file(kHeadingUsesFile)},
      .outputs = {flow::folder(kAutomaticFolder), flow::file(kAutomaticManifest), flow::file(kAutomaticDigests)},
      .options = {flow::reads<corpus::NameOptions>(), flow::reads<corpus::LicenseOptions>(),
                  flow::inherits<AutomaticOptions>(), flow::inherits<NearDuplicatesOptions>(),
                  flow::inherits<corpus::TextOptions>(), flow::inherits<corpus::NewPagesOptions>(),
                  flow::reads_in_part<corpus::PreviousOptions>(), flow::reads<touchstone::linking::LinkerOptions>()},
      .progress_unit = "pages",
      .progress_records = "pages",
      .make = flow::make_stage<ExportAutomaticStage>,
      .is_cut = true,
      .extra_fingerprint = files_of_export,
      .outcome_of_build = collection_headline,
      .shorthands = {{"--linker", "automatic.linker", "Dictionary of link-entities, own or terms: links of query pages",
                      "FILE"},
                     {"--knowledge", "automatic.knowledge",
                      "Work directory of a wiki: its pages join a book's collection", "DIR"}},
      .finds_topics = true};
}

}  // namespace touchstone::pipeline::automatic
