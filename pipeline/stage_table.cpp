#include "common/digest.hpp"
#include "common/error.hpp"
#include "common/files.hpp"
#include "extractors/template_rules.hpp"
#include "pipeline/judging/lexical/lexical_scorer.hpp"
#include "pipeline/judging/stage/panel_config.hpp"
#include "pipeline/stage.hpp"

#include <array>

namespace touchstone::pipeline {
namespace {

using storage::Family;
using Names = std::string_view;

constexpr std::array<Family, 7> kIngestFamilies = {Family::kPage,  Family::kTitle, Family::kOutline, Family::kParagraph,
                                                   Family::kTable, Family::kLink,  Family::kTemplate};
constexpr std::array<Family, 2> kLinkFamilies = {Family::kBacklink, Family::kAlias};

constexpr std::array<Names, 2> kIngestOptions = {"ingest.", "wiki.language"};
constexpr std::array<Names, 2> kGroupsOptions = {"groups.", "wiki.language"};
constexpr std::array<Names, 3> kCandidatesOptions = {"candidates.", "passages.", "wiki.name"};
constexpr std::array<Names, 1> kJudgeOptions = {"judge."};
constexpr std::array<Names, 1> kPhraseOptions = {"phrase."};
constexpr std::array<Names, 3> kExportAllOptions = {"topics.", "export.", "wiki."};

constexpr std::array<Names, 1> kNeedsIngest = {"ingest"};
constexpr std::array<Names, 1> kNeedsLink = {"link"};
constexpr std::array<Names, 1> kNeedsGroups = {"groups"};
constexpr std::array<Names, 1> kNeedsCandidates = {"candidates"};
constexpr std::array<Names, 2> kNeedsJudgeAndPhrase = {"judge", "phrase"};
constexpr std::array<Names, 1> kNeedsExport = {"export"};

constexpr std::array<Names, 1> kGroupsFiles = {"stages/groups.jsonl"};
constexpr std::array<Names, 1> kCandidatesFiles = {"stages/candidates.jsonl"};
constexpr std::array<Names, 3> kJudgeFiles = {"stages/judgments.jsonl", "stages/unjudged.jsonl", "stages/judging.json"};
constexpr std::array<Names, 1> kPhraseFiles = {"stages/queries.jsonl"};
constexpr std::array<Names, 3> kExportFiles = {"collection/manifest.json", "collection/qrels.txt",
                                               "collection/sha256sums.txt"};
constexpr std::array<Names, 1> kReportFiles = {"report.html"};

/// Digest of the files that an option names; a missing one is reported when the stage runs.
std::string files_digest(const std::vector<std::string>& files) {
  Sha256 digest;
  for (const auto& file : files) digest.update_field(std::filesystem::exists(file) ? sha256_file(file) : "missing");
  return digest.hex();
}

std::string ingest_extra(const Config& config) {
  return extractors::TemplateRules::built_in_digest() + files_digest(config.ingest.template_rules);
}
std::string judge_extra(const Config& config) {
  return judging::lexical::LexicalScorer::version() + judging::stage::describe_panel(config).fingerprint();
}
std::string phrase_extra(const Config& config) {
  return config.phrase.source == "judge" ? judging::stage::phrasing_model(config).model.fingerprint() : std::string();
}

const StageInfo kStages[] = {
    {"ingest",
     "Read the dump: titles, outlines, paragraphs with links, tables",
     3,
     {},
     kIngestOptions,
     kIngestFamilies,
     {},
     "MB",
     "pages",
     ingest_extra,
     make_ingest_stage},
    {"link",
     "Resolve titles and redirects, invert links",
     1,
     kNeedsIngest,
     {},
     kLinkFamilies,
     {},
     "pages",
     "links",
     nullptr,
     make_link_stage},
    {"groups",
     "Find list tables and the members of their columns",
     1,
     kNeedsLink,
     kGroupsOptions,
     {},
     kGroupsFiles,
     "pages",
     "columns",
     nullptr,
     make_groups_stage},
    {"candidates",
     "Gather passages that link to each member",
     1,
     kNeedsGroups,
     kCandidatesOptions,
     {},
     kCandidatesFiles,
     "topics",
     "candidates",
     nullptr,
     make_candidates_stage},
    {"judge",
     "Judge every (topic, member, passage)",
     2,
     kNeedsCandidates,
     kJudgeOptions,
     {},
     kJudgeFiles,
     "judgments",
     "judgments",
     judge_extra,
     make_judge_stage},
    {"phrase",
     "Word each topic as a search user would",
     1,
     kNeedsGroups,
     kPhraseOptions,
     {},
     kPhraseFiles,
     "topics",
     "queries",
     phrase_extra,
     make_phrase_stage},
    {"export",
     "Write the collection directory",
     1,
     kNeedsJudgeAndPhrase,
     kExportAllOptions,
     {},
     kExportFiles,
     "passages",
     "passages",
     nullptr,
     make_export_stage},
    {"report",
     "Write report.html",
     1,
     kNeedsExport,
     {},
     {},
     kReportFiles,
     "files",
     "files",
     nullptr,
     make_report_stage},
};

}  // namespace

std::span<const StageInfo> stage_table() {
  return kStages;
}

const StageInfo* find_stage(std::string_view name) {
  for (const auto& stage : kStages) {
    if (stage.name == name) return &stage;
  }
  return nullptr;
}

void StageReport::reject(const std::string& reason, std::string sample, std::uint64_t count) {
  rejected[reason] += count;
  auto& kept = samples[reason];
  if (kept.size() < kSamplesPerReason) kept.push_back(std::move(sample));
}

}  // namespace touchstone::pipeline
