#include "pipeline/judging/judging_loop.hpp"
#include "pipeline/judging/judgment_log.hpp"
#include "pipeline/judging/stage/panel_config.hpp"
#include "pipeline/stage.hpp"

namespace touchstone::pipeline {
namespace {

class JudgeStage : public Stage {
 public:
  StageReport run(StageContext& context) override {
    judging::JudgmentLog log(context.store);
    const auto panel = judging::stage::make_panel(context.config, {log, context.budget, context.stop, context.progress},
                                                  context.paths);
    return judging::judge_all(context, panel, log);
  }
};

}  // namespace

std::unique_ptr<Stage> make_judge_stage() {
  return std::make_unique<JudgeStage>();
}

}  // namespace touchstone::pipeline
