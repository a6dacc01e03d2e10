#pragma once

#include "pipeline/flow/work_paths.hpp"
#include "pipeline/judging/judge_panel.hpp"
#include "storage/store.hpp"

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace touchstone::pipeline::judging {

/// What one judge's replies come to.
struct JudgeTotals {
  std::uint64_t questions = 0;  ///< put to it
  std::uint64_t replies = 0, attempts = 0;
  std::uint64_t prompt_tokens = 0, cached_tokens = 0, reply_tokens = 0;
  llm_client::PicoDollars cost = 0;
  std::map<std::string, std::uint64_t> states;
  std::map<int, std::uint64_t> grades;
  std::uint64_t with_probability = 0, contradicted = 0, quotes = 0, quotes_not_found = 0;
  /// Replies by latency: bucket i holds those below 2^(i/4) ms and not below the one before.
  static constexpr std::size_t kLatencyBuckets = 96;
  std::array<std::uint64_t, kLatencyBuckets> latencies{};

  void add_reply(const llm_client::StoredReply& reply);
  void add_answer(const llm_client::JudgeAnswer& answer);
  /// Upper end of the bucket in which the share `percentile` of replies is reached, in ms; 0 without any.
  double latency_ms(double percentile) const;
};

/// What judging came to: `WORK/stages/judging.json` holds it, and report.html shows it where somebody was asked. It
/// depends on the log alone.
struct JudgingSummary {
  std::vector<JudgeTotals> judges;  ///< as in the panel
  std::uint64_t judgments = 0, cheap_decided = 0;
  std::map<std::string, std::uint64_t> states;
  std::map<int, std::uint64_t> grades;

  std::string to_json(const PanelDescription& panel) const;
};

/// Lowest grade that is evidence in the judgments of a work directory, by their summary.
int stated_evidence_grade(const storage::Store& store, const flow::WorkPaths& paths);

}  // namespace touchstone::pipeline::judging
