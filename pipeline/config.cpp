#include "pipeline/config.hpp"

#include "extractors/wikitext_parser.hpp"

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

    {{"judge.kind", "Who judges: lexical is embedded, needs nothing and is a baseline.", 0, 0, "lexical"},
     [](Config& c) -> OptionField { return &c.judge.kind; }},
    {{"judge.threshold", "Lexical judge: probability from which a passage is evidence.", 0, 1},
     [](Config& c) -> OptionField { return &c.judge.threshold; }},
    {{"judge.gold",
      "TSV file of gold labels (docs/gold.md): build and judge then print the judge's precision and recall against it.",
      0, 0, "", false},
     [](Config& c) -> OptionField { return &c.judge.gold; }},

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
  UErrorCode status = U_ZERO_ERROR;
  const icu::RegexPattern* const pattern =
      icu::RegexPattern::compile(icu::UnicodeString::fromUTF8(config.groups.header), UREGEX_CASE_INSENSITIVE, status);
  if (U_FAILURE(status))
    options.add_problem("groups.header is \"" + config.groups.header + "\", which is no regular expression");
  delete pattern;
}

}  // namespace touchstone::pipeline
