#include "pipeline/config.hpp"

#include "extractors/wikitext_parser.hpp"
#include "pipeline/judging/stage/panel_problems.hpp"

#include <algorithm>
#include <cctype>
#include <vector>

#include <unicode/regex.h>

namespace touchstone::pipeline {
namespace {

struct Entry {
  OptionRow row;
  OptionField (*field)(Config&);
};

constexpr double kGiB = 1024.0 * 1024 * 1024;

const Entry kEntries[] = {
    {{"wiki.name", "Name in docids and file names; empty: the dump's database name."},
     [](Config& c) -> OptionField { return &c.wiki.name; }},
    {{"wiki.language", "Language code; empty: as the dump says. Chooses list prefixes, template rules and stemming."},
     [](Config& c) -> OptionField { return &c.wiki.language; }},
    {{"wiki.license", "Licence of the wiki's texts as an SPDX name, for the dataset card; empty: unknown."},
     [](Config& c) -> OptionField { return &c.wiki.license; }},

    {{"ingest.slots", "Batches in memory at once; peak memory is about 40 MB and 12 times slots x batch_bytes.", 1, 256,
      "", false},
     [](Config& c) -> OptionField { return &c.ingest.slots; }},
    {{"ingest.batch_bytes", "Bytes of XML handed to a worker at once.", 4096, 64.0 * 1024 * 1024, "", false},
     [](Config& c) -> OptionField { return &c.ingest.batch_bytes; }},
    {{"ingest.max_page_bytes", "Pages whose newest revision is larger (bytes of XML) are left out and counted.", 65536,
      2 * kGiB},
     [](Config& c) -> OptionField { return &c.ingest.max_page_bytes; }},
    {{"ingest.templates",
      "What becomes of templates: rendered by rule, expanded from the dump's own template pages (a second pass over "
      "the dump; modules are not run, their calls go by rule), or dropped.",
      0, 0, "rules|expand|drop"},
     [](Config& c) -> OptionField { return &c.ingest.templates; }},
    {{"ingest.template_rules",
      "Files with more template rules (TOML), read after the built-in ones; a later rule wins."},
     [](Config& c) -> OptionField { return &c.ingest.template_rules; }},
    {{"ingest.now",
      "Date that ages, {{#time:}} and {{CURRENTYEAR}} are counted to, such as 2026-05-31; empty: the date in the first "
      "dump's file name. Without either they are not shown."},
     [](Config& c) -> OptionField { return &c.ingest.now; }},
    {{"ingest.disambiguation_templates",
      "Templates that mark disambiguation pages; empty: those known for the language."},
     [](Config& c) -> OptionField { return &c.ingest.disambiguation_templates; }},
    {{"ingest.max_reject_ratio", "Share of pages that may be unusable before ingest fails.", 0, 1, "", false},
     [](Config& c) -> OptionField { return &c.ingest.max_reject_ratio; }},
    {{"ingest.checksum",
      "A page whose text does not match the SHA-1 that the dump gives: fail once all is read, or warn. With warn the "
      "page is kept as it is.",
      0, 0, "fail|warn", false},
     [](Config& c) -> OptionField { return &c.ingest.checksum; }},
    {{"ingest.use_lbzip2", "Decompress .bz2 with the lbzip2 program where it is installed.", 0, 0, "", false},
     [](Config& c) -> OptionField { return &c.ingest.use_lbzip2; }},

    {{"link.sort_memory_bytes", "Memory for sorting links; what does not fit is spilled to the work directory.",
      1 << 20, 256 * kGiB, "", false},
     [](Config& c) -> OptionField { return &c.link.sort_memory_bytes; }},

    {{"groups.sources",
      "Where members stand on a list page: \"table\" (columns whose header matches), \"list-item\" (first link of "
      "bulleted and numbered items, one group a section)."},
     [](Config& c) -> OptionField { return &c.groups.sources; }},
    {{"groups.list_prefixes",
      "How titles of list pages start, e.g. \"List of\", or end, e.g. \"*saroksts\"; empty: those known for the "
      "language."},
     [](Config& c) -> OptionField { return &c.groups.list_prefixes; }},
    {{"groups.header", "Regular expression (case-insensitive) that a column's header must contain."},
     [](Config& c) -> OptionField { return &c.groups.header; }},
    {{"groups.mode",
      "strict: a cell that is empty or without an article discards its column; lenient: the cell is dropped.", 0, 0,
      "strict|lenient"},
     [](Config& c) -> OptionField { return &c.groups.mode; }},
    {{"groups.min_members", "Lenient: columns with fewer distinct members are discarded.", 1, 1e6},
     [](Config& c) -> OptionField { return &c.groups.min_members; }},
    {{"groups.min_resolved_ratio",
      "Lenient: share of a column's non-empty cells that must lead to an article of the wiki.", 0, 1},
     [](Config& c) -> OptionField { return &c.groups.min_resolved_ratio; }},
    {{"groups.max_backlinks", "A column with a member that more articles than this refer to is discarded.", 1, 1e9},
     [](Config& c) -> OptionField { return &c.groups.max_backlinks; }},

    {{"passages.scope", "Which part of an article is in the corpus: its lead section or all of it.", 0, 0, "lead|all"},
     [](Config& c) -> OptionField { return &c.passages.scope; }},
    {{"passages.granularity",
      "What one passage is: a section (with scope lead: the lead), a paragraph, or a snippet of whole sentences.", 0, 0,
      "section|paragraph|snippet"},
     [](Config& c) -> OptionField { return &c.passages.granularity; }},
    {{"passages.max_words", "Snippets: most words in one.", 10, 10000},
     [](Config& c) -> OptionField { return &c.passages.max_words; }},
    {{"passages.include_lists", "List items are text of a passage, like paragraphs."},
     [](Config& c) -> OptionField { return &c.passages.include_lists; }},

    {{"candidates.own_article", "A member's own passages are candidates."},
     [](Config& c) -> OptionField { return &c.candidates.own_article; }},
    {{"candidates.max_per_member", "Keep at most this many candidates of a member, by docid; 0: all.", 0, 1e9},
     [](Config& c) -> OptionField { return &c.candidates.max_per_member; }},

    {{"judge.kind",
      "Who judges: lexical is embedded, needs nothing and is a baseline; openai is any server with OpenAI's chat "
      "completions (hosted, vLLM, llama.cpp, Ollama, SGLang); batch-... sends the same requests as batch jobs.",
      0, 0, "lexical|openai|anthropic|batch-openai|batch-anthropic"},
     [](Config& c) -> OptionField { return &c.judge.kind; }},
    {{"judge.threshold", "Lexical judge: probability from which a passage is evidence.", 0, 1},
     [](Config& c) -> OptionField { return &c.judge.threshold; }},
    {{"judge.gold",
      "TSV file of gold labels (docs/gold.md): build and judge then print the judge's precision and recall against it.",
      0, 0, "", false},
     [](Config& c) -> OptionField { return &c.judge.gold; }},

    {{"judge.name", "Name of the judge in judgments and reports; empty: the model's.", 0, 0, "", false, true},
     [](Config& c) -> OptionField { return &c.judge.name; }},
    {{"judge.base_url",
      "Address of the server up to its version, such as http://127.0.0.1:8080/v1; \"/chat/completions\" or "
      "\"/messages\" is added.",
      0, 0, "", false, true},
     [](Config& c) -> OptionField { return &c.judge.base_url; }},
    {{"judge.endpoints",
      "More servers of the same model, each \"URL\" or \"URL WEIGHT\"; requests are shared out by weight (base_url has "
      "1) and fail over.",
      0, 0, "", false, true},
     [](Config& c) -> OptionField { return &c.judge.endpoints; }},
    {{"judge.model", "Name of the model as the server knows it.", 0, 0, "", false, true},
     [](Config& c) -> OptionField { return &c.judge.model; }},
    {{"judge.key_env",
      "Environment variable that holds the server's key; empty: none is sent. The key itself never stands in a config.",
      0, 0, "", false, true},
     [](Config& c) -> OptionField { return &c.judge.key_env; }},
    {{"judge.key_file", "File that holds the server's key, instead of judge.key_env.", 0, 0, "", false, true},
     [](Config& c) -> OptionField { return &c.judge.key_file; }},
    {{"judge.prompt",
      "What to ask: evidence-binary, evidence-graded, evidence-spans, or a prompt file (docs/judging.md).", 0, 0, "",
      false, true},
     [](Config& c) -> OptionField { return &c.judge.prompt; }},
    {{"judge.temperature", "Sampling temperature; below 0: not sent, for models that refuse it.", -1, 2, "", false,
      true},
     [](Config& c) -> OptionField { return &c.judge.temperature; }},
    {{"judge.max_tokens", "Most tokens of a reply. Reasoning models need room for their thoughts.", 1, 1e6, "", false,
      true},
     [](Config& c) -> OptionField { return &c.judge.max_tokens; }},
    {{"judge.max_tokens_name", "How the server calls that limit: newer hosted models want max_completion_tokens.", 0, 0,
      "max_tokens|max_completion_tokens", false, true},
     [](Config& c) -> OptionField { return &c.judge.max_tokens_name; }},
    {{"judge.seed", "Seed of the server's sampling; -1: not sent.", -1, 9e15, "", false, true},
     [](Config& c) -> OptionField { return &c.judge.seed; }},
    {{"judge.logprobs", "Ask for token log-probabilities, for the probability of evidence.", 0, 0, "", false, true},
     [](Config& c) -> OptionField { return &c.judge.logprobs; }},
    {{"judge.structure",
      "How the server is held to the form of an answer: json_schema, vLLM's structured_outputs, or by the prompt "
      "alone.",
      0, 0, "json_schema|vllm|none", false, true},
     [](Config& c) -> OptionField { return &c.judge.structure; }},
    {{"judge.samples",
      "How often each question is asked; with more than 1 the grade is the samples' vote and the probability the share "
      "of yes. Wants judge.temperature above 0.",
      1, 100, "", false, true},
     [](Config& c) -> OptionField { return &c.judge.samples; }},
    {{"judge.vote", "How several samples or judges become one grade.", 0, 0, "majority", false, true},
     [](Config& c) -> OptionField { return &c.judge.vote; }},
    {{"judge.tie", "Which grade wins when several have as many votes: lowest, highest, or none (not judged).", 0, 0,
      "lowest|highest|none", false, true},
     [](Config& c) -> OptionField { return &c.judge.tie; }},
    {{"judge.cascade",
      "With several [[judges]]: ask the first of everything, the others only where its probability lies in the band.",
      0, 0, "", false, true},
     [](Config& c) -> OptionField { return &c.judge.cascade; }},
    {{"judge.band_low", "Cascade: below this probability the first judge's answer stands.", 0, 1, "", false, true},
     [](Config& c) -> OptionField { return &c.judge.band_low; }},
    {{"judge.band_high", "Cascade: above this probability the first judge's answer stands.", 0, 1, "", false, true},
     [](Config& c) -> OptionField { return &c.judge.band_high; }},
    {{"judge.probe", "Try at the start what the server can do, by one small request; its reply is kept like any other.",
      0, 0, "", false, true},
     [](Config& c) -> OptionField { return &c.judge.probe; }},
    {{"judge.warm_up",
      "Send one request of a topic ahead of the others, so that they find its beginning in the server's prompt cache: "
      "auto does so where cached tokens are cheaper and the beginning is long enough.",
      0, 0, "auto|always|never", false, true},
     [](Config& c) -> OptionField { return &c.judge.warm_up; }},
    {{"judge.in_flight", "Most requests in flight at once.", 1, 100000, "", false, true},
     [](Config& c) -> OptionField { return &c.judge.in_flight; }},
    {{"judge.requests_per_minute", "Most requests in any minute; 0: as many as the server takes.", 0, 1e9, "", false,
      true},
     [](Config& c) -> OptionField { return &c.judge.requests_per_minute; }},
    {{"judge.tokens_per_minute", "Most tokens in any minute, counted ahead; 0: as many as the server takes.", 0, 1e12,
      "", false, true},
     [](Config& c) -> OptionField { return &c.judge.tokens_per_minute; }},
    {{"judge.max_attempts", "Attempts of one request before it counts as failed.", 1, 1000, "", false, true},
     [](Config& c) -> OptionField { return &c.judge.max_attempts; }},
    {{"judge.timeout_s", "Seconds for one attempt.", 1, 86400, "", false, true},
     [](Config& c) -> OptionField { return &c.judge.timeout_s; }},
    {{"judge.patience_s", "Seconds for one request, from its first attempt to its last.", 1, 604800, "", false, true},
     [](Config& c) -> OptionField { return &c.judge.patience_s; }},
    {{"judge.proxy", "Address of an HTTP proxy, without user and password; empty: as the environment says.", 0, 0, "",
      false, true},
     [](Config& c) -> OptionField { return &c.judge.proxy; }},
    {{"judge.ca_file", "PEM file of trusted certificates; empty: the system's.", 0, 0, "", false, true},
     [](Config& c) -> OptionField { return &c.judge.ca_file; }},
    {{"judge.price_prompt", "US dollars for a million prompt tokens; 0: unknown or free.", 0, 1e6, "", false, true},
     [](Config& c) -> OptionField { return &c.judge.price_prompt; }},
    {{"judge.price_cached", "US dollars for a million prompt tokens read from the server's cache; -1: as price_prompt.",
      -1, 1e6, "", false, true},
     [](Config& c) -> OptionField { return &c.judge.price_cached; }},
    {{"judge.price_cache_write",
      "US dollars for a million prompt tokens written to the server's cache; -1: as price_prompt.", -1, 1e6, "", false,
      true},
     [](Config& c) -> OptionField { return &c.judge.price_cache_write; }},
    {{"judge.price_reply", "US dollars for a million tokens of replies.", 0, 1e6, "", false, true},
     [](Config& c) -> OptionField { return &c.judge.price_reply; }},
    {{"judge.price_batch_factor", "What batch jobs cost, as a share of these prices.", 0, 1, "", false, true},
     [](Config& c) -> OptionField { return &c.judge.price_batch_factor; }},
    {{"judge.max_cost", "Stop before a run costs more than this many US dollars; 0: no cap. Short: --max-cost.", 0, 1e9,
      "", false, true},
     [](Config& c) -> OptionField { return &c.judge.max_cost; }},
    {{"judge.max_calls", "Stop before a run sends more requests than this; 0: no cap. Short: --max-calls.", 0, 1e12, "",
      false, true},
     [](Config& c) -> OptionField { return &c.judge.max_calls; }},
    {{"judge.max_total_tokens",
      "Stop before a run takes more tokens than this, prompts and replies; 0: no cap. Short: --max-tokens.", 0, 1e15,
      "", false, true},
     [](Config& c) -> OptionField { return &c.judge.max_total_tokens; }},
    {{"judge.batch_submit", "Batch: send the files and wait for the results; false: only write them (WORK/batches).", 0,
      0, "", false, true},
     [](Config& c) -> OptionField { return &c.judge.batch_submit; }},
    {{"judge.batch_requests", "Batch: most requests in one file.", 1, 100000, "", false, true},
     [](Config& c) -> OptionField { return &c.judge.batch_requests; }},
    {{"judge.batch_bytes", "Batch: most bytes of one file.", 1000, 256000000, "", false, true},
     [](Config& c) -> OptionField { return &c.judge.batch_bytes; }},
    {{"judge.batch_poll_s", "Batch: seconds between two looks at a job.", 1, 86400, "", false, true},
     [](Config& c) -> OptionField { return &c.judge.batch_poll_s; }},
    {{"judges",
      "Several judges: one [[judges]] table each, with keys of [judge] over its values. They vote, or form a cascade.",
      0, 0, "", false, true},
     [](Config& c) -> OptionField { return &c.judges; }},

    {{"phrase.source", "Who words the queries: a template, or the judge's model.", 0, 0, "template|judge"},
     [](Config& c) -> OptionField { return &c.phrase.source; }},
    {{"phrase.prompt", "Prompt for the judge's model: query, or a prompt file.", 0, 0, "", false, true},
     [](Config& c) -> OptionField { return &c.phrase.prompt; }},

    {{"topics.min_evidence", "Topics with fewer evidence passages are discarded.", 0, 1e6},
     [](Config& c) -> OptionField { return &c.topics.min_evidence; }},

    {{"export.name", "Name of the collection; empty: made from the wiki's name and the day of its newest revision."},
     [](Config& c) -> OptionField { return &c.exporting.name; }},
};

}  // namespace

std::span<const OptionRow> option_rows() {
  static const std::vector<OptionRow> rows = [] {
    std::vector<OptionRow> all;
    for (const auto& entry : kEntries) all.push_back(entry.row);
    return all;
  }();
  return rows;
}

OptionSet bind_options(Config& config) {
  std::vector<OptionField> fields;
  for (const auto& entry : kEntries) fields.push_back(entry.field(config));
  return OptionSet(option_rows(), std::move(fields));
}

JudgeConfig read_judge_table(const JudgeConfig& base, std::string_view table, const std::string& where) {
  constexpr std::string_view kPrefix = "judge.";
  Config config;
  config.judge = base;
  std::vector<OptionField> fields;
  const auto rows = option_rows();
  std::size_t first = rows.size();
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (!rows[i].key.starts_with(kPrefix)) continue;
    first = std::min(first, i);
    fields.push_back(kEntries[i].field(config));
  }
  const auto count = fields.size();
  OptionSet options(rows.subspan(first, count), std::move(fields));
  options.read_text("[judge]\n" + std::string(table), where);
  options.throw_if_problems();
  return config.judge;
}

void check_combinations(const Config& config, OptionSet& options) {
  for (const char c : config.wiki.name) {
    if (!(std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-' || c == '.')) {
      options.add_problem("wiki.name is \"" + config.wiki.name +
                          "\", but may hold only letters, digits, '_', '-' and '.': it is part of docids");
      break;
    }
  }
  std::vector<std::string> files = config.ingest.template_rules;
  if (!config.judge.gold.empty()) files.push_back(config.judge.gold);
  for (const auto& file : files) {
    if (!std::filesystem::exists(file))
      options.add_problem(file + ": no such file; name it from the folder the command runs in");
  }
  if (!config.ingest.now.empty() && !extractors::read_fixed_moment(config.ingest.now))
    options.add_problem("ingest.now is \"" + config.ingest.now + "\", which is no date; write it as 2026-05-31");
  for (const auto& source : config.groups.sources) {
    if (source != "table" && source != "list-item") {
      options.add_problem("groups.sources holds \"" + source + "\", but may hold only \"table\" and \"list-item\"");
    }
  }
  if (config.groups.sources.empty())
    options.add_problem("groups.sources is empty: name \"table\", \"list-item\" or both");
  for (auto& problem : judging::stage::panel_problems(config)) options.add_problem(std::move(problem));
  UErrorCode status = U_ZERO_ERROR;
  const icu::RegexPattern* const pattern =
      icu::RegexPattern::compile(icu::UnicodeString::fromUTF8(config.groups.header), UREGEX_CASE_INSENSITIVE, status);
  if (U_FAILURE(status))
    options.add_problem("groups.header is \"" + config.groups.header + "\", which is no regular expression");
  delete pattern;
}

}  // namespace touchstone::pipeline
