#pragma once

#include "llm_client/judge_answer.hpp"
#include "pipeline/corpus/terms.hpp"
#include "pipeline/judging/judge.hpp"
#include "pipeline/judging/lexical/corpus_statistics.hpp"
#include "pipeline/judging/lexical/list_words.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace touchstone::pipeline::judging::lexical {

/// Scores passages by comparing words; it never reads meaning.
///
/// The words of the list's title (without prefix), headings and header, weighed by idf, are looked for in the passage:
/// near the member (its sentences) and anywhere. What the member's own name already says does not count as said by the
/// passage. A logistic function of the shares found gives the probability; docs/lexical-judge.md has the features,
/// where the weights come from, and how often it is right.
///
/// Deterministic; thread-safe.
class LexicalScorer {
 public:
  /// \param stemmer   Snowball's name, or empty for none
  /// \param prefixes  how list titles start; cut off before their words are taken
  LexicalScorer(std::string stemmer, std::vector<std::string> prefixes, double threshold);

  /// Name in judgments: part of every digest.
  static constexpr std::string_view kId = "lexical/2 (baseline)";

  /// Features and weights as text: what a fingerprint must hold.
  static std::string version();

  /// Registers the words whose frequency this scorer will ask for.
  void watch(const JudgeRequest& request, CorpusStatistics& statistics) const;
  void set_statistics(CorpusStatistics statistics) { statistics_ = std::move(statistics); }

  /// SHA-256 over everything that the reply depends on: scorer, statistics, texts; but not docids, so that next month's
  /// dump asks again only for what changed.
  std::string digest(const JudgeRequest& request) const;
  /// The reply: a JSON object with evidence, probability and features.
  std::string score(const JudgeRequest& request) const;
  /// Reads a reply; never finds a grade that is not in it.
  static llm_client::JudgeAnswer read(std::string reply);

 private:
  std::string parameters(const JudgeRequest& request) const;
  /// True when `found` holds a word of the list; one that half of all passages hold counts only if all are such words.
  bool holds_a_word(const ListWords& list, const StemSet& found) const;

  std::string stemmer_;
  ListReader lists_;
  double threshold_;
  CorpusStatistics statistics_;
};

}  // namespace touchstone::pipeline::judging::lexical
