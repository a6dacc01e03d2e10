#include "pipeline/judging/stage/judging_text.hpp"

#include "pipeline/judging/gold_labels.hpp"
#include "pipeline/judging/stage/panel_config.hpp"
#include "pipeline/judging/stage/remaining_work.hpp"

#include <fmt/format.h>

namespace touchstone::pipeline::judging::stage {
namespace {

std::string line_of(const RequestEstimate& amount, bool priced, const std::string& name) {
  std::string line = fmt::format("  {:9} requests {:12} prompt tokens {:10} reply tokens at most", amount.requests,
                                 amount.prompt_tokens, amount.most_reply_tokens);
  if (priced) line += fmt::format("  ${:.4f} at most", static_cast<double>(amount.cost) / llm_client::kPicoPerDollar);
  return line + "  " + name + "\n";
}

}  // namespace

std::string gold_text(const flow::WorkView& work) {
  const auto& file = work.settings.get<JudgeOptions>().gold;
  if (file.empty()) return {};
  const auto [labels, gold] = measure_gold(work.store, work.paths, file);
  return fmt::format("  judge against {} of {} gold labels: precision {:.3f}, recall {:.3f}, F1 {:.3f}, kappa {:.3f}\n",
                     gold.judged(), labels, gold.precision(), gold.recall(), gold.f1(), gold.kappa());
}

std::string remaining_work_text(const flow::WorkView& view) {
  if (!describe_panel(view.settings.get<JudgeOptions>(), view.settings.get<PanelOptions>()).asks()) return {};
  const auto work = remaining_work(view);
  std::string text = fmt::format("\njudge: {} judgments, {} known; to be asked:\n", work.judgments, work.known);
  for (const auto& [topic, amount] : work.topics) {
    if (amount.requests > 0) text += line_of(amount, work.priced, topic);
  }
  text += line_of(work.all, work.priced, "in all");
  if (work.all.requests == 0) return text;
  text += work.all.exact_tokens
              ? "Prompt tokens as the server's tokenizer counts them."
              : "Prompt tokens are estimated: a quarter of the ASCII bytes, one for each other character.";
  if (work.first_judge_only) text += " What the later judges of the cascade are asked depends on the first.";
  return text + "\n";
}

}  // namespace touchstone::pipeline::judging::stage
