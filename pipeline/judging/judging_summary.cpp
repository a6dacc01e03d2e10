#include "pipeline/judging/judging_summary.hpp"

#include "common/files.hpp"
#include "common/json_tree.hpp"
#include "pipeline/flow/stage_files.hpp"
#include "pipeline/flow/work_files.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>

#include <nlohmann/json.hpp>

namespace touchstone::pipeline::judging {
namespace {

using Json = nlohmann::ordered_json;

double in_dollars(llm_client::PicoDollars cost) {
  return static_cast<double>(cost) / llm_client::kPicoPerDollar;
}

Json grades_json(const std::map<int, std::uint64_t>& grades) {
  Json json = Json::object();
  for (const auto& [grade, count] : grades) json[std::to_string(grade)] = count;
  return json;
}

}  // namespace

void JudgeTotals::add_reply(const llm_client::StoredReply& reply) {
  ++replies;
  attempts += reply.attempts;
  prompt_tokens += reply.prompt_tokens;
  cached_tokens += reply.cached_tokens;
  reply_tokens += reply.reply_tokens;
  cost += reply.cost;
  if (reply.latency_us == 0) return;
  const double ms = static_cast<double>(reply.latency_us) / 1000;
  const double bucket = ms <= 1 ? 0 : std::floor(4 * std::log2(ms)) + 1;
  ++latencies[std::min(static_cast<std::size_t>(bucket), kLatencyBuckets - 1)];
}

void JudgeTotals::add_answer(const llm_client::JudgeAnswer& answer) {
  ++states[std::string(to_string(answer.state))];
  if (answer.grade) ++grades[*answer.grade];
  if (answer.probability) ++with_probability;
  contradicted += answer.contradicted;
  quotes += answer.spans.size();
  quotes_not_found += answer.quotes_not_found;
}

double JudgeTotals::latency_ms(double percentile) const {
  std::uint64_t all = 0, below = 0;
  for (const auto count : latencies) all += count;
  if (all == 0) return 0;
  for (std::size_t i = 0; i < kLatencyBuckets; ++i) {
    below += latencies[i];
    if (static_cast<double>(below) >= percentile * static_cast<double>(all))
      return std::round(10 * std::exp2(static_cast<double>(i) / 4)) / 10;
  }
  return 0;
}

std::string JudgingSummary::to_json(const PanelDescription& panel) const {
  Json json;
  json["name"] = panel.name();
  json["evidence_grade"] = panel.evidence_grade();
  json["judgments"] = judgments;
  json["grades"] = grades_json(grades);
  json["states"] = states;
  json["judges"] = Json::array();
  for (std::size_t i = 0; i < judges.size(); ++i) {
    const auto& totals = judges[i];
    const auto& judge = panel.judges[i];
    Json entry;
    entry["judge"] = judge.name;
    entry["asked"] = !judge.answers_at_once;
    if (judge.model) {
      entry["model"] = judge.model->model;
      entry["prompt"] = judge.model->prompt_name;
      entry["prompt_digest"] = judge.prompt_digest;
      entry["samples"] = judge.replies;
      entry["evidence_grade"] = judge.evidence_grade;
    }
    entry["questions"] = totals.questions;
    entry["replies"] = totals.replies;
    entry["attempts"] = totals.attempts;
    entry["states"] = totals.states;
    entry["grades"] = grades_json(totals.grades);
    entry["with_probability"] = totals.with_probability;
    entry["contradicted"] = totals.contradicted;
    entry["quotes"] = totals.quotes;
    entry["quotes_not_found"] = totals.quotes_not_found;
    entry["tokens"] = {
        {"prompt", totals.prompt_tokens}, {"cached", totals.cached_tokens}, {"reply", totals.reply_tokens}};
    entry["cost_dollars"] = in_dollars(totals.cost);
    entry["priced"] = judge.model && judge.model->priced;
    entry["latency_ms"] = {
        {"p50", totals.latency_ms(.5)}, {"p90", totals.latency_ms(.9)}, {"p99", totals.latency_ms(.99)}};
    json["judges"].push_back(std::move(entry));
  }
  if (panel.rules.cascade) {
    const auto& strong = judges.back();
    const double mean = strong.questions == 0 ? 0 : in_dollars(strong.cost) / static_cast<double>(strong.questions);
    json["cascade"] = {{"band_low", panel.rules.band_low},
                       {"band_high", panel.rules.band_high},
                       {"decided_by_first", cheap_decided},
                       {"asked_on", judgments - cheap_decided},
                       {"saved_dollars", mean * static_cast<double>(cheap_decided)}};
  }
  return json_text(json, {.indent = 1}) + "\n";
}

int stated_evidence_grade(const storage::Store& store, const flow::WorkPaths& paths) {
  const auto file = flow::checked_file(store, paths, kSummaryFile);
  if (!std::filesystem::exists(file)) return 1;
  const auto json = parse_json_or_discard(read_file(file));
  // Versions before graded prompts had a choice do not state it.
  return json.is_object() && json.contains("evidence_grade") && json["evidence_grade"].is_number_integer()
             ? json["evidence_grade"].get<int>()
             : 1;
}

}  // namespace touchstone::pipeline::judging
