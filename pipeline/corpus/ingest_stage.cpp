#include "common/digest.hpp"
#include "common/error.hpp"
#include "common/unicode.hpp"
#include "extractors/site/language_data.hpp"
#include "extractors/wikitext/template_rules.hpp"
#include "pipeline/corpus/ingest.hpp"
#include "pipeline/corpus/ingest_options.hpp"
#include "pipeline/corpus/page_files.hpp"
#include "pipeline/corpus/stages.hpp"
#include "pipeline/corpus/wiki_options.hpp"
#include "storage/meta_keys.hpp"

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

namespace touchstone::pipeline::corpus {
namespace {

using flow::StageContext;
using flow::StageReport;
using storage::Family;

class IngestStage : public flow::Stage {
 public:
  StageReport run(StageContext& context) override {
    const auto& sources = context.sources();
    if (sources.empty()) {
      throw ConfigError(
          "ingest needs a dump: --dump FILE (MediaWiki XML: plain, .bz2, .gz, .zst, .xz or .7z), or --pages FILE (JSON "
          "lines)");
    }
    const auto& kind = page_file_kind(sources.front().kind);
    const bool mixed =
        std::any_of(sources.begin(), sources.end(), [&](const auto& source) { return source.kind != kind.name; });
    if (mixed) throw ConfigError("one work directory holds pages of one kind of source: give --dump or --pages");
    const auto& options = context.options<IngestOptions>();
    const auto files =
        kind.make({sources, options, context.options<LanguageOptions>().language, context.threads, &context.stop});
    IngestLimits limits;
    limits.slots = static_cast<std::size_t>(options.slots);
    limits.threads = context.threads;
    limits.max_reject_ratio = options.max_reject_ratio;
    limits.accept_wrong_checksums = options.checksum == ChecksumPolicy::kWarn;
    auto report = ingest(*files, limits, context.store, context.stop, context.progress);
    const auto& language = context.options<LanguageOptions>().language;
    if (!language.empty() && !extractors::site::is_known_language(lower_case(language))) {
      report.warnings.push_back("nothing is known of a language \"" + language +
                                "\", so the words of English are used; wiki.language is a code such as \"de\"");
    }
    return report;
  }
};

/// Digest of the files that an option names; a missing one is reported when the stage runs.
std::string files_digest(const std::vector<std::string>& files) {
  Sha256 digest;
  for (const auto& file : files) digest.update_field(std::filesystem::exists(file) ? sha256_file(file) : "missing");
  return digest.hex();
}

/// The template rules, built in and the user's.
std::string rules_fingerprint(const Settings& settings) {
  return extractors::wikitext::TemplateRules::built_in_digest() +
         files_digest(settings.get<IngestOptions>().template_rules);
}

}  // namespace

flow::StageInfo ingest_stage() {
  return {.name = "ingest",
          .summary = "Read the dump: titles, outlines, paragraphs with links, tables",
          .format_version = 12,
          .inputs = {flow::sources()},
          .outputs = {flow::family(Family::kPage), flow::family(Family::kTitle), flow::family(Family::kOutline),
                      flow::family(Family::kParagraph), flow::family(Family::kTable), flow::family(Family::kLink),
                      flow::family(Family::kAttribute), flow::family(Family::kTemplate), flow::meta(storage::kMetaSite),
                      flow::meta(storage::kMetaSources), flow::meta(storage::kMetaNewestTimestamp),
                      flow::meta(storage::kMetaIngestProgress)},
          .options = {flow::reads<LanguageOptions>(), flow::reads<IngestOptions>()},
          .progress_unit = "MB",
          .progress_records = "pages",
          .make = flow::make_stage<IngestStage>,
          .extra_fingerprint = rules_fingerprint,
          .resume_key = storage::kMetaIngestProgress};
}

}  // namespace touchstone::pipeline::corpus
