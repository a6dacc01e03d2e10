#include "pipeline/corpus/title_index.hpp"
#include "pipeline/evidence/evidence_records.hpp"
#include "pipeline/evidence/groups_options.hpp"
#include "pipeline/evidence/phrase_options.hpp"
#include "pipeline/evidence/query_template.hpp"
#include "pipeline/evidence/stages.hpp"
#include "storage/meta_keys.hpp"

#include <memory>
#include <utility>
#include <vector>

namespace touchstone::pipeline::evidence {
namespace {

using corpus::TitleIndex;
using flow::StageContext;
using flow::StageReport;

class PhraseStage : public flow::Stage {
 public:
  explicit PhraseStage(ModelQueries model) : model_(std::move(model)) {}

  StageReport run(StageContext& context) override {
    const TitleIndex titles(context.store);
    const auto groups = read_groups(context.input(kGroupsFile));
    std::vector<const Group*> kept;
    for (const auto& group : groups) {
      if (group.kept()) kept.push_back(&group);
    }
    auto queries = template_queries(kept, titles);
    StageReport report;
    if (context.options<PhraseOptions>().source == QuerySource::kJudge)
      model_.make(context)->write(kept, queries, report);
    tell_apart(kept, queries);
    context.progress.records = queries.size();
    write_queries(context.output(kQueriesFile), queries);
    report.counts["queries"] = queries.size();
    return report;
  }

 private:
  ModelQueries model_;
};

}  // namespace

flow::StageInfo phrase_stage(const ModelQueries& model) {
  flow::StageInfo stage = {
      .name = "phrase",
      .summary = "Word each topic as a search user would",
      .format_version = 5,
      .inputs = {flow::file(kGroupsFile), flow::meta(storage::kMetaSite), flow::family(storage::Family::kPage),
                 flow::family(storage::Family::kTitle)},
      .outputs = {flow::file(kQueriesFile)},
      .keeps = model.keeps,
      .options = {flow::reads<PhraseOptions>(), flow::inherits<GroupsOptions>()},
      .progress_unit = "topics",
      .progress_records = "queries",
      .make = [model] { return std::make_unique<PhraseStage>(model); },
      .extra_fingerprint = model.fingerprint,
  };
  stage.options.insert(stage.options.end(), model.options.begin(), model.options.end());
  return stage;
}

}  // namespace touchstone::pipeline::evidence
