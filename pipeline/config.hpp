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
  TopicsConfig topics;
  ExportConfig exporting;
};

/// The table of all options.
std::span<const OptionRow> option_rows();

/// Binds the table to `config`, which must outlive the result.
OptionSet bind_options(Config& config);

/// Checks combinations that no single range can; adds what it finds to `options`.
void check_combinations(const Config& config, OptionSet& options);

}  // namespace touchstone::pipeline
