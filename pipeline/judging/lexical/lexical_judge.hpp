#pragma once

#include "llm_client/reply_store.hpp"
#include "pipeline/judging/judge.hpp"
#include "pipeline/judging/lexical/lexical_scorer.hpp"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace touchstone::pipeline::judging::lexical {

/// How the lexical judge decides.
struct LexicalSettings {
  double threshold = 0.5;             ///< probability from which on a passage is evidence
  std::vector<std::string> prefixes;  ///< how list titles start, if the wiki's language is unknown
};

/// The embedded judge: a baseline that needs no server. Its answers are computed in the pass that reads them.
class LexicalJudge : public Judge {
 public:
  /// `replies` must outlive this.
  LexicalJudge(LexicalSettings settings, JudgeDescription description, const llm_client::ReplyStore& replies);

  const JudgeDescription& description() const override { return description_; }
  /// Looks for synonyms of the topics' words, and counts them over the whole corpus.
  void prepare(const JudgingCorpus& corpus) override;
  JudgeReading read(const std::string& topic, const JudgeRequest& request, Ungraded ungraded) const override;

 private:
  LexicalSettings settings_;
  JudgeDescription description_;
  const llm_client::ReplyStore& replies_;
  std::optional<LexicalScorer> scorer_;     ///< from `prepare` on
  std::map<std::string, ListWords> lists_;  ///< by topic
};

}  // namespace touchstone::pipeline::judging::lexical
