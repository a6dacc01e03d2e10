#pragma once

#include "llm_client/judge.hpp"
#include "pipeline/corpus/terms.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace touchstone::pipeline::judging {

/// How many passages of the corpus hold each word that matters for the topics at hand.
class CorpusStatistics {
 public:
  /// Counts one passage for every word of `terms` that was registered with `watch`.
  void watch(const std::string& stem) { frequencies_.try_emplace(stem, 0); }
  void add_passage(const std::vector<corpus::Term>& terms);
  void merge(const CorpusStatistics& other);

  std::uint64_t passages() const noexcept { return passages_; }
  std::uint64_t frequency(const std::string& stem) const;
  /// ln(1 + (N - n + 0.5) / (n + 0.5)), as BM25 weighs a word; never negative.
  double idf(const std::string& stem) const;

 private:
  std::unordered_map<std::string, std::uint64_t> frequencies_;
  std::uint64_t passages_ = 0;
};

/// The embedded judge: a baseline that needs no server. It never reads meaning, it compares words.
///
/// The words of the list's title (without prefix), headings and header, weighed by idf, are looked for in the passage:
/// near the member (its sentences) and anywhere. What the member's own name already says does not count as said by the
/// passage. A logistic function of the shares found gives the probability; docs/lexical-judge.md has the features,
/// where the weights come from, and how often it is right.
///
/// Deterministic; thread-safe.
class LexicalJudge : public llm_client::Judge {
 public:
  /// \param prefixes  how list titles start; cut off before their words are taken
  LexicalJudge(std::string stemmer, std::vector<std::string> prefixes, double threshold);

  static constexpr std::string_view kId = "lexical/1 (baseline)";

  /// Features and weights as text: what a fingerprint must hold.
  static std::string version();

  /// Registers the words whose frequency this judge will ask for.
  void watch(const llm_client::JudgeRequest& request, CorpusStatistics& statistics) const;
  void set_statistics(CorpusStatistics statistics) { statistics_ = std::move(statistics); }

  std::string id() const override { return std::string(kId); }
  bool is_baseline() const override { return true; }
  std::string prompt_digest() const override { return {}; }
  std::string parameters(const llm_client::JudgeRequest& request) const override;
  std::string ask(const llm_client::JudgeRequest& request) const override;
  llm_client::JudgeReply read(std::string reply) const override;

 private:
  struct Query;
  Query query_of(const llm_client::JudgeRequest& request, corpus::TermSplitter& splitter) const;

  std::string stemmer_;
  std::vector<std::string> prefixes_;
  double threshold_;
  CorpusStatistics statistics_;
};

}  // namespace touchstone::pipeline::judging
