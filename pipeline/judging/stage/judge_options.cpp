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
       "Kind of judge. lexical is embedded, needs no server and is a baseline. openai is any server with OpenAI's chat "
       "completions (hosted, vLLM, llama.cpp, Ollama, SGLang). anthropic is Anthropic's API. batch-... sends the same "
       "requests as batch jobs. human writes tasks for touchstone annotate and takes the answers over."},
      {"judge.threshold", &J::threshold, between(0, 1), "Lexical judge: lowest probability of evidence."},
      {"judge.gold", &J::gold, kNone,
       "TSV file of gold labels (docs/gold.md). With it, build and judge print how each judge and its prompt agree "
       "with people."},
      {"judge.name", &J::name, kRemembered,
       "Name of the judge in judgments and reports. Empty: the name of the model."},
      {"judge.base_url", &J::base_url, kRemembered,
       "Address of the server up to its version, such as http://127.0.0.1:8080/v1, or a list of servers of one model. "
       "The program adds \"/chat/completions\" or \"/messages\"."},
      {"judge.endpoints", &J::endpoints, kRemembered,
       "More servers of the same model, each \"URL\" or \"URL WEIGHT\". Requests are distributed by weight (base_url "
       "has 1), a slow server gets no more than it answers, and the servers take over for each other."},
      {"judge.model", &J::model, kRemembered, "Name of the model on the server."},
      {"judge.key_env", &J::key_env, kRemembered,
       "Environment variable that holds the server's key. Empty: no key is sent. Never put the key itself into a "
       "configuration."},
      {"judge.key_file", &J::key_file, kRemembered, "File that holds the server's key; replaces judge.key_env."},
      {"judge.key_header", &J::key_header, kRemembered,
       "Name of the header that holds the key, such as api-key for Azure. Empty: Authorization: Bearer KEY, or "
       "x-api-key "
       "for Anthropic."},
      {"judge.headers", &J::headers, kRemembered,
       "More headers of every request, each \"Name: value\". Never put a key here."},
      {"judge.query", &J::query, kRemembered,
       "Query of every address, such as api-version=2024-10-21 for Azure. Never put a key here."},
      {"judge.prompt", &J::prompt, kRemembered,
       "Prompt: evidence-binary, evidence-graded, evidence-spans, evidence-reason, dmerit-evidence, umbrela-reworded, "
       "or a prompt file "
       "(docs/judging.md)."},
      {"judge.examples", &J::examples, between(0, 50), kRemembered,
       "Examples in the prompt: so many labels of judge.gold of each grade, with the notes of people as reasons. They "
       "no "
       "longer count in the agreement with people. For prompts that ask for yes or no."},
      {"judge.evidence_grade", &J::evidence_grade, between(1, 3), kRemembered,
       "Lowest grade that counts as evidence, for prompts with grades from 0 to 3. Lower grades are 0 in the qrels; "
       "the "
       "judgments keep them. A change asks nothing again."},
      {"judge.temperature", &J::temperature, between(-1, 2), kRemembered,
       "Sampling temperature. Below 0: not sent, for models that refuse it."},
      {"judge.max_tokens", &J::max_tokens, between(1, 1e6), kRemembered,
       "Highest number of tokens in a reply. Reasoning models need room for their thoughts."},
      {"judge.max_tokens_name", &J::max_tokens_name, kRemembered,
       "Name of this limit in requests. Newer hosted models need max_completion_tokens."},
      {"judge.seed", &J::seed, between(-1, 9e15), kRemembered, "Seed of the server's sampling. -1: not sent."},
      {"judge.logprobs", &J::logprobs, kRemembered,
       "Request token log-probabilities, from which the probability of evidence is computed."},
      {"judge.structure", &J::structure, kRemembered,
       "How the server enforces the form of an answer: json_schema, vLLM's structured_outputs (vllm), or only by the "
       "prompt (none)."},
      {"judge.extra_body", &J::extra_body, kRemembered,
       "JSON object whose fields are added to every request, such as {\"reasoning_effort\": \"low\"} or "
       "{\"chat_template_kwargs\": {\"enable_thinking\": false}}. Another value asks again."},
      {"judge.samples", &J::samples, between(1, 100), kRemembered,
       "How often each question is asked. With more than 1, the grade is the vote of the samples and the probability "
       "is the share of yes; models need a judge.temperature above 0 for it. Of the human judge: how many people "
       "answer "
       "each question."},
      {"judge.vote", &J::vote, kRemembered, "How several samples or judges become one grade."},
      {"judge.tie", &J::tie, kRemembered,
       "Which grade wins if several have equally many votes: lowest, highest, or none (not judged)."},
      {"judge.cascade", &J::cascade, kRemembered,
       "With several [[judges]]: ask the first about everything, and the others only if its probability lies in the "
       "band."},
      {"judge.band_low", &J::band_low, between(0, 1), kRemembered,
       "Cascade: below this probability, the first judge's answer is final."},
      {"judge.band_high", &J::band_high, between(0, 1), kRemembered,
       "Cascade: above this probability, the first judge's answer is final."},
      {"judge.probe", &J::probe, kRemembered,
       "Test at the start, with small requests, what the server supports. The replies are stored like all others."},
      {"judge.warm_up", &J::warm_up, kRemembered,
       "Send one request of a topic ahead of the others, so that they find the common beginning in the server's prompt "
       "cache. auto: only if cached tokens are cheaper and the beginning is long enough."},
      {"judge.in_flight", &J::in_flight, between(1, 100000), kRemembered, "Highest number of requests in flight."},
      {"judge.requests_per_minute", &J::requests_per_minute, between(0, 1e9), kRemembered,
       "Highest number of requests in any minute. 0: no limit."},
      {"judge.tokens_per_minute", &J::tokens_per_minute, between(0, 1e12), kRemembered,
       "Highest number of tokens in any minute, estimated before sending. 0: no limit."},
      {"judge.tasks", &J::tasks, between(1, 1000), kNone,
       "With build --executor slurm: number of tasks that ask at the same time. They share all limits and the budget."},
      {"judge.max_attempts", &J::max_attempts, between(1, 1000), kRemembered,
       "Number of attempts before a request counts as failed."},
      {"judge.timeout_s", &J::timeout_s, between(1, 86400), kRemembered, "Seconds for one attempt."},
      {"judge.patience_s", &J::patience_s, between(1, 604800), kRemembered,
       "Seconds for one request, from its first attempt to its last."},
      {"judge.proxy", &J::proxy, kRemembered,
       "Address of an HTTP proxy, without user name and password. Empty: the proxy of the environment."},
      {"judge.ca_file", &J::ca_file, kRemembered, "PEM file of trusted certificates. Empty: those of the system."},
      {"judge.price_prompt", &J::price_prompt, between(0, 1e6), kRemembered,
       "US dollars for a million prompt tokens. 0: unknown or free."},
      {"judge.price_cached", &J::price_cached, between(-1, 1e6), kRemembered,
       "US dollars for a million prompt tokens read from the server's cache. -1: same as price_prompt."},
      {"judge.price_cache_write", &J::price_cache_write, between(-1, 1e6), kRemembered,
       "US dollars for a million prompt tokens written to the server's cache. -1: same as price_prompt."},
      {"judge.price_reply", &J::price_reply, between(0, 1e6), kRemembered, "US dollars for a million reply tokens."},
      {"judge.price_batch_factor", &J::price_batch_factor, between(0, 1), kRemembered,
       "Price of batch jobs as a share of these prices."},
      {"judge.max_cost", &J::max_cost, between(0, 1e9), kRemembered,
       "Stop before a run costs more than this many US dollars. 0: no limit. Short: --max-cost."},
      {"judge.max_calls", &J::max_calls, between(0, 1e12), kRemembered,
       "Stop before a run sends more requests than this, further attempts included. 0: no limit. Short: --max-calls."},
      {"judge.max_total_tokens", &J::max_total_tokens, between(0, 1e15), kRemembered,
       "Stop before a run uses more tokens than this, in prompts and replies. 0: no limit. Short: --max-tokens."},
      {"judge.max_ungraded", &J::max_ungraded, between(0, 1e9), kRemembered,
       "Stop when the first replies of a run, this many, hold no grade at all. 0: never."},
      {"judge.batch_submit", &J::batch_submit, kRemembered,
       "Batch jobs: submit the files and wait for the results. false: only write the files to WORK/batches."},
      {"judge.batch_requests", &J::batch_requests, between(1, 100000), kRemembered,
       "Batch jobs: highest number of requests in one file."},
      {"judge.batch_bytes", &J::batch_bytes, between(1000, 256000000), kRemembered,
       "Batch jobs: highest number of bytes in one file."},
      {"judge.batch_poll_s", &J::batch_poll_s, between(1, 86400), kRemembered,
       "Batch jobs: seconds between two checks of a job."},
  };
}

std::vector<Option<PanelOptions>> PanelOptions::options() {
  return {
      {"judges", &PanelOptions::judges, OptionEffect::kRemembered,
       "Several judges: one [[judges]] table for each, with keys of [judge] that override its values. The judges vote "
       "or form a cascade."},
  };
}

std::vector<std::string> PanelOptions::problems(const Settings& settings) {
  return panel_problems(settings);
}

}  // namespace touchstone::pipeline::judging::stage
