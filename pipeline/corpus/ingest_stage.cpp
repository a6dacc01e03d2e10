#include "common/digest.hpp"
#include "common/error.hpp"
#include "common/log.hpp"
#include "common/unicode.hpp"
#include "extractors/wikitext_parser.hpp"
#include "pipeline/corpus/ingest_options.hpp"
#include "pipeline/corpus/page_records.hpp"
#include "pipeline/corpus/stages.hpp"
#include "pipeline/corpus/template_pages.hpp"
#include "pipeline/corpus/wiki_language.hpp"
#include "pipeline/corpus/wiki_options.hpp"
#include "storage/keys.hpp"
#include "storage/meta_keys.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <oneapi/tbb/parallel_pipeline.h>
#include <oneapi/tbb/task_arena.h>

namespace touchstone::pipeline::corpus {
namespace {

using flow::SourceRecord;
using flow::StageContext;
using flow::StageReport;
using storage::Durability;
using storage::Family;

const std::string kChecksumMismatch = "kept, but its text does not match its SHA-1";

/// How far an ingest came; written in the same batch as the data.
struct IngestProgress {
  bool templates_done = false;  ///< the pass that collects templates is over
  std::size_t file = 0;         ///< index of the dump being read
  std::uint64_t offset = 0;     ///< of its XML: everything before is in the store
  std::uint32_t highest_page = 0;
  std::string newest_timestamp;
  StageReport report;

  std::string encode() const {
    nlohmann::ordered_json json;
    json["templates_done"] = templates_done;
    json["file"] = file;
    json["offset"] = offset;
    json["highest_page"] = highest_page;
    json["newest_timestamp"] = newest_timestamp;
    json["counts"] = report.counts;
    json["rejected"] = report.rejected;
    json["samples"] = report.samples;
    return json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
  }
  static IngestProgress decode(const std::string& text) {
    IngestProgress progress;
    if (text.empty()) return progress;
    try {
      const auto json = nlohmann::ordered_json::parse(text);
      progress.templates_done = json.at("templates_done");
      progress.file = json.at("file");
      progress.offset = json.at("offset");
      progress.highest_page = json.at("highest_page");
      progress.newest_timestamp = json.at("newest_timestamp");
      progress.report.counts = json.at("counts").get<std::map<std::string, std::uint64_t>>();
      progress.report.rejected = json.at("rejected").get<std::map<std::string, std::uint64_t>>();
      progress.report.samples = json.at("samples").get<std::map<std::string, std::vector<std::string>>>();
    } catch (const nlohmann::ordered_json::exception&) {
      throw StorageError("the store's record of how far ingest came cannot be read; run ingest again with --force");
    }
    return progress;
  }
};

/// What one batch of the dump became.
struct ParsedBatch {
  std::vector<PageRecords> pages;
  StageReport report;  ///< this batch's counts, rejects and samples
  std::uint64_t end_offset = 0;
  std::uint64_t bytes = 0;
};

/// Reads the text of pages: the pure, parallel part of ingest.
class PageReader {
 public:
  PageReader(const extractors::SiteInfo& site, const extractors::TemplateRules& rules, const IngestOptions& config,
             const extractors::PageLoader& templates, std::optional<std::int64_t> now)
      : site_(site), rules_(rules) {
    options_.templates = config.templates;
    options_.loader = &templates;
    options_.now = now;
    for (const auto& name : config.disambiguation_templates.empty() ? disambiguation_templates(site.language)
                                                                    : config.disambiguation_templates) {
      disambiguation_.insert(lower_case(name));
    }
  }

  ParsedBatch read(extractors::PageBatch batch) const {
    ParsedBatch out;
    out.end_offset = batch.end_offset;
    out.bytes = batch.bytes.size();
    for (const auto offset : batch.too_large_offsets)
      out.report.reject(std::string(to_string(extractors::PageError::kTooLarge)), fmt::format("at byte {}", offset));
    for (const auto& extent : batch.pages) {
      const auto raw = extractors::parse_page(std::string_view(batch.bytes).substr(extent.begin, extent.size));
      if (!raw) {
        out.report.reject(std::string(to_string(raw.error())), fmt::format("at byte {}", extent.offset));
        continue;
      }
      out.pages.push_back(read_page(*raw, out.report));
    }
    return out;
  }

 private:
  PageRecords read_page(const extractors::RawPage& raw, StageReport& report) const {
    // A text that is not what the wiki saved was damaged on its way; MediaWiki's own checksum tells.
    if (!raw.sha1.empty() && raw.sha1.size() == 31 && sha1_base36(raw.text) != raw.sha1) {
      report.reject(kChecksumMismatch, fmt::format("page {} \"{}\"", raw.id.value, raw.title));
    }
    const bool wikitext = raw.model == "wikitext";
    const bool maybe_redirect = !raw.redirect_title.empty() || raw.text.starts_with('#');
    std::optional<extractors::Document> document;
    if (wikitext && (raw.ns == kNamespaceMain || maybe_redirect)) {
      const auto title = title_of(site_, raw);
      document = extractors::parse_wikitext(site_, rules_, title, raw.text, options_);
      if (raw.ns != kNamespaceMain) {
        extractors::Document redirect_only;
        redirect_only.redirect = std::move(document->redirect);
        redirect_only.redirect_fragment = std::move(document->redirect_fragment);
        redirect_only.sections.resize(1);
        const bool is_redirect = redirect_only.redirect.has_value();
        document = std::move(redirect_only);
        if (!is_redirect) document.reset();
      }
    }
    PageRecords records = make_page_records(site_, raw, document, disambiguation_);
    auto& counts = report.counts;
    ++counts["pages"];
    if (raw.ns == kNamespaceMain) ++counts["articles namespace"];
    if (records.page.is_redirect) ++counts["redirects"];
    if (records.page.is_disambiguation) ++counts["disambiguation pages"];
    if (records.page.content == storage::PageContent::kOtherModel) {
      report.reject("kept by title only: content model " + raw.model, raw.title);
    }
    counts["text bytes"] += records.text_bytes;
    counts["paragraphs"] += records.paragraphs;
    counts["tables"] += records.tables;
    counts["links"] += records.links;
    counts["templates rendered"] += records.counters.templates_rendered;
    counts["templates dropped"] += records.counters.templates_dropped;
    if (records.counters.limits_hit > 0)
      report.reject("kept, but nested or large beyond the bounds in places", raw.title);
    return records;
  }

  const extractors::SiteInfo& site_;
  const extractors::TemplateRules& rules_;
  extractors::WikitextOptions options_;
  std::unordered_set<std::string> disambiguation_;
};

/// Takes parsed batches in order and makes them durable with the place where the next run would go on.
class PageStore {
 public:
  PageStore(storage::Store& store, IngestProgress progress) : store_(store), progress_(std::move(progress)) {}

  void write(ParsedBatch&& parsed) {
    storage::Batch batch;
    std::map<std::uint32_t, std::pair<RevisionId, storage::PageRecord>> here;  // pages of this very batch
    for (auto& page : parsed.pages) {
      if (page.id.value <= progress_.highest_page && !replace(batch, page, here)) {
        parsed.report.reject("older copy of a page that is there already",
                             fmt::format("page {} \"{}\"", page.id.value, page.page.title.text));
        continue;
      }
      progress_.highest_page = std::max(progress_.highest_page, page.id.value);
      progress_.newest_timestamp = std::max(progress_.newest_timestamp, page.timestamp);
      here.insert_or_assign(page.id.value, std::pair(page.revision, page.page));
      batch.append(std::move(page.batch));
    }
    merge(parsed.report);
    progress_.offset = parsed.end_offset;
    commit(batch);
    kill_point("ingest.batch");
  }

  /// Pages to include, of the pass before the articles.
  void write(TemplateBatch&& templates) {
    progress_.offset = templates.end_offset;
    progress_.report.counts["template pages"] += templates.templates;
    commit(templates.batch);
    kill_point("ingest.templates");
  }

  void templates_done() {
    progress_.templates_done = true;
    progress_.file = 0;
    progress_.offset = 0;
    storage::Batch batch;
    commit(batch);
  }

  void next_file() {
    ++progress_.file;
    progress_.offset = 0;
    storage::Batch batch;
    commit(batch);
  }

  const IngestProgress& progress() const { return progress_; }

 private:
  /// Prepares the place of a page whose id came before. False when what is there is newer.
  bool replace(storage::Batch& batch, const PageRecords& page,
               const std::map<std::uint32_t, std::pair<RevisionId, storage::PageRecord>>& here) {
    std::optional<storage::PageRecord> old;
    if (const auto found = here.find(page.id.value); found != here.end()) {
      old = found->second.second;
    } else if (std::string bytes; store_.get(Family::kPage, storage::page_key(page.id), bytes)) {
      old = storage::decode_page(bytes);
    }
    if (!old) return true;
    if (old->revision > page.revision) return false;
    erase_page(batch, page.id, *old);
    progress_.report.counts["replaced by a newer revision"] += 1;
    return true;
  }

  void merge(const StageReport& part) {
    for (const auto& [name, count] : part.counts) progress_.report.counts[name] += count;
    for (const auto& [reason, count] : part.rejected) progress_.report.rejected[reason] += count;
    for (const auto& [reason, samples] : part.samples) {
      auto& kept = progress_.report.samples[reason];
      for (const auto& sample : samples) {
        if (kept.size() < flow::kSamplesPerReason) kept.push_back(sample);
      }
    }
  }

  void commit(storage::Batch& batch) {
    batch.put(Family::kMeta, storage::kMetaIngestProgress, progress_.encode());
    store_.write(batch, Durability::kGroup);
  }

  storage::Store& store_;
  IngestProgress progress_;
};

class IngestStage : public flow::Stage {
 public:
  StageReport run(StageContext& context) override {
    if (context.sources().empty())
      throw ConfigError("ingest needs a dump: --dump FILE (MediaWiki XML: plain, .bz2, .gz, .zst, .xz or .7z)");
    std::string saved;
    context.store.get(Family::kMeta, storage::kMetaIngestProgress, saved);
    PageStore writer(context.store, IngestProgress::decode(saved));
    if (writer.progress().offset > 0 || writer.progress().file > 0) {
      log_info("ingest: going on in file {} at byte {} of its XML", writer.progress().file + 1,
               writer.progress().offset);
    }
    std::vector<SourceRecord> dumps;
    {
      std::string recorded;
      context.store.get(Family::kMeta, storage::kMetaSources, recorded);
      dumps = flow::decode_sources(recorded);
    }
    std::vector<std::uint64_t> sizes;
    for (const auto& dump : context.sources()) {
      std::error_code error;
      const auto size = std::filesystem::file_size(dump.path, error);
      sizes.push_back(error ? 0 : size);
      context.progress.total += sizes.back();
    }
    std::uint64_t bytes_before = 0;
    if (context.options<IngestOptions>().templates == extractors::TemplateMode::kExpand &&
        !writer.progress().templates_done) {
      for (std::size_t i = 0; i < context.sources().size(); ++i) {
        if (context.sources()[i].path == "-") {
          throw ConfigError(
              "ingest.templates = \"expand\" reads the dump twice, which standard input cannot be: name a file");
        }
        if (i >= writer.progress().file) collect_templates(context, i, bytes_before, writer);
        bytes_before += sizes[i];
      }
      writer.templates_done();
      bytes_before = 0;
    }
    for (std::size_t i = 0; i < context.sources().size(); ++i) {
      if (i >= writer.progress().file) read_dump(context, i, bytes_before, writer, dumps);
      bytes_before += sizes[i];
      context.progress.done = bytes_before;
    }
    return finish(context, writer.progress());
  }

 private:
  static std::unique_ptr<extractors::DumpReader> open_dump(StageContext& context, std::size_t index) {
    const auto& config = context.options<IngestOptions>();
    extractors::ByteSourceOptions source_options;
    source_options.use_lbzip2 = config.use_lbzip2;
    source_options.decompress_threads = context.threads;
    extractors::DumpReaderOptions reader_options;
    reader_options.batch_bytes = static_cast<std::size_t>(config.batch_bytes);
    reader_options.max_page_bytes = static_cast<std::size_t>(config.max_page_bytes);
    return std::make_unique<extractors::DumpReader>(
        extractors::open_byte_source(context.sources()[index].path, source_options), reader_options);
  }

  /// Runs batches of a dump through `parse` (parallel) and `write` (in order). On a stop, what was written is made
  /// durable and Interrupted is thrown.
  template <class Parsed, class Parse, class Write>
  static void stream(StageContext& context, extractors::DumpReader& reader, std::uint64_t bytes_before,
                     const Parse& parse, const Write& write) {
    bool stopped = false;
    const auto next_batch = [&](tbb::flow_control& control) {
      stopped = context.stop.requested();
      auto batch = stopped ? std::nullopt : reader.next();
      context.progress.done = bytes_before + reader.source().raw_offset();
      if (!batch) {
        control.stop();
        return extractors::PageBatch{};
      }
      return std::move(*batch);
    };
    tbb::task_arena arena(context.threads);
    arena.execute([&] {
      tbb::parallel_pipeline(
          static_cast<std::size_t>(context.options<IngestOptions>().slots),
          tbb::make_filter<void, extractors::PageBatch>(tbb::filter_mode::serial_in_order, next_batch) &
              tbb::make_filter<extractors::PageBatch, Parsed>(tbb::filter_mode::parallel, parse) &
              tbb::make_filter<Parsed, void>(tbb::filter_mode::serial_in_order, write));
    });
    if (!stopped) return;
    context.store.checkpoint();
    context.stop.check();
  }

  /// Puts the pages that others include into the store: a pass of its own, since a dump holds them in any order.
  static void collect_templates(StageContext& context, std::size_t index, std::uint64_t bytes_before,
                                PageStore& writer) {
    const auto reader = open_dump(context, index);
    const extractors::SiteInfo site = reader->site_info();
    if (writer.progress().file == index) reader->skip_to(writer.progress().offset);
    stream<TemplateBatch>(
        context, *reader, bytes_before,
        [&](const extractors::PageBatch& batch) { return read_template_batch(site, batch); },
        [&](TemplateBatch&& batch) { writer.write(std::move(batch)); });
    writer.next_file();
  }

  void read_dump(StageContext& context, std::size_t index, std::uint64_t bytes_before, PageStore& writer,
                 std::vector<SourceRecord>& dumps) {
    const auto& config = context.options<IngestOptions>();
    const auto reader = open_dump(context, index);
    extractors::SiteInfo site = reader->site_info();
    if (reader->site_info_assumed()) {
      log_line(LogLevel::kWarn,
               fmt::format("ingest: {} has no <siteinfo>: MediaWiki's own namespaces for language \"{}\" are assumed",
                           reader->source().name(), site.language));
    }
    if (const auto& language = context.options<LanguageOptions>().language; !language.empty()) {
      site.language = language;
      site.finish();
    }
    keep_site(context, site, index, reader->source().name());
    const auto rules = load_rules(config, site.language);
    const StoredTemplates templates(context.store);
    const auto now = config.now.empty() ? extractors::moment_of_dump(context.sources()[0].path.string())
                                        : extractors::read_fixed_moment(config.now);
    const PageReader pages(site, rules, config, templates, now);
    if (writer.progress().file == index) reader->skip_to(writer.progress().offset);
    stream<ParsedBatch>(
        context, *reader, bytes_before, [&](extractors::PageBatch batch) { return pages.read(std::move(batch)); },
        [&](ParsedBatch parsed) {
          context.progress.records += parsed.pages.size();
          writer.write(std::move(parsed));
        });
    if (index < dumps.size()) {
      dumps[index].sha256 = reader->source().raw_sha256();
      if (dumps[index].bytes == 0) dumps[index].bytes = reader->source().raw_offset();
    }
    storage::Batch batch;
    batch.put(Family::kMeta, storage::kMetaSources, flow::encode_sources(dumps));
    context.store.write(batch, Durability::kGroup);
    writer.next_file();
  }

  static extractors::TemplateRules load_rules(const IngestOptions& config, const std::string& language) {
    if (config.template_rules.empty()) return extractors::TemplateRules::built_in(language);
    std::vector<std::filesystem::path> files(config.template_rules.begin(), config.template_rules.end());
    return extractors::TemplateRules::load(language, files);
  }

  /// The first dump's word on the wiki counts; dumps of different wikis in one store would mix their page ids.
  static void keep_site(StageContext& context, const extractors::SiteInfo& site, std::size_t index,
                        const std::string& name) {
    std::string saved;
    if (context.store.get(Family::kMeta, storage::kMetaSite, saved) && index > 0) {
      const auto first = extractors::SiteInfo::from_json(saved);
      if (first.db_name != site.db_name) {
        throw FormatError(fmt::format(
            "{} is a dump of \"{}\", but the first dump is of \"{}\"; give each wiki a work directory of its own", name,
            site.db_name, first.db_name));
      }
      return;
    }
    storage::Batch batch;
    batch.put(Family::kMeta, storage::kMetaSite, site.to_json());
    context.store.write(batch, Durability::kGroup);
  }

  static StageReport finish(StageContext& context, const IngestProgress& progress) {
    StageReport report = progress.report;
    std::uint64_t unusable = 0, pages = 0;
    for (const auto& [reason, count] : report.rejected) {
      const bool usable = reason.starts_with("kept") || reason.starts_with("older copy");
      if (!usable) unusable += count;
      if (reason == kChecksumMismatch) {
        const std::string what = fmt::format("{} pages have a text that does not match the SHA-1 beside it (first: {})",
                                             count, report.samples.at(reason).front());
        if (context.options<IngestOptions>().checksum == ChecksumPolicy::kFail) {
          throw FormatError(what +
                            ": the dump is damaged, download it again; or accept it with --set ingest.checksum=warn");
        }
        report.warnings.push_back(what + "; the dump may be damaged");
      } else if (!usable) {
        report.warnings.push_back(
            fmt::format("{} pages left out: {} (first: {})", count, reason, report.samples.at(reason).front()));
      }
    }
    if (const auto found = report.counts.find("pages"); found != report.counts.end()) pages = found->second;
    if (pages + unusable == 0) throw FormatError("the dump holds no pages; is it complete?");
    const double ratio = static_cast<double>(unusable) / static_cast<double>(pages + unusable);
    if (unusable > 1 && ratio > context.options<IngestOptions>().max_reject_ratio) {
      std::string why = report.warnings.empty() ? std::string("see touchstone status") : report.warnings.front();
      throw FormatError(fmt::format(
          "{} of {} pages could not be used ({}): download the dump again, or raise ingest.max_reject_ratio", unusable,
          pages + unusable, why));
    }
    storage::Batch batch;
    batch.put(Family::kMeta, storage::kMetaNewestTimestamp, progress.newest_timestamp);
    context.store.write(batch, Durability::kGroup);
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
  return extractors::TemplateRules::built_in_digest() + files_digest(settings.get<IngestOptions>().template_rules);
}

}  // namespace

flow::StageInfo ingest_stage() {
  return {
      .name = "ingest",
      .summary = "Read the dump: titles, outlines, paragraphs with links, tables",
      .format_version = 3,
      .inputs = {flow::sources()},
      .outputs = {flow::family(Family::kPage), flow::family(Family::kTitle), flow::family(Family::kOutline),
                  flow::family(Family::kParagraph), flow::family(Family::kTable), flow::family(Family::kLink),
                  flow::family(Family::kTemplate), flow::meta(storage::kMetaSite), flow::meta(storage::kMetaSources),
                  flow::meta(storage::kMetaNewestTimestamp), flow::meta(storage::kMetaIngestProgress)},
      .options = {flow::reads<LanguageOptions>(), flow::reads<IngestOptions>()},
      .progress_unit = "MB",
      .progress_records = "pages",
      .make = flow::make_stage<IngestStage>,
      .extra_fingerprint = rules_fingerprint,
      .resume_key = storage::kMetaIngestProgress};
}

}  // namespace touchstone::pipeline::corpus
