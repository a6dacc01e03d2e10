#include "pipeline/stage_table.hpp"

#include "pipeline/automatic/stages.hpp"
#include "pipeline/cluster/slurm_options.hpp"
#include "pipeline/corpus/stages.hpp"
#include "pipeline/corpus/wiki_options.hpp"
#include "pipeline/evidence/stages.hpp"
#include "pipeline/judging/stage/judge_stage.hpp"
#include "pipeline/judging/stage/model_queries.hpp"
#include "pipeline/passages/stages.hpp"
#include "pipeline/release/stages.hpp"

namespace touchstone::pipeline {

const flow::StageGraph& stage_graph() {
  static const flow::StageGraph graph(
      {
          corpus::ingest_stage(),
          corpus::link_stage(),
          evidence::groups_stage(),
          passages::boilerplate_stage(),
          passages::passages_stage(),
          evidence::candidates_stage(),
          judging::stage::judge_stage(),
          evidence::phrase_stage(judging::stage::model_queries()),
          release::export_stage(),
          release::report_stage(),
          automatic::pages_stage(),
          automatic::paragraphs_stage(),
          automatic::facets_stage(),
          automatic::anchors_stage(),
          automatic::export_automatic_stage(),
          automatic::report_automatic_stage(),
      },
      {
          {"evidence", "The evidence collection", {"export"}},
          {"automatic", "The automatic collection and its report", {"report-automatic"}},
          {"all", "All collections and reports", {"report", "report-automatic"}},
      },
      // The options of [wiki] are together, although stages read them one by one; no stage reads those of [slurm].
      {&option_group<corpus::NameOptions>(), &option_group<corpus::LanguageOptions>(),
       &option_group<corpus::TextOptions>(), &option_group<corpus::LicenseOptions>(),
       &option_group<cluster::SlurmOptions>()});
  return graph;
}

std::string_view default_target() {
  return "report";
}

}  // namespace touchstone::pipeline
