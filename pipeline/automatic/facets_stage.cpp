#include "collection/automatic/leak_index.hpp"
#include "collection/automatic/near_duplicates.hpp"
#include "common/digest.hpp"
#include "common/files.hpp"
#include "common/json_writer.hpp"
#include "pipeline/automatic/heading_uses.hpp"
#include "pipeline/automatic/new_paragraphs.hpp"
#include "pipeline/automatic/page_composer.hpp"
#include "pipeline/automatic/query_pages.hpp"
#include "pipeline/automatic/stages.hpp"
#include "pipeline/corpus/ingest_options.hpp"
#include "pipeline/corpus/previous_work.hpp"
#include "pipeline/corpus/title_index.hpp"
#include "pipeline/corpus/wiki_options.hpp"
#include "pipeline/flow/stage_files.hpp"
#include "pipeline/flow/work_files.hpp"
#include "storage/meta_keys.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace touchstone::pipeline::automatic {
namespace {

using collection::automatic::LeakIndexWriter;
using collection::automatic::NearDuplicates;
using collection::automatic::QueryPageFacts;
using flow::ReadContext;
using flow::StageReport;
using flow::WriteContext;
using selection::AutomaticOptions;
using selection::FilterReason;

/// Names of the filters' counts in the file, by reason.
void write_removed(JsonWriter& json, const selection::FilterCounts& counts) {
  json.begin_array();
  for (std::size_t i = 0; i < selection::kFilterReasons; ++i) {
    const auto& removed = counts.removed[i];
    json.begin_object().field("reason", to_string(static_cast<FilterReason>(i))).field("sections", removed.sections);
    json.field("paragraphs", removed.paragraphs).field("list_items", removed.list_items);
    json.field("images", removed.images).field("infoboxes", removed.infoboxes).end_object();
  }
  json.end_array();
}

/// What pages come to, summed up.
struct FacetsCounts {
  selection::SelectionCounts survey;
  selection::FilterCounts removed;
  selection::TopicRuleCounts flagged;
  std::uint64_t reviewed = 0, old_pages = 0;

  template <class Fields>
  void fields(Fields& field) {
    field("survey", survey)("removed", removed.removed)("titles", flagged.titles)("headings", flagged.headings)(
        "reviewed", reviewed)("old_pages", old_pages);
  }
  void add(const FacetsCounts& other) {
    survey.add(other.survey);
    removed += other.removed;
    flagged += other.flagged;
    reviewed += other.reviewed;
    old_pages += other.old_pages;
  }
};

// The parts of a cut.
constexpr std::string_view kCountsPart = "counts";
constexpr std::string_view kQueryPagesPart = "query_pages";
constexpr std::string_view kFactsPart = "facts";
constexpr std::string_view kReviewPart = "review";

class FacetsStage : public flow::Stage {
 public:
  flow::Cuts plan(const ReadContext& context) override { return flow::cuts_of_kept(context.input(kPagesFolder)); }

  void open(const ReadContext& context) override {
    pages_ = flow::kept_parts(context.input(kPagesFolder));
    rules_ = rules(context);
    if (const auto& day = context.options<corpus::NewPagesOptions>().only_new; !day.empty())
      new_.emplace(context.store, day, context.options<corpus::PreviousOptions>().work,
                   context.options<AutomaticOptions>());
    duplicates_ = NearDuplicates::read(context.input(kNearDuplicatesFile));
  }

  void map(const ReadContext& context, const flow::Cut& cut, const flow::PartWriter& parts) const override {
    auto pages = parts.records<QueryPage>(kQueryPagesPart);
    auto facts = parts.records<QueryPageFacts>(kFactsPart);
    auto rows = parts.records<review::ReviewRow>(kReviewPart);
    FacetsCounts counts;
    records::RecordFile<ComposedPage>::for_each(pages_.at(cut.first), [&](ComposedPage composed) {
      ++context.progress.done;
      if (new_ && !new_->has(composed.id)) {
        ++counts.old_pages;
        return;
      }
      std::optional<QueryPageFacts> whole;  // of the page before anything is removed from it
      if (new_) {
        whole = query_page_facts(composed.page, leak_rules_);
        new_->keep_new(composed);
      }
      const auto outcome = rules_->assess(composed.page);
      counts.survey.add(outcome);
      if (!outcome.is_query_page()) return;
      if (!whole) whole = query_page_facts(composed.page, leak_rules_);
      const auto preparation = rules_->prepare(composed.page);
      if (!preparation.is_query_page) return;
      const auto split = rules_->split(composed.page.name);
      pages.add({composed.id, composed.page.name, split.test, split.fold});
      facts.add(*whole);
      counts.removed += preparation.removed;
      counts.flagged += preparation.flagged;
      counts.reviewed += preparation.reviewed;
      for (const auto& row : preparation.rows) rows.add(row);
      ++context.progress.records;
    });
    pages.finish();
    facts.finish();
    rows.finish();
    parts.write(kCountsPart, counts);
  }

  StageReport merge(WriteContext& context, const flow::Parts& parts) override {
    StageReport report;
    const auto count = [&](const char* name, std::uint64_t number) {
      if (number > 0) report.counts[name] += number;
    };
    FacetsCounts sums;
    parts.for_each<FacetsCounts>(kCountsPart, [&](const FacetsCounts& counts) { sums.add(counts); });
    count("headings dropped by the review", sums.reviewed);
    count("pages without a revision after previous.only_new left out", sums.old_pages);
    records::RecordFile<QueryPage>::Writer pages(context.output(kQueryPagesFile));
    parts.for_each<QueryPage>(kQueryPagesPart, [&](const QueryPage& page) {
      count(page.test ? "test pages" : "training pages", 1);
      pages.add(page);
    });
    LeakIndexWriter index(context.scratch());
    parts.for_each<QueryPageFacts>(kFactsPart, [&](const QueryPageFacts& facts) { index.add(facts); });
    const auto before = rules(context);
    review::ReviewWriter review(context.output(kAutomaticReviewFile), before->review());
    parts.for_each<review::ReviewRow>(kReviewPart, [&](review::ReviewRow row) { review.add(std::move(row)); });
    kill_point("facets.before_finish");
    index.finish(context.output(kQueryPageIndex));
    pages.finish();
    write_selection(context.output(kSelectionFile), sums);
    write_file_atomically(context.output(kSelectionTable), sums.survey.table());
    review.finish(report);
    report.counts["pages"] = sums.survey.pages();
    report.counts["query pages"] = sums.survey.query_pages();
    if (sums.survey.query_pages() == 0)
      report.warnings.emplace_back("no page was chosen; stages/selection.txt says how many pages each rule leaves out");
    return report;
  }

 private:
  static std::unique_ptr<const QueryPages> rules(const ReadContext& context) {
    const corpus::TitleIndex titles(context.store, context.options<corpus::TextOptions>());
    const auto& options = context.options<AutomaticOptions>();
    auto site = titles.site();
    // The page with the name of the site welcomes its readers, unless it is the book.
    if (context.options<corpus::IngestOptions>().book_unit == extractors::textbook::BookUnit::kBook)
      site.site_name.clear();
    return std::make_unique<const QueryPages>(options, site,
                                              boilerplate_headings(context.input(kHeadingUsesFile), options));
  }

  static void write_selection(const std::filesystem::path& path, const FacetsCounts& counts) {
    JsonWriter json({2, JsonEscapes::kLineBreaks});
    json.begin_object().key("survey");
    counts.survey.write(json);
    json.key("removed");
    write_removed(json, counts.removed);
    json.key("heading_rules").begin_array();
    for (const auto& choice : Choices<selection::TopicRule>::table) {
      const auto count = counts.flagged.headings[static_cast<std::size_t>(choice.value)];
      json.begin_object().field("rule", choice.text).field("headings", count).end_object();
    }
    json.end_array().end_object();
    write_file_atomically(path, json.take() + "\n");
  }

  std::vector<std::filesystem::path> pages_;
  std::unique_ptr<const QueryPages> rules_;
  std::optional<NewParagraphs> new_;
  NearDuplicates duplicates_;
  const collection::automatic::LeakTextRules leak_rules_{
      .representative = [this](std::string_view id) { return duplicates_.representative(id); }};
};

/// How many pages each rule leaves out, and where the pages and headings are listed.
std::string survey_text(const flow::WorkView& work) {
  return read_file(flow::checked_file(work.store, work.paths, kSelectionTable)) +
         fmt::format("review  {}\n", work.paths.file(kAutomaticReviewFile).string());
}

/// The files that the options name, and the work directory that tells what is new.
std::string files_fingerprint(const Settings& settings) {
  const auto& options = settings.get<AutomaticOptions>();
  Sha256 digest;
  const auto add = [&](const std::filesystem::path& file) {
    digest.update_field(std::filesystem::exists(file) ? sha256_file(file) : "missing");
  };
  if (!options.review.empty()) add(options.review);
  selection::PredicateContext context;
  context.splits = options.split_scheme();
  context.read_files = false;
  const auto predicate = selection::parse_predicate(options.select, context);
  for (const auto& file : predicate.files()) add(file);
  digest.update_field(corpus::new_pages_fingerprint(settings));
  return digest.hex();
}

}  // namespace

flow::StageInfo facets_stage() {
  return {.name = "facets",
          .summary = "Choose query pages; their titles are topics and their headings facets",
          .format_version = 10,
          .inputs = {flow::folder(kPagesFolder), flow::file(kHeadingUsesFile), flow::file(kNearDuplicatesFile),
                     flow::meta(storage::kMetaSite), flow::family(storage::Family::kPage)},
          .outputs = {flow::file(kQueryPagesFile), flow::folder(kQueryPageIndex), flow::file(kSelectionFile),
                      flow::file(kSelectionTable), flow::file(kAutomaticReviewFile)},
          .options = {flow::reads<AutomaticOptions>(), flow::reads<corpus::TextOptions>(),
                      flow::reads<corpus::NewPagesOptions>(), flow::reads_in_part<corpus::PreviousOptions>(),
                      flow::reads_in_part<corpus::IngestOptions>()},
          .progress_unit = "pages",
          .progress_records = "query pages",
          .make = flow::make_stage<FacetsStage>,
          .is_cut = true,
          .extra_fingerprint = files_fingerprint,
          .outcome_of_build = survey_text,
          .outcome_of_command = survey_text,
          .shorthands = {{"--select", "automatic.select", "Predicate that chooses the query pages", "PREDICATE"},
                         {"--review", "automatic.review", "Review of topics and headings to obey", "FILE"}}};
}

}  // namespace touchstone::pipeline::automatic
