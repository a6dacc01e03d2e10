#include "common/error.hpp"
#include "common/reject_reason.hpp"
#include "pipeline/corpus/previous_work.hpp"
#include "pipeline/corpus/title_index.hpp"
#include "pipeline/corpus/wiki_options.hpp"
#include "pipeline/evidence/evidence_records.hpp"
#include "pipeline/evidence/frozen_topics.hpp"
#include "pipeline/evidence/phrase_options.hpp"
#include "pipeline/evidence/query_clashes.hpp"
#include "pipeline/evidence/query_template.hpp"
#include "pipeline/evidence/stages.hpp"
#include "pipeline/flow/work_files.hpp"
#include "pipeline/flow/work_paths.hpp"
#include "pipeline/review/review.hpp"
#include "storage/meta_keys.hpp"

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace touchstone::pipeline::evidence {
namespace {

using corpus::TitleIndex;
using flow::StageReport;
using flow::WriteContext;

/// Why a topic has no query.
enum class PhraseReject : std::uint8_t { kUnworded };

const RejectReason& describe(PhraseReject) {
  static constexpr RejectReason kUnworded = {"topic without a query"};
  return kUnworded;
}

/// How the flags of rows begin that the program dropped.
constexpr std::string_view kUnwordedFlag = to_string(QueryVerdict::kUnworded);

class PhraseStage : public flow::Stage {
 public:
  explicit PhraseStage(ModelQueries model) : model_(std::move(model)) {}

  StageReport merge(WriteContext& context, const flow::Parts& /*parts*/) override {
    const TitleIndex titles(context.store, context.options<corpus::TextOptions>());
    const auto groups = GroupFile::read(context.input(kGroupsFile));
    std::vector<const Group*> kept;
    for (const auto& group : groups) {
      if (group.kept()) kept.push_back(&group);
    }
    const auto& options = context.options<PhraseOptions>();
    const auto decided = options.review.empty() ? review::Review() : review::read_review(options.review);
    check_review(decided, groups, options.review);
    StageReport report;
    const auto& previous = context.options<corpus::PreviousOptions>();
    corpus::ResultPlaces words{.before = {}, .now = context.output(kArticleWordsFile)};
    if (!previous.work.empty()) words.before = flow::WorkPaths{previous.work}.file(kArticleWordsFile);
    auto queries = previous.freeze_topics ? frozen_queries(previous.work, kept)
                                          : template_queries(kept, context.store, titles, options, words);
    if (!previous.freeze_topics) {
      if (const auto writer = model_.make(context)) writer->write(kept, queries, report);
      tell_apart(kept, queries, titles.site().language);
    }
    context.progress.records = queries.size();
    QueryFile::write(context.output(kQueriesFile), queries);
    write_review(context, decided, kept, queries, report);
    for (const auto& query : queries) {
      ++report.counts["queries that are " + std::string(to_string(query.verdict))];
      if (query.verdict == QueryVerdict::kUnworded)
        report.reject(PhraseReject::kUnworded, query.topic + ": " + query.why);
    }
    report.counts["queries"] = queries.size();
    return report;
  }

 private:
  /// Throws ConfigError if somebody decided about a topic that the wiki does not have. Rows that the program wrote for
  /// topics without words are not decisions.
  static void check_review(const review::Review& decided, const std::vector<Group>& groups, const std::string& file) {
    review::Review known;
    for (const auto& group : groups) {
      review::ReviewRow row;
      row.page = group.page;
      row.headings = review_path(group);
      known.add(std::move(row));
    }
    const review::ReviewRow* first = nullptr;
    std::size_t unknown = 0;
    for (const auto& row : decided.rows()) {
      const bool decides = row.decision == review::ReviewDecision::kReword ||
                           (row.decision == review::ReviewDecision::kDrop && !row.flags.starts_with(kUnwordedFlag));
      if (!decides || known.find(row.page, row.headings) != nullptr) continue;
      if (unknown++ == 0) first = &row;
    }
    if (first == nullptr) return;
    std::string path;
    for (const auto& heading : first->headings) path += (path.empty() ? "" : " / ") + heading;
    throw ConfigError(
        fmt::format("{}: {} row{} about no topic of this wiki; the first has the page \"{}\" and the heading \"{}\". "
                    "Take both from "
                    "{} of the work directory, or remove the row",
                    file, unknown, unknown == 1 ? " is" : "s are", first->page, path, kQueriesReviewFile));
  }

  /// Each topic with its words for a person to decide on.
  static void write_review(WriteContext& context, const review::Review& old, const std::vector<const Group*>& groups,
                           const std::vector<TopicQuery>& queries, StageReport& report) {
    review::ReviewWriter fresh(context.output(kQueriesReviewFile), old);
    std::size_t wordless = 0;
    for (std::size_t i = 0; i < groups.size(); ++i) {
      const auto& query = queries[i];
      const bool worded = query.verdict != QueryVerdict::kUnworded;
      review::ReviewRow row;
      row.decision = worded ? review::ReviewDecision::kKeep : review::ReviewDecision::kDrop;
      row.page = groups[i]->page;
      row.headings = review_path(*groups[i]);
      row.flags = std::string(to_string(query.verdict)) + ": " + (worded ? query.query : query.why);
      row.passages = groups[i]->members.size();
      const auto* before = old.find(row.page, row.headings);
      wordless += !worded && before != nullptr && before->decision == review::ReviewDecision::kKeep ? 1 : 0;
      fresh.add(std::move(row));
    }
    if (wordless > 0)
      report.warnings.push_back(
          fmt::format("{} topics that the review keeps have no words; write reword and words for them", wordless));
    fresh.finish(report);
  }

  ModelQueries model_;
};

}  // namespace

/// All of it is the merge, because queries that are alike are told apart by what differs between their topics.
flow::StageInfo phrase_stage(const ModelQueries& model) {
  flow::StageInfo stage = {
      .name = "phrase",
      .summary = "Word each topic as a search user would",
      .format_version = 10,
      .inputs = {flow::file(kGroupsFile), flow::meta(storage::kMetaSite), flow::meta(storage::kMetaReader),
                 flow::family(storage::Family::kReading), flow::family(storage::Family::kPage),
                 flow::family(storage::Family::kTitle), flow::family(storage::Family::kOutline),
                 flow::family(storage::Family::kParagraph)},
      .outputs = {flow::file(kQueriesFile), flow::file(kQueriesReviewFile), flow::optional_file(kArticleWordsFile)},
      .keeps = model.keeps,
      .options = {flow::reads<PhraseOptions>(), flow::inherits<corpus::TextOptions>(),
                  flow::inherits<corpus::PreviousOptions>()},
      .progress_unit = "topics",
      .progress_records = "queries",
      .make = [model] { return std::make_unique<PhraseStage>(model); },
      .extra_fingerprint = model.fingerprint,
      .shorthands = {{"--review", "phrase.review", "Review of topics and headings to obey", "FILE"}},
  };
  stage.options.insert(stage.options.end(), model.options.begin(), model.options.end());
  return stage;
}

std::vector<Option<PhraseOptions>> PhraseOptions::options() {
  return {
      {"phrase.source", &PhraseOptions::source,
       "What words the queries: template (titles and headings), judge (the judge's model; what it words badly keeps "
       "the "
       "template's words), or auto: the model where the judge is one."},
      {"phrase.prompt", &PhraseOptions::prompt, OptionEffect::kRemembered,
       "Prompt for the judge's model: query, dmerit-query, or a prompt file."},
      {"phrase.subject", &PhraseOptions::subject,
       "What the wiki is about, added to keyword queries of one or two words, which may mean nothing outside the wiki: "
       "\"Openmoko\". "
       "Empty: nothing is added."},
      {"phrase.review", &PhraseOptions::review,
       "File in which a person decided which topics to keep, drop or reword (queries-review.tsv). Empty: no review."},
  };
}

}  // namespace touchstone::pipeline::evidence
