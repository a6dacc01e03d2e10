#include "pipeline/corpus/previous_work.hpp"

#include "common/digest.hpp"
#include "common/error.hpp"
#include "common/json_tree.hpp"
#include "common/settings.hpp"
#include "extractors/site/site_info.hpp"
#include "extractors/wikitext/wikitext_parser.hpp"
#include "pipeline/flow/source_records.hpp"
#include "pipeline/flow/stage_manifest.hpp"
#include "pipeline/flow/work_paths.hpp"
#include "storage/keys.hpp"
#include "storage/meta_keys.hpp"
#include "storage/reading_record.hpp"
#include "storage/records.hpp"

#include <algorithm>
#include <iterator>
#include <span>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace touchstone::pipeline::corpus {
namespace {

using extractors::PageRemark;
using storage::Family;

/// Raised when the same page gives other records.
constexpr int kReaderVersion = 2;
constexpr std::string_view kRemedy =
    "leave --previous out, and take over what was judged with touchstone judge --export and --import";

std::string first_difference(std::string_view a, std::string_view b) {
  while (!a.empty() && !b.empty()) {
    const auto end_a = std::min(a.find('\n'), a.size()), end_b = std::min(b.find('\n'), b.size());
    if (a.substr(0, end_a) != b.substr(0, end_b))
      return fmt::format("{}, and now {}", a.substr(0, end_a), b.substr(0, end_b));
    a.remove_prefix(std::min(end_a + 1, a.size()));
    b.remove_prefix(std::min(end_b + 1, b.size()));
  }
  return "more options";
}

bool is_done(const storage::Store& store, std::string_view stage) {
  std::string manifest;
  store.get(Family::kMeta, std::string(storage::kMetaStagePrefix).append(stage), manifest);
  return !manifest.empty() && flow::decode_manifest(manifest).state == flow::StageManifest::State::kDone;
}

/// The first line and the rest.
std::pair<std::string_view, std::string_view> cut_line(std::string_view text) {
  const auto end = std::min(text.find('\n'), text.size());
  return {text.substr(0, end), text.substr(std::min(end + 1, text.size()))};
}

}  // namespace

std::vector<Option<PreviousOptions>> PreviousOptions::options() {
  return {
      {"previous.work", &PreviousOptions::work, OptionEffect::kRemembered,
       "Work directory of an earlier dump of the same wiki. Pages, judgments and topics that did not change are taken "
       "over from it."},
      {"previous.freeze_topics", &PreviousOptions::freeze_topics,
       "Keep the topics and queries of the previous work directory's collection, and make no others: only passages and "
       "judgments follow the new dump. Topics without evidence are left out."},
  };
}

std::vector<std::string> PreviousOptions::problems(const Settings& settings) {
  const auto& previous = settings.get<PreviousOptions>();
  if (!previous.freeze_topics || !previous.work.empty()) return {};
  return {"previous.freeze_topics keeps the topics of an earlier collection: name its work directory with --previous"};
}

std::string reader_text(const IngestOptions& ingest, const LanguageOptions& language, const PageFiles& files,
                        std::string_view site_json) {
  const OptionGroup* const groups[] = {&option_group<IngestOptions>(), &option_group<LanguageOptions>()};
  Settings settings(groups);
  settings.edit<IngestOptions>() = ingest;
  settings.edit<IngestOptions>().now.clear();
  settings.edit<LanguageOptions>() = language;
  auto site = extractors::site::SiteInfo::from_json(site_json);
  site.generator.clear();
  const auto now = files.now();
  std::string text = now ? fmt::format("date {}\n", *now) : "no date\n";
  text += fmt::format("reader {}\n", kReaderVersion);
  text += fmt::format("rules {}\n", extractors::wikitext::TemplateRules::built_in_digest());
  for (const auto& file : ingest.template_rules) text += fmt::format("rules {} {}\n", file, sha256_file(file));
  return text + settings.fingerprint(groups) + "site " + sha256_hex(site.to_json()) + "\n";
}

std::unique_ptr<storage::Store> open_previous(const std::filesystem::path& work) {
  const flow::WorkPaths paths{work};
  if (!storage::Store::exists(paths.store()))
    throw ConfigError(
        fmt::format("--previous {}: there is no work directory; name that of an earlier dump", work.string()));
  auto store = storage::Store::open(paths.store(), storage::Access::kReadOnly);
  if (!is_done(*store, "ingest"))
    throw ConfigError(
        fmt::format("--previous {}: its pages were not read to the end; finish that build first", work.string()));
  return store;
}

bool previous_is_done(const std::filesystem::path& work, std::string_view stage) {
  const auto store = flow::WorkPaths{work}.store();
  return storage::Store::exists(store) && is_done(*storage::Store::open(store, storage::Access::kReadOnly), stage);
}

std::string previous_dumps(const std::filesystem::path& work) {
  const auto store = open_previous(work);
  std::string sources, date, before;
  store->get(Family::kMeta, storage::kMetaSources, sources);
  store->get(Family::kMeta, storage::kMetaNewestTimestamp, date);
  store->get(Family::kMeta, storage::kMetaPrevious, before);
  auto dumps = nlohmann::ordered_json::array();
  for (const auto& source : flow::decode_sources(sources))
    dumps.push_back({{"name", source.name}, {"sha256", source.sha256}});
  auto chain = nlohmann::ordered_json::array({{{"dumps", std::move(dumps)}, {"dump_date", date}}});
  if (!before.empty()) {
    for (auto& month : parse_json(before)) chain.push_back(std::move(month));
  }
  return json_text(chain);
}

PreviousPages::PreviousPages(const std::filesystem::path& work, std::string_view reader,
                             const extractors::PageLoader& included)
    : store_(open_previous(work)), walks_([this] { return Walk(*store_); }), included_(included) {
  std::string before;
  store_->get(Family::kMeta, storage::kMetaReader, before);
  const auto [old_date, old_rest] = cut_line(before);
  const auto [date, rest] = cut_line(reader);
  if (before.empty())
    throw ConfigError(
        fmt::format("--previous {}: an older version of the program read its pages, and did not note "
                    "how; {}",
                    work.string(), kRemedy));
  if (old_rest != rest)
    throw ConfigError(fmt::format("--previous {}: its pages were read in another way ({}); use the same options, or {}",
                                  work.string(), first_difference(old_rest, rest), kRemedy));
  same_date_ = old_date == date;
}

std::optional<std::vector<PageRemark>> PreviousPages::find(PageId page, const Digest128& record) const {
  const auto& bytes = walk().reading(page);
  if (bytes.empty()) return std::nullopt;
  const auto reading = storage::decode_reading(bytes);
  if (reading.source != record || (reading.date && !same_date_)) return std::nullopt;
  for (const auto& [title, existence, content] : reading.inclusions) {
    const auto now = existence ? extractors::digest_of_existence(included_.exists(title))
                               : extractors::digest_of_inclusion(included_.load(title));
    if (content != now) return std::nullopt;
  }
  std::vector<PageRemark> remarks;
  for (const auto& [issue, where, detail] : reading.remarks)
    remarks.push_back({static_cast<extractors::PageIssue>(issue), where, detail});
  return remarks;
}

PreviousPages::Walk::Walk(const storage::Store& store) {
  // The page itself is the last of its records, and how it was read is before it.
  for (const auto family :
       {storage::Family::kOutline, storage::Family::kParagraph, storage::Family::kTable, storage::Family::kLink,
        storage::Family::kAttribute, storage::Family::kReading, storage::Family::kPage})
    families_.push_back({family, store.cursor(family), {}});
}

void PreviousPages::Walk::find(Family& family, PageId id, std::vector<storage::Entry>& entries) {
  const auto key = storage::page_key(id);
  constexpr int kSteps = 32;
  auto& cursor = family.cursor;
  if (id <= family.last) cursor.seek(key);
  family.last = id;
  // Where few pages are between, steps are quicker than a search.
  for (int steps = 0; steps < kSteps && cursor.valid() && cursor.key() < key; ++steps) cursor.next();
  if (cursor.valid() && cursor.key() < key) cursor.seek(key);
  for (; cursor.valid() && cursor.key().starts_with(key); cursor.next())
    entries.push_back({family.family, std::string(cursor.key()), std::string(cursor.value())});
}

const std::string& PreviousPages::Walk::reading(PageId id) {
  if (id != reading_.first) {
    std::vector<storage::Entry> entries;
    find(families_.at(families_.size() - 2), id, entries);
    reading_ = {id, entries.empty() ? std::string() : std::move(entries.front().value)};
  }
  return reading_.second;
}

std::vector<storage::Entry> PreviousPages::Walk::entries(PageId id) {
  std::vector<storage::Entry> entries;
  for (auto& family : families_) find(family, id, entries);
  return entries;
}

PageRecords PreviousPages::Walk::summary(PageId id) {
  std::vector<storage::Entry> entries = {{storage::Family::kReading, {}, reading(id)}};
  find(families_.back(), id, entries);
  auto page = read(id, std::move(entries));
  page.entries.clear();
  return page;
}

PageRecords PreviousPages::Walk::records(PageId id) {
  return read(id, entries(id));
}

PageRecords PreviousPages::Walk::read(PageId id, std::vector<storage::Entry> entries) {
  PageRecords out;
  out.id = id;
  out.page = storage::decode_page(entries.back().value);
  const auto reading = storage::decode_reading(entries.at(entries.size() - 2).value);
  out.links = reading.links;
  out.paragraphs = reading.paragraphs;
  out.tables = reading.tables;
  out.counters = counters_of(reading);
  out.is_taken_over = true;
  out.entries = std::move(entries);
  return out;
}

Digest128 PreviousPages::digest_of(const storage::Store& store) {
  std::string sources, reader;
  store.get(Family::kMeta, storage::kMetaSources, sources);
  store.get(Family::kMeta, storage::kMetaReader, reader);
  return xxh3_128(sources + reader);
}

}  // namespace touchstone::pipeline::corpus
