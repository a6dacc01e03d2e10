#include "pipeline/judging/stage/judge_options.hpp"

#include "pipeline/judging/stage/panel_problems.hpp"

namespace touchstone::pipeline::judging::stage {

// One row an option: the function is as long as there are options.
std::vector<Option<JudgeOptions>> JudgeOptions::options() {
  using J = JudgeOptions;
  constexpr auto kRemembered = OptionEffect::kRemembered;
  constexpr auto kNone = OptionEffect::kNone;
  return {
      {"judge.kind", &J::kind,
       "Who judges: lexical is embedded, needs nothing and is a baseline; openai is any server with OpenAI's chat "
       "completions (hosted, vLLM, llama.cpp, Ollama, SGLang); batch-... sends the same requests as batch jobs."},
      {"judge.threshold", &J::threshold, between(0, 1), "Lexical judge: probability from which a passage is evidence."},
      {"judge.gold", &J::gold, kNone,
       "TSV file of gold labels (docs/gold.md): build and judge then print the judge's precision and recall against "
       "it."},
      {"judge.name", &J::name, kRemembered, "Name of the judge in judgments and reports; empty: the model's."},
      {"judge.base_url", &J::base_url, kRemembered,
       "Address of the server up to its version, such as http://127.0.0.1:8080/v1; \"/chat/completions\" or "
       "\"/messages\" is added."},
      {"judge.endpoints", &J::endpoints, kRemembered,
       "More servers of the same model, each \"URL\" or \"URL WEIGHT\"; requests are shared out by weight (base_url "
       "has 1) and fail over."},
      {"judge.model", &J::model, kRemembered, "Name of the model as the server knows it."},
      {"judge.key_env", &J::key_env, kRemembered,
       "Environment variable that holds the server's key; empty: none is sent. The key itself never stands in a "
       "config."},
      {"judge.key_file", &J::key_file, kRemembered, "File that holds the server's key, instead of judge.key_env."},
      {"judge.prompt", &J::prompt, kRemembered,
       "What to ask: evidence-binary, evidence-graded, evidence-spans, or a prompt file (docs/judging.md)."},
      {"judge.temperature", &J::temperature, between(-1, 2), kRemembered,
       "Sampling temperature; below 0: not sent, for models that refuse it."},
      {"judge.max_tokens", &J::max_tokens, between(1, 1e6), kRemembered,
       "Most tokens of a reply. Reasoning models need room for their thoughts."},
      {"judge.max_tokens_name", &J::max_tokens_name, kRemembered,
       "How the server calls that limit: newer hosted models want max_completion_tokens."},
      {"judge.seed", &J::seed, between(-1, 9e15), kRemembered, "Seed of the server's sampling; -1: not sent."},
      {"judge.logprobs", &J::logprobs, kRemembered,
       "Ask for token log-probabilities, for the probability of evidence."},
      {"judge.structure", &J::structure, kRemembered,
       "How the server is held to the form of an answer: json_schema, vLLM's structured_outputs, or by the prompt "
       "alone."},
      {"judge.samples", &J::samples, between(1, 100), kRemembered,
       "How often each question is asked; with more than 1 the grade is the samples' vote and the probability the "
       "share of yes. Wants judge.temperature above 0."},
      {"judge.vote", &J::vote, kRemembered, "How several samples or judges become one grade."},
      {"judge.tie", &J::tie, kRemembered,
       "Which grade wins when several have as many votes: lowest, highest, or none (not judged)."},
      {"judge.cascade", &J::cascade, kRemembered,
       "With several [[judges]]: ask the first of everything, the others only where its probability lies in the band."},
      {"judge.band_low", &J::band_low, between(0, 1), kRemembered,
       "Cascade: below this probability the first judge's answer stands."},
      {"judge.band_high", &J::band_high, between(0, 1), kRemembered,
       "Cascade: above this probability the first judge's answer stands."},
      {"judge.probe", &J::probe, kRemembered,
       "Try at the start what the server can do, by one small request; its reply is kept like any other."},
      {"judge.warm_up", &J::warm_up, kRemembered,
       "Send one request of a topic ahead of the others, so that they find its beginning in the server's prompt cache: "
       "auto does so where cached tokens are cheaper and the beginning is long enough."},
      {"judge.in_flight", &J::in_flight, between(1, 100000), kRemembered, "Most requests in flight at once."},
      {"judge.requests_per_minute", &J::requests_per_minute, between(0, 1e9), kRemembered,
       "Most requests in any minute; 0: as many as the server takes."},
      {"judge.tokens_per_minute", &J::tokens_per_minute, between(0, 1e12), kRemembered,
       "Most tokens in any minute, counted ahead; 0: as many as the server takes."},
      {"judge.max_attempts", &J::max_attempts, between(1, 1000), kRemembered,
       "Attempts of one request before it counts as failed."},
      {"judge.timeout_s", &J::timeout_s, between(1, 86400), kRemembered, "Seconds for one attempt."},
      {"judge.patience_s", &J::patience_s, between(1, 604800), kRemembered,
       "Seconds for one request, from its first attempt to its last."},
      {"judge.proxy", &J::proxy, kRemembered,
       "Address of an HTTP proxy, without user and password; empty: as the environment says."},
      {"judge.ca_file", &J::ca_file, kRemembered, "PEM file of trusted certificates; empty: the system's."},
      {"judge.price_prompt", &J::price_prompt, between(0, 1e6), kRemembered,
       "US dollars for a million prompt tokens; 0: unknown or free."},
      {"judge.price_cached", &J::price_cached, between(-1, 1e6), kRemembered,
       "US dollars for a million prompt tokens read from the server's cache; -1: as price_prompt."},
      {"judge.price_cache_write", &J::price_cache_write, between(-1, 1e6), kRemembered,
       "US dollars for a million prompt tokens written to the server's cache; -1: as price_prompt."},
      {"judge.price_reply", &J::price_reply, between(0, 1e6), kRemembered,
       "US dollars for a million tokens of replies."},
      {"judge.price_batch_factor", &J::price_batch_factor, between(0, 1), kRemembered,
       "What batch jobs cost, as a share of these prices."},
      {"judge.max_cost", &J::max_cost, between(0, 1e9), kRemembered,
       "Stop before a run costs more than this many US dollars; 0: no cap. Short: --max-cost."},
      {"judge.max_calls", &J::max_calls, between(0, 1e12), kRemembered,
       "Stop before a run sends more requests than this; 0: no cap. Short: --max-calls."},
      {"judge.max_total_tokens", &J::max_total_tokens, between(0, 1e15), kRemembered,
       "Stop before a run takes more tokens than this, prompts and replies; 0: no cap. Short: --max-tokens."},
      {"judge.batch_submit", &J::batch_submit, kRemembered,
       "Batch: send the files and wait for the results; false: only write them (WORK/batches)."},
      {"judge.batch_requests", &J::batch_requests, between(1, 100000), kRemembered,
       "Batch: most requests in one file."},
      {"judge.batch_bytes", &J::batch_bytes, between(1000, 256000000), kRemembered, "Batch: most bytes of one file."},
      {"judge.batch_poll_s", &J::batch_poll_s, between(1, 86400), kRemembered,
       "Batch: seconds between two looks at a job."},
  };
}

std::vector<Option<PanelOptions>> PanelOptions::options() {
  return {
      {"judges", &PanelOptions::judges, OptionEffect::kRemembered,
       "Several judges: one [[judges]] table each, with keys of [judge] over its values. They vote, or form a "
       "cascade."},
  };
}

std::vector<std::string> PanelOptions::problems(const Settings& settings) {
  return panel_problems(settings);
}

}  // namespace touchstone::pipeline::judging::stage
