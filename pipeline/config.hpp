#pragma once

#include "common/options.hpp"

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace touchstone::pipeline {

// One struct per stage; the defaults stand here, the description of each field in config.cpp's option table, from which
// the parser, `config --show` and docs/config.md are made.

struct WikiConfig {
  std::string name;
  std::string language;
  std::string license;
};

struct IngestConfig {
  std::int64_t slots = 8;
  std::int64_t batch_bytes = 1 << 20;
  std::int64_t max_page_bytes = 256 << 20;
  std::string templates = "rules";
  std::vector<std::string> template_rules;
  std::vector<std::string> disambiguation_templates;
  std::string now;
  double max_reject_ratio = 0.01;
  std::string checksum = "fail";
  bool use_lbzip2 = true;
};

struct LinkConfig {
  std::int64_t sort_memory_bytes = 128 << 20;
};

struct GroupsConfig {
  std::vector<std::string> sources = {"table"};
  std::vector<std::string> list_prefixes;
  std::string header = "name";
  std::string mode = "lenient";
  std::int64_t min_members = 3;
  double min_resolved_ratio = 0.5;
  std::int64_t max_backlinks = 10'000;
};

struct PassagesConfig {
  std::string scope = "lead";
  std::string granularity = "section";
  std::int64_t max_words = 130;
  bool include_lists = true;
};

struct CandidatesConfig {
  bool own_article = true;
  std::int64_t max_per_member = 0;
};

struct JudgeConfig {
  std::string kind = "lexical";
  double threshold = 0.5;
  std::string gold;

  std::string name;
  std::string base_url;
  std::vector<std::string> endpoints;
  std::string model;
  std::string key_env;
  std::string key_file;
  std::string prompt = "evidence-binary";
  double temperature = 0;
  std::int64_t max_tokens = 256;
  std::string max_tokens_name = "max_tokens";
  std::int64_t seed = -1;
  bool logprobs = true;
  std::string structure = "json_schema";
  std::int64_t samples = 1;

  std::string vote = "majority";
  std::string tie = "lowest";
  bool cascade = false;
  double band_low = 0.2;
  double band_high = 0.8;

  bool probe = true;
  std::string warm_up = "auto";
  std::int64_t in_flight = 64;
  std::int64_t requests_per_minute = 0;
  std::int64_t tokens_per_minute = 0;
  std::int64_t max_attempts = 8;
  std::int64_t timeout_s = 300;
  std::int64_t patience_s = 900;
  std::string proxy;
  std::string ca_file;

  double price_prompt = 0;
  double price_cached = -1;
  double price_cache_write = -1;
  double price_reply = 0;
  double price_batch_factor = 0.5;

  double max_cost = 0;
  std::int64_t max_calls = 0;
  std::int64_t max_total_tokens = 0;

  bool batch_submit = true;
  std::int64_t batch_requests = 50'000;
  std::int64_t batch_bytes = 190'000'000;
  std::int64_t batch_poll_s = 60;
};

struct PhraseConfig {
  std::string source = "template";
  std::string prompt = "query";
};

struct TopicsConfig {
  std::int64_t min_evidence = 5;
};

struct ExportConfig {
  std::string name;
};

/// All settings of a run.
struct Config {
  WikiConfig wiki;
  IngestConfig ingest;
  LinkConfig link;
  GroupsConfig groups;
  PassagesConfig passages;
  CandidatesConfig candidates;
  JudgeConfig judge;
  std::vector<std::string> judges;  ///< TOML of each `[[judges]]` table; judge_panel.hpp reads them
  PhraseConfig phrase;
  TopicsConfig topics;
  ExportConfig exporting;
};

/// The table of all options.
std::span<const OptionRow> option_rows();

/// Binds the table to `config`, which must outlive the result.
OptionSet bind_options(Config& config);

/// `base` with the keys of one `[[judges]]` table over it; throws ConfigError with all that is wrong with them.
JudgeConfig read_judge_table(const JudgeConfig& base, std::string_view table, const std::string& where);

/// Checks combinations that no single range can; adds what it finds to `options`.
void check_combinations(const Config& config, OptionSet& options);

}  // namespace touchstone::pipeline
