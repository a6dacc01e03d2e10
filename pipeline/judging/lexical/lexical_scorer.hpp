#pragma once

#include "llm_client/judge_answer.hpp"
#include "pipeline/judging/judge.hpp"
#include "pipeline/judging/lexical/corpus_statistics.hpp"
#include "pipeline/judging/lexical/list_words.hpp"
#include "pipeline/judging/lexical/passage_words.hpp"
#include "pipeline/judging/lexical/synonyms.hpp"
#include "text/terms.hpp"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace touchstone::pipeline::judging::lexical {

/// Scores passages by comparing words; it never reads meaning.
///
/// The words of the list's title (without the word for "list"), headings and header, weighed by idf, and what the wiki
/// calls the same things, are looked for in the passage: near the member (its sentences) and anywhere. What the
/// member's own name already says does not count as said by the passage. A logistic function of the shares found gives
/// the probability; docs/lexical-judge.md has the features, where the weights come from, and how often it is right.
///
/// Deterministic; thread-safe.
class LexicalScorer {
 public:
  /// \param stemmer    Snowball's name, or empty for none
  /// \param prefixes   how list titles start; cut off before their words are taken
  /// \param threshold  lowest probability of evidence
  LexicalScorer(std::string stemmer, std::vector<std::string> prefixes, double threshold);

  /// Name in judgments: part of every digest.
  static constexpr std::string_view kId = "lexical/6 (baseline)";

  /// Features and weights as text: what a fingerprint must hold.
  static std::string version();

  /// The list of a request in words, without synonyms.
  ListWords list(const JudgeRequest& request) const;
  /// Registers the words whose frequency this scorer will ask for, those of `synonyms` included.
  static void watch(const ListWords& list, const std::map<std::string, Synonyms>& synonyms,
                    CorpusStatistics& statistics);
  void set_statistics(CorpusStatistics statistics) { statistics_ = std::move(statistics); }
  /// Drops the words of a list that most passages hold, and takes over the synonyms of its phrases that mean nothing
  /// else: titles, and the texts of links that this corpus uses for little else.
  void refine(ListWords& list, const std::map<std::string, Synonyms>& synonyms) const;

  /// SHA-256 over everything that the reply depends on: scorer, statistics, texts; but not docids, so that next month's
  /// dump asks again only for what changed.
  std::string digest(const ListWords& list, const JudgeRequest& request) const;
  /// The reply: a JSON object with evidence (true, false, or null where words do not tell), probability and features.
  std::string score(const ListWords& list, const JudgeRequest& request) const;
  /// Reads a reply; never finds a grade that is not in it.
  static llm_client::JudgeAnswer read(std::string reply);

 private:
  /// How much of the parts of a list a passage has, 0 to 1.
  struct Shares {
    double head_near = 0, head = 0;
    double scope = 0;       ///< the head's, for a list without a scope
    double section = 0;     ///< the lesser of the others, if the section does not matter
    double of_section = 0;  ///< as it is
    bool section_matters = false;
    bool near_member = false;  ///< most of head and scope taken as one is near the member
    bool together = false;     ///< the same, or in one sentence, in the own article
  };
  Shares shares(const ListWords& list, const JudgeRequest& request, const PassageWords& words) const;
  void settle(ListWords& list) const;
  bool is_defined(const ListWords& list, const JudgeRequest& request, const PassageWords& words) const;
  bool is_said(const ListWords& list, const JudgeRequest& request, const PassageWords& words,
               const Shares& shares) const;
  bool lead_tells(const ListWords& list, const JudgeRequest& request, const PassageWords& words) const;
  std::string parameters(const ListWords& list) const;
  bool is_common(const std::string& stem) const;

  std::string stemmer_;
  ListReader lists_;
  Denials denials_;
  double threshold_;
  CorpusStatistics statistics_;
};

}  // namespace touchstone::pipeline::judging::lexical
