#pragma once

#include "pipeline/flow/stage.hpp"
#include "pipeline/judging/judge_panel.hpp"
#include "pipeline/judging/lexical/lexical_judge.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace touchstone::pipeline::judging {

/// The judge stage with language models: asks what the log does not know, then writes `stages/judgments.jsonl`,
/// `stages/unjudged.jsonl` and `stages/judging.json` from the log alone, so that their bytes do not depend on when and
/// in which order replies came. Throws Interrupted as Asker does.
/// \param lexical  needed when the panel has a lexical judge
flow::StageReport judge_with_panel(flow::StageContext& context, const JudgePanel& panel, const LexicalJudge* lexical);

/// What is still to be asked, for --dry-run.
struct RemainingWork {
  struct Amount {
    std::uint64_t requests = 0, prompt_tokens = 0, most_reply_tokens = 0;
    llm_client::PicoDollars cost = 0;  ///< with replies at their longest, and nothing read from caches
  };
  std::uint64_t judgments = 0, known = 0;
  std::map<std::string, Amount> topics;  ///< by the topic's structured name
  Amount all;
  bool exact_tokens = false;  ///< counted by the server's tokenizer; else guessed
  bool priced = false;
  bool first_judge_only = false;  ///< a cascade: what the others will be asked depends on the first one's answers
};

/// Looks into the log and counts; with a server that offers a tokenizer, asks it. Sends nothing that costs.
RemainingWork remaining_work(const flow::WorkView& view);

}  // namespace touchstone::pipeline::judging
