#include "common/digest.hpp"
#include "common/error.hpp"
#include "common/log.hpp"
#include "common/scratch_folder.hpp"
#include "common/unicode.hpp"
#include "extractors/site/language_data.hpp"
#include "extractors/wikitext/wikitext_parser.hpp"
#include "pipeline/corpus/included_pages.hpp"
#include "pipeline/corpus/ingest.hpp"
#include "pipeline/corpus/ingest_options.hpp"
#include "pipeline/corpus/page_files.hpp"
#include "pipeline/corpus/previous_work.hpp"
#include "pipeline/corpus/stages.hpp"
#include "pipeline/corpus/wiki_options.hpp"
#include "storage/keys.hpp"
#include "storage/meta_keys.hpp"
#include "storage/records.hpp"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace touchstone::pipeline::corpus {
namespace {

using flow::ReadContext;
using flow::StageReport;
using flow::WriteContext;
using storage::Family;

/// The files of the run. Throws ConfigError if there are none, or not of one kind.
std::unique_ptr<PageFiles> files_of(const ReadContext& context) {
  const auto& sources = context.sources();
  if (sources.empty()) {
    throw ConfigError(
        "ingest needs a dump: --dump FILE (MediaWiki XML: plain, .bz2, .gz, .zst, .xz or .7z), or --pages PATH (a "
        "book, a folder of HTML or Markdown, or JSON lines)");
  }
  const auto& kind = page_file_kind(sources.front().kind);
  const bool mixed =
      std::any_of(sources.begin(), sources.end(), [&](const auto& source) { return source.kind != kind.name; });
  if (mixed) throw ConfigError("one work directory holds pages of one kind of source: give --dump or --pages");
  return kind.make({sources, context.options<IngestOptions>(), context.options<LanguageOptions>().language,
                    context.threads, &context.stop});
}

/// Whether the first file can be looked at before it is read: a pipe cannot.
bool can_be_read_twice(const std::vector<flow::SourceInput>& sources) {
  return !sources.empty() && (std::filesystem::is_regular_file(sources.front().path) ||
                              std::filesystem::is_directory(sources.front().path));
}

IngestWork work_of(const ReadContext& context, const PageFiles& files) {
  return {files,
          context.options<IngestOptions>(),
          context.options<LanguageOptions>(),
          context.options<PreviousOptions>(),
          context.stop,
          context.progress,
          context.threads};
}

/// Cuts the files into as many groups of neighbours of about the same size as there are shards, and never within a
/// file, which is a stream. Where files number no pages, the next one goes on counting, so that all are one cut. All
/// threads turn batches of a file into records.
class IngestStage : public flow::Stage {
 public:
  void prepare(WriteContext& context) override {
    const auto files = files_of(context);
    if (can_be_read_twice(context.sources())) note_site(*files, context.store);
    collect_included_pages(work_of(context, *files), context.store);
  }

  flow::Cuts plan(const ReadContext& context) override {
    const auto files = files_of(context);
    if (context.shards == 1 || !files->can_be_cut()) return {{0, files->count()}};
    std::uint64_t total = 0;
    for (std::size_t file = 0; file < files->count(); ++file) total += files->bytes(file);
    flow::Cuts cuts;
    std::uint64_t before = 0;
    for (std::size_t file = 0, first = 0; file < files->count(); ++file) {
      before += files->bytes(file);
      // A cut ends where its share of all bytes is reached.
      const bool is_full = before > 0 && before * context.shards >= total * (cuts.size() + 1);
      if (!is_full && file + 1 < files->count()) continue;
      cuts.push_back({first, file + 1});
      first = file + 1;
    }
    return cuts;
  }

  void map(const ReadContext& context, const flow::Cut& cut, const flow::PartWriter& parts) const override {
    const auto files = files_of(context);
    read_pages(work_of(context, *files), {cut.first, cut.end}, context.store, parts);
  }

  StageReport merge(WriteContext& context, const flow::Parts& parts) override {
    const auto files = files_of(context);
    std::vector<FileRange> cuts;
    for (const auto& cut : plan(context)) cuts.push_back({cut.first, cut.end});
    auto report = add(work_of(context, *files), cuts, parts, context);
    const auto& language = context.options<LanguageOptions>().language;
    if (!language.empty() && !extractors::site::is_known_language(lower_case(language))) {
      report.warnings.push_back("nothing is known of the language \"" + language +
                                "\", so the words of English are used; wiki.language is a code such as \"de\"");
    }
    return report;
  }

 private:
  static StageReport add(const IngestWork& work, const std::vector<FileRange>& cuts, const flow::Parts& parts,
                         WriteContext& context) {
    if (!have_overlapping_pages(cuts, parts)) return add_pages(work, cuts, parts, context.store);
    log_line(LogLevel::kWarn,
             "ingest: the files hold pages with numbers between those of others, so that copies of a page may be among "
             "them; they are read again, one after the other");
    const auto folder = ScratchFolder::at(context.scratch() / "ingest-");
    const std::vector<FileRange> all{{0, work.files.count()}};
    read_pages(work, all.front(), context.store, flow::PartWriter(folder.path(), 0));
    return add_pages(work, all, flow::Parts({folder.path()}), context.store);
  }
};

/// Without this, what a book gave before another program was installed would count as done.
std::string reader_of_source(const flow::SourceInput& source) {
  const auto reader = page_file_kind(source.kind).other_reader;
  return reader == nullptr || source.path == "-" ? std::string() : reader(source.path);
}

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

/// The newest revision among the pages of a batch that the store holds too, in the batch and in the store. Empty if
/// there is no such page, or the source knows no times.
std::pair<std::string, std::string> newest_of_both(const extractors::SourceBatch& batch, const storage::Store& store) {
  std::pair<std::string, std::string> newest;
  std::string value;
  for (const auto& page : batch.pages) {
    if (page.head.timestamp.empty() || !store.get(Family::kPage, storage::page_key(page.head.id), value)) continue;
    const auto stored = storage::decode_page(value);
    if (stored.title != page.head.title || stored.timestamp.empty()) continue;
    newest.first = std::max(newest.first, page.head.timestamp);
    newest.second = std::max(newest.second, stored.timestamp);
  }
  return newest;
}

bool knows_any_title(const storage::Store& store, const extractors::SourceBatch& batch) {
  std::string value;
  return std::any_of(batch.pages.begin(), batch.pages.end(), [&](const auto& page) {
    return store.get(Family::kTitle, storage::title_key(page.head.title.ns, page.head.title.text), value);
  });
}

/// Throws ConfigError when the first file is of another wiki than the pages of a store, or older than they are. Both
/// show in the first batch of pages; files that name no wiki are of another one if none of its titles is known. What
/// can be read only once, such as a pipe, is not looked at. \param directory  of the store's work \param remedy ends
/// the sentence
void check_follows(const flow::WorkView& work, const storage::Store& store, const std::filesystem::path& directory,
                   const std::vector<flow::SourceInput>& sources, std::string_view remedy) {
  std::string site_json;
  if (!can_be_read_twice(sources) || !store.get(Family::kMeta, storage::kMetaSite, site_json)) return;
  const auto& language = work.settings.get<LanguageOptions>().language;
  const auto files = page_file_kind(sources.front().kind)
                         .make({sources, work.settings.get<IngestOptions>(), language, work.threads, &work.stop});
  const StoredPages included(store);
  const auto source = files->open(0, PageId{0}, included);
  const auto said = source->site_info();
  const auto now = said ? *said : files->fallback_site(source->language());
  const auto before = extractors::site::SiteInfo::from_json(site_json);
  if (now.db_name != before.db_name) {
    const auto of = [](const std::string& name) {
      return name.empty() ? "no named wiki" : "the wiki \"" + name + "\"";
    };
    throw ConfigError(fmt::format("{} holds pages of {}, and those of {} are of {}: {}", directory.string(),
                                  of(before.db_name), source->name(), of(now.db_name), remedy));
  }
  auto raw = source->next();
  if (!raw) return;
  const auto batch = source->read(std::move(*raw));
  if (!said && !batch.pages.empty() && !knows_any_title(store, batch)) {
    throw ConfigError(fmt::format("{} holds other pages, and no title at the beginning of {} is among them: {}",
                                  directory.string(), source->name(), remedy));
  }
  const auto [given, stored] = newest_of_both(batch, store);
  if (given >= stored) return;
  throw ConfigError(fmt::format(
      "{} is older than the pages that {} holds (of its first pages, the last edit is of {}, and there of {}): {}",
      source->name(), directory.string(), given, stored, remedy));
}

void check_start(const Settings& settings) {
  const auto& previous = settings.get<PreviousOptions>().work;
  if (!previous.empty()) open_previous(previous);
}

/// Throws ConfigError if the sources should not take the place of what is there, or do not follow the previous work
/// directory.
void check_sources(const flow::WorkView& work, const std::vector<flow::SourceInput>& sources, bool replace) {
  if (!replace) {
    check_follows(work, work.store, work.paths.root, sources,
                  "give it a work directory of its own, or let it take that place with --replace");
  }
  const std::filesystem::path previous = work.settings.get<PreviousOptions>().work;
  if (previous.empty()) return;
  std::error_code error;
  if (std::filesystem::equivalent(previous, work.paths.root, error))
    throw ConfigError(fmt::format("--previous {} is the work directory of this build; give each dump one of its own",
                                  previous.string()));
  check_follows(work, *open_previous(previous), previous, sources,
                "name the work directory of an earlier dump of the same wiki with --previous");
}

}  // namespace

flow::StageInfo ingest_stage() {
  return {
      .name = "ingest",
      .summary = "Read the dump: titles, outlines, paragraphs with links, tables",
      .format_version = 14,
      .inputs = {flow::sources()},
      .outputs = {flow::family(Family::kPage), flow::family(Family::kTitle), flow::family(Family::kOutline),
                  flow::family(Family::kParagraph), flow::family(Family::kTable), flow::family(Family::kLink),
                  flow::family(Family::kAttribute), flow::family(Family::kTemplate), flow::family(Family::kReading),
                  flow::meta(storage::kMetaReader), flow::meta(storage::kMetaPrevious), flow::meta(storage::kMetaSite),
                  flow::meta(storage::kMetaSources), flow::meta(storage::kMetaNewestTimestamp),
                  flow::meta(storage::kMetaIncludedProgress)},
      .options = {flow::reads<LanguageOptions>(), flow::reads<IngestOptions>(), flow::reads_in_part<PreviousOptions>()},
      .progress_unit = "MB",
      .progress_records = "pages",
      .make = flow::make_stage<IngestStage>,
      .is_cut = true,
      .prepares = true,
      .extra_fingerprint = rules_fingerprint,
      .resume_key = storage::kMetaIncludedProgress,
      .resumes_parts = true,
      .check_start = check_start,
      .check_sources = check_sources,
      .reader_of_source = reader_of_source,
      .shorthands = {{"--previous", "previous.work",
                      "Work directory of an earlier dump of this wiki: what did not change is taken over", "DIR"}}};
}

}  // namespace touchstone::pipeline::corpus
