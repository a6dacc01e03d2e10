#include "common/digest.hpp"
#include "common/files.hpp"
#include "common/json_writer.hpp"
#include "pipeline/automatic/page_composer.hpp"
#include "pipeline/automatic/query_pages.hpp"
#include "pipeline/automatic/stages.hpp"
#include "pipeline/corpus/page_walk.hpp"
#include "pipeline/corpus/title_index.hpp"
#include "pipeline/corpus/wiki_options.hpp"
#include "pipeline/flow/part_line.hpp"
#include "pipeline/flow/stage_files.hpp"
#include "storage/meta_keys.hpp"

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace touchstone::pipeline::automatic {
namespace {

using flow::ShardCounts;
using flow::ShardWriter;
using flow::StageContext;
using flow::StageReport;
using flow::WholeShard;
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

/// What all articles come to.
struct Findings {
  selection::SelectionSurvey survey;
  selection::FilterCounts removed;
  selection::TopicRuleCounts flagged;
  review::Review fresh;
  std::uint64_t reviewed = 0, test = 0, training = 0;
};

// The files of a shard: one line for each article, the lines of query pages, and the rows for the review.
constexpr const char* kOutcomesPart = "outcomes.txt";
constexpr const char* kQueryPagesPart = "query_pages.tsv";
constexpr const char* kReviewPart = "review.tsv";

/// A row with all that it holds. The form of a review is not used: it has limits, and writes some rows alike.
std::string review_line(const review::ReviewRow& row) {
  const auto decision = std::to_string(static_cast<unsigned>(row.decision)), passages = std::to_string(row.passages);
  std::vector<std::string_view> fields{decision, row.page, row.wording, row.flags, passages};
  fields.insert(fields.end(), row.headings.begin(), row.headings.end());
  return flow::part_line(fields);
}

review::ReviewRow read_review_line(std::string_view line) {
  const auto fields = flow::read_part_line(line);
  constexpr std::size_t kFirstHeading = 5;
  return {static_cast<review::ReviewDecision>(std::stoul(fields.at(0))),
          fields.at(1),
          {fields.begin() + kFirstHeading, fields.end()},
          fields.at(2),
          fields.at(3),
          std::stoull(fields.at(4))};
}

std::string outcome_line(const selection::PageOutcome& outcome) {
  return fmt::format("{} {} {} {}\n", outcome.reasons.to_ulong(), outcome.alone.to_ulong(), outcome.sections,
                     outcome.paragraphs);
}

/// Calls `visit(name, count)` for each number that shards sum up.
template <class Visit>
void for_each_sum(Findings& findings, const Visit& visit) {
  for (std::size_t i = 0; i < selection::kFilterReasons; ++i) {
    auto& removed = findings.removed.removed[i];
    const std::string name = "removed " + std::string(to_string(static_cast<FilterReason>(i)));
    visit(name + " sections", removed.sections);
    visit(name + " paragraphs", removed.paragraphs);
    visit(name + " list items", removed.list_items);
    visit(name + " images", removed.images);
    visit(name + " infoboxes", removed.infoboxes);
  }
  for (std::size_t i = 0; i < selection::kTopicRules; ++i) {
    visit("titles of rule " + std::to_string(i), findings.flagged.titles[i]);
    visit("headings of rule " + std::to_string(i), findings.flagged.headings[i]);
  }
  visit("reviewed", findings.reviewed);
  visit("test", findings.test);
  visit("training", findings.training);
}

class FacetsStage : public flow::Stage {
 public:
  StageReport run(StageContext& context) override {
    TextWriter pages(context.output(kQueryPagesFile));
    Findings findings;
    const auto add = [&](const selection::PageOutcome& outcome) { findings.survey.add(outcome); };
    find(context, findings, add, pages);
    return write(context, findings, pages);
  }

  ShardCounts run_shard(StageContext& context, const ShardWriter& shard) override {
    TextWriter outcomes(shard.part(kOutcomesPart)), pages(shard.part(kQueryPagesPart)), review(shard.part(kReviewPart));
    Findings findings;
    const auto add = [&](const selection::PageOutcome& outcome) { outcomes.write(outcome_line(outcome)); };
    find(context, findings, add, pages);
    outcomes.finish();
    pages.finish();
    for (const auto& row : findings.fresh.rows()) review.write(review_line(row));
    review.finish();
    ShardCounts counts;
    for_each_sum(findings, [&](const std::string& name, std::uint64_t count) { counts[name] = count; });
    return counts;
  }

  StageReport merge(StageContext& context, const std::vector<WholeShard>& shards) override {
    TextWriter pages(context.output(kQueryPagesFile));
    Findings findings;
    for (const auto& shard : shards) {
      context.stop.check();
      for_each_line(shard.folder / kOutcomesPart, [&](std::string_view line, std::uint64_t) {
        findings.survey.add(read_outcome(line));
        return true;
      });
      for_each_line(shard.folder / kQueryPagesPart, [&](std::string_view line, std::uint64_t) {
        pages.write(std::string(line) + "\n");
        return true;
      });
      for_each_line(shard.folder / kReviewPart, [&](std::string_view line, std::uint64_t) {
        findings.fresh.add(read_review_line(line));
        return true;
      });
      for_each_sum(findings, [&](const std::string& name, std::uint64_t& count) { count += shard.counts.at(name); });
    }
    return write(context, findings, pages);
  }

 private:
  static selection::PageOutcome read_outcome(std::string_view line) {
    std::uint64_t numbers[4] = {};
    const char *at = line.data(), *const end = at + line.size();
    for (auto& number : numbers) {
      at = std::from_chars(at, end, number).ptr;
      if (at != end) ++at;
    }
    return {selection::PageReasons(numbers[0]), selection::PageReasons(numbers[1]), numbers[2], numbers[3]};
  }

  /// Assesses the context's pages. `add_outcome` gets the outcome of each article.
  template <class AddOutcome>
  static void find(StageContext& context, Findings& findings, const AddOutcome& add_outcome, TextWriter& pages) {
    const auto& options = context.options<AutomaticOptions>();
    const PageComposer composer(context.store, "wiki",
                                {.list_items = options.include_lists,
                                 .table_rows = options.include_tables,
                                 .links = PageComposer::Options::Links::kNone,
                                 .inlinks = false});
    const corpus::TitleIndex titles(context.store, context.options<corpus::TextOptions>());
    const QueryPages rules(options, titles.site());
    corpus::walk_pages<std::optional<Assessed>>(
        context, [&](PageId id, const storage::PageRecord& record) { return assess(composer, rules, id, record); },
        [&](std::optional<Assessed> assessed) {
          if (!assessed) return;
          add_outcome(assessed->outcome);
          if (!assessed->query_page) return;
          findings.removed += assessed->preparation.removed;
          findings.flagged += assessed->preparation.flagged;
          findings.reviewed += assessed->preparation.reviewed;
          pages.write(to_line(*assessed->query_page));
          ++(assessed->query_page->test ? findings.test : findings.training);
          for (auto& row : assessed->preparation.rows) findings.fresh.add(std::move(row));
          ++context.progress.records;
        });
  }

  static StageReport write(StageContext& context, const Findings& findings, TextWriter& pages) {
    const corpus::TitleIndex titles(context.store, context.options<corpus::TextOptions>());
    const QueryPages rules(context.options<AutomaticOptions>(), titles.site());
    StageReport report;
    const auto count = [&](const char* name, std::uint64_t number) {
      if (number > 0) report.counts[name] = number;
    };
    count("headings dropped by the review", findings.reviewed);
    count("test pages", findings.test);
    count("training pages", findings.training);
    kill_point("facets.before_finish");
    pages.finish();
    write_selection(context.output(kSelectionFile), findings.survey, findings.removed, findings.flagged);
    write_file_atomically(context.output(kSelectionTable), findings.survey.table());
    review::write_review(context.output(kReviewFile), rules.review(), findings.fresh, report);
    report.counts["pages"] = findings.survey.pages();
    report.counts["query pages"] = findings.survey.query_pages();
    if (findings.survey.query_pages() == 0)
      report.warnings.emplace_back("no page was chosen; stages/selection.txt says how many pages each rule leaves out");
    return report;
  }

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
          .format_version = 6,
          .inputs = {flow::meta(storage::kMetaSite), flow::family(Family::kPage), flow::family(Family::kTitle),
                     flow::family(Family::kOutline), flow::family(Family::kParagraph), flow::family(Family::kTable),
                     flow::family(Family::kAlias), flow::family(Family::kAttribute)},
          .outputs = {flow::file(kQueryPagesFile), flow::file(kSelectionFile), flow::file(kSelectionTable),
                      flow::file(kReviewFile)},
          .options = {flow::reads<AutomaticOptions>(), flow::reads<corpus::TextOptions>()},
          .progress_unit = "pages",
          .progress_records = "query pages",
          .make = flow::make_stage<FacetsStage>,
          .cut = flow::Cut::kPages,
          .extra_fingerprint = files_fingerprint,
          .outcome_of_build = survey_text,
          .outcome_of_command = survey_text,
          .shorthands = {{"--select", "automatic.select", "Predicate that chooses the query pages", "PREDICATE"},
                         {"--review", "automatic.review", "Review of topics and headings to obey", "FILE"}}};
}

}  // namespace touchstone::pipeline::automatic
