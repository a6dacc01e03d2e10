#include "pipeline/judging/stage/judging_text.hpp"

#include "common/unicode.hpp"
#include "pipeline/judging/gold_labels.hpp"
#include "pipeline/judging/stage/panel_config.hpp"
#include "pipeline/judging/stage/panel_examples.hpp"
#include "pipeline/judging/stage/remaining_work.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>

namespace touchstone::pipeline::judging::stage {
namespace {

std::string line_of(const RequestEstimate& amount, bool priced, const std::string& name) {
  std::string line = fmt::format("  {:9} requests {:12} prompt tokens {:10} reply tokens at most", amount.requests,
                                 amount.prompt_tokens, amount.most_reply_tokens);
  if (priced) line += fmt::format("  ${:.4f} at most", static_cast<double>(amount.cost) / llm_client::kPicoPerDollar);
  return line + "  " + name + "\n";
}

/// A line of the table of judges: names, then numbers.
struct GoldRow {
  std::string judge, prompt, evidence;
  GoldAgreement gold;
};

GoldRow row_of(const JudgeGold& measured, const JudgeDescription& judge, bool& marked) {
  GoldRow row{judge.name, judge.model ? judge.model->prompt_name : "-", "yes", measured.agreement};
  if (judge.highest_grade > 1) {
    const bool in_force = measured.evidence_grade == judge.evidence_grade;
    marked |= in_force;
    row.evidence = fmt::format("grade {}{}{}", measured.evidence_grade,
                               measured.evidence_grade < judge.highest_grade ? "+" : "", in_force ? " *" : "");
  }
  return row;
}

/// How each judge agrees with the gold labels, so that prompts can be compared.
std::string gold_table(const GoldMeasurement& measured, const PanelDescription& panel) {
  std::vector<GoldRow> rows;
  std::size_t judge_width = 5, prompt_width = 6;
  bool marked = false;
  for (const auto& of : measured.judges) {
    rows.push_back(row_of(of, panel.judges[of.judge], marked));
    judge_width = std::max(judge_width, count_code_points(rows.back().judge));
    prompt_width = std::max(prompt_width, count_code_points(rows.back().prompt));
  }
  const auto padded = [](const std::string& text, std::size_t width) {
    return text + std::string(width - count_code_points(text), ' ');
  };
  std::string text = fmt::format("\n  {}  {}  {:10}  {:>6}  {:>8}  {:>9}  {:>6}  {:>6}  {:>6}\n",
                                 padded("judge", judge_width), padded("prompt", prompt_width), "evidence", "labels",
                                 "accuracy", "precision", "recall", "F1", "kappa");
  for (const auto& [judge, prompt, evidence, gold] : rows)
    text += fmt::format("  {}  {}  {:10}  {:6}  {:8.3f}  {:9.3f}  {:6.3f}  {:6.3f}  {:6.3f}\n",
                        padded(judge, judge_width), padded(prompt, prompt_width), evidence, gold.judged(),
                        gold.accuracy(), gold.precision(), gold.recall(), gold.f1(), gold.kappa());
  if (marked) text += "  * as in the collection (judge.evidence_grade)\n";
  return text;
}

}  // namespace

std::string gold_text(const flow::WorkView& work) {
  const auto& file = work.settings.get<JudgeOptions>().gold;
  if (file.empty()) return {};
  const auto& judge = work.settings.get<JudgeOptions>();
  const auto& judges = work.settings.get<PanelOptions>();
  const auto panel = describe_panel(judge, judges);
  const auto measured = measure_gold(work.store, work.paths, panel, file, pairs_of(panel_examples(work)));
  const auto& gold = measured.agreement;
  auto text =
      fmt::format("  judge against {} of {} gold labels: precision {:.3f}, recall {:.3f}, F1 {:.3f}, kappa {:.3f}\n",
                  gold.judged(), measured.labels, gold.precision(), gold.recall(), gold.f1(), gold.kappa());
  if (panel.asks() || panel.judges.size() > 1) text += gold_table(measured, panel);
  return text;
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
