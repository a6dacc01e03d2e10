#include "common/reject_reason.hpp"
#include "pipeline/corpus/title_index.hpp"
#include "pipeline/corpus/wiki_options.hpp"
#include "pipeline/evidence/evidence_records.hpp"
#include "pipeline/evidence/groups_options.hpp"
#include "pipeline/evidence/phrase_options.hpp"
#include "pipeline/evidence/query_template.hpp"
#include "pipeline/evidence/stages.hpp"
#include "pipeline/review/review.hpp"
#include "storage/meta_keys.hpp"

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace touchstone::pipeline::evidence {
namespace {

using corpus::TitleIndex;
using flow::StageContext;
using flow::StageReport;

/// Why a topic has no query.
enum class PhraseReject : std::uint8_t { kUnworded };

const RejectReason& describe(PhraseReject) {
  static constexpr RejectReason kUnworded = {"topic without a query"};
  return kUnworded;
}

class PhraseStage : public flow::Stage {
 public:
  explicit PhraseStage(ModelQueries model) : model_(std::move(model)) {}

  StageReport run(StageContext& context) override {
    const TitleIndex titles(context.store, context.options<corpus::TextOptions>());
    const auto groups = read_groups(context.input(kGroupsFile));
    std::vector<const Group*> kept;
    for (const auto& group : groups) {
      if (group.kept()) kept.push_back(&group);
    }
    const auto& options = context.options<PhraseOptions>();
    auto queries = template_queries(kept, context.store, titles, context.options<GroupsOptions>(), options);
    StageReport report;
    if (const auto writer = model_.make(context)) writer->write(kept, queries, report);
    tell_apart(kept, queries);
    context.progress.records = queries.size();
    write_queries(context.output(kQueriesFile), queries);
    write_review(context, options, kept, queries, report);
    for (const auto& query : queries) {
      ++report.counts["queries that are " + std::string(to_string(query.verdict))];
      if (query.verdict == QueryVerdict::kUnworded)
        report.reject(PhraseReject::kUnworded, query.topic + ": " + query.why);
    }
    report.counts["queries"] = queries.size();
    return report;
  }

 private:
  /// Each topic with its words for a person to decide on.
  static void write_review(StageContext& context, const PhraseOptions& options, const std::vector<const Group*>& groups,
                           const std::vector<TopicQuery>& queries, StageReport& report) {
    review::Review old, fresh;
    if (!options.review.empty()) old = review::read_review(options.review);
    for (std::size_t i = 0; i < groups.size(); ++i) {
      const auto& query = queries[i];
      const bool worded = query.verdict != QueryVerdict::kUnworded;
      review::ReviewRow row;
      row.decision = worded ? review::ReviewDecision::kKeep : review::ReviewDecision::kDrop;
      row.page = groups[i]->page;
      row.headings = review_path(*groups[i]);
      row.flags = std::string(to_string(query.verdict)) + ": " + (worded ? query.query : query.why);
      row.passages = groups[i]->members.size();
      fresh.add(std::move(row));
    }
    review::write_review(context.output(kQueriesReviewFile), old, fresh, report);
  }

  ModelQueries model_;
};

}  // namespace

flow::StageInfo phrase_stage(const ModelQueries& model) {
  flow::StageInfo stage = {
      .name = "phrase",
      .summary = "Word each topic as a search user would",
      .format_version = 7,
      .inputs = {flow::file(kGroupsFile), flow::meta(storage::kMetaSite), flow::family(storage::Family::kPage),
                 flow::family(storage::Family::kTitle), flow::family(storage::Family::kOutline),
                 flow::family(storage::Family::kParagraph)},
      .outputs = {flow::file(kQueriesFile), flow::file(kQueriesReviewFile)},
      .keeps = model.keeps,
      .options = {flow::reads<PhraseOptions>(), flow::inherits<GroupsOptions>(), flow::inherits<corpus::TextOptions>()},
      .progress_unit = "topics",
      .progress_records = "queries",
      .make = [model] { return std::make_unique<PhraseStage>(model); },
      .extra_fingerprint = model.fingerprint,
  };
  stage.options.insert(stage.options.end(), model.options.begin(), model.options.end());
  return stage;
}

}  // namespace touchstone::pipeline::evidence
