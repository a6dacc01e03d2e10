#include "common/digest.hpp"
#include "common/files.hpp"
#include "common/json_writer.hpp"
#include "pipeline/automatic/page_composer.hpp"
#include "pipeline/automatic/query_pages.hpp"
#include "pipeline/automatic/stages.hpp"
#include "pipeline/corpus/page_walk.hpp"
#include "pipeline/flow/stage_files.hpp"
#include "storage/meta_keys.hpp"

#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>

namespace touchstone::pipeline::automatic {
namespace {

using flow::StageContext;
using flow::StageReport;
using selection::AutomaticOptions;
using selection::FilterReason;
using storage::Family;

/// What was found out about one article.
struct Assessed {
  selection::PageOutcome outcome;
  std::optional<QueryPage> query_page;
  Preparation preparation;
};

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

class FacetsStage : public flow::Stage {
 public:
  StageReport run(StageContext& context) override {
    const auto& options = context.options<AutomaticOptions>();
    const PageComposer composer(context.store, "wiki",
                                {.table_rows = options.include_tables, .links = false, .inlinks = false});
    const QueryPages rules(options, composer.titles().site());
    TextWriter pages(context.output(kQueryPagesFile));
    selection::SelectionSurvey survey;
    selection::FilterCounts removed;
    selection::TopicRuleCounts flagged;
    selection::Review fresh;
    StageReport report;
    corpus::walk_pages<std::optional<Assessed>>(
        context, [&](PageId id, const storage::PageRecord& record) { return assess(composer, rules, id, record); },
        [&](std::optional<Assessed> assessed) {
          if (!assessed) return;
          survey.add(assessed->outcome);
          if (!assessed->query_page) return;
          removed += assessed->preparation.removed;
          flagged += assessed->preparation.flagged;
          if (assessed->preparation.reviewed > 0)
            report.counts["headings dropped by the review"] += assessed->preparation.reviewed;
          pages.write(to_line(*assessed->query_page));
          ++report.counts[assessed->query_page->test ? "test pages" : "training pages"];
          for (auto& row : assessed->preparation.rows) fresh.add(std::move(row));
          ++context.progress.records;
        });
    kill_point("facets.before_finish");
    pages.finish();
    write_selection(context.output(kSelectionFile), survey, removed, flagged);
    write_file_atomically(context.output(kSelectionTable), survey.table());
    write_review(context.output(kReviewFile), rules.review(), fresh, report);
    report.counts["pages"] = survey.pages();
    report.counts["query pages"] = survey.query_pages();
    if (survey.query_pages() == 0)
      report.warnings.emplace_back("no page was chosen; stages/selection.txt says how many pages each rule leaves out");
    return report;
  }

 private:
  static std::optional<Assessed> assess(const PageComposer& composer, const QueryPages& rules, PageId id,
                                        const storage::PageRecord& record) {
    auto composed = composer.compose(id, record);
    if (!composed) return std::nullopt;
    Assessed assessed;
    assessed.outcome = rules.assess(composed->page);
    if (!assessed.outcome.is_query_page()) return assessed;
    assessed.preparation = rules.prepare(composed->page);
    if (!assessed.preparation.is_query_page) return assessed;
    const auto split = rules.split(composed->page.name);
    assessed.query_page = QueryPage{id, composed->page.name, split.test, split.fold};
    return assessed;
  }

  static void write_selection(const std::filesystem::path& path, const selection::SelectionSurvey& survey,
                              const selection::FilterCounts& removed, const selection::TopicRuleCounts& flagged) {
    JsonWriter json({2, JsonEscapes::kLineBreaks});
    json.begin_object().key("survey");
    survey.write(json);
    json.key("removed");
    write_removed(json, removed);
    json.key("heading_rules").begin_array();
    for (const auto& choice : Choices<selection::TopicRule>::table) {
      const auto count = flagged.headings[static_cast<std::size_t>(choice.value)];
      json.begin_object().field("rule", choice.text).field("headings", count).end_object();
    }
    json.end_array().end_object();
    write_file_atomically(path, json.take() + "\n");
  }

  static void write_review(const std::filesystem::path& path, const selection::Review& old,
                           const selection::Review& fresh, StageReport& report) {
    const auto merged = merge_reviews(old, fresh);
    write_file_atomically(path, review_text(merged.review));
    if (old.rows().empty()) return;
    report.counts["rows of the review that are new"] = merged.appeared;
    if (!merged.vanished.empty()) {
      report.warnings.push_back(
          fmt::format("{} decisions of the review are about pages or headings that are no longer there (first: {})",
                      merged.vanished.size(), merged.vanished.front().page));
    }
  }
};

/// How many pages each rule leaves out, and where the pages and headings are listed.
std::string survey_text(const flow::WorkView& work) {
  return read_file(flow::checked_file(work.store, work.paths, kSelectionTable)) +
         fmt::format("review  {}\n", work.paths.file(kReviewFile).string());
}

/// The files that the options name.
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
  return digest.hex();
}

}  // namespace

flow::StageInfo facets_stage() {
  return {.name = "facets",
          .summary = "Choose query pages; their titles are topics and their headings facets",
          .format_version = 2,
          .inputs = {flow::meta(storage::kMetaSite), flow::family(Family::kPage), flow::family(Family::kTitle),
                     flow::family(Family::kOutline), flow::family(Family::kParagraph), flow::family(Family::kTable),
                     flow::family(Family::kAlias), flow::family(Family::kAttribute)},
          .outputs = {flow::file(kQueryPagesFile), flow::file(kSelectionFile), flow::file(kSelectionTable),
                      flow::file(kReviewFile)},
          .options = {flow::reads<AutomaticOptions>()},
          .progress_unit = "pages",
          .progress_records = "query pages",
          .make = flow::make_stage<FacetsStage>,
          .extra_fingerprint = files_fingerprint,
          .outcome_of_build = survey_text,
          .outcome_of_command = survey_text,
          .shorthands = {{"--select", "automatic.select", "Predicate that chooses the query pages", "PREDICATE"},
                         {"--review", "automatic.review", "Review of topics and headings to obey", "FILE"}}};
}

}  // namespace touchstone::pipeline::automatic
