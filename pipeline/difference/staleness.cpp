#include "pipeline/difference/staleness.hpp"

#include "collection/evidence/manifest.hpp"
#include "collection/kinds.hpp"
#include "common/error.hpp"
#include "common/files.hpp"
#include "common/json_tree.hpp"
#include "common/number_text.hpp"
#include "extractors/site/site_info.hpp"
#include "pipeline/corpus/included_pages.hpp"
#include "pipeline/corpus/page_files.hpp"
#include "pipeline/corpus/title_index.hpp"
#include "pipeline/difference/record_lines.hpp"
#include "pipeline/flow/work_paths.hpp"
#include "storage/keys.hpp"
#include "storage/records.hpp"

#include <string_view>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace touchstone::pipeline::difference {
namespace {

namespace fs = std::filesystem;
using collection::evidence::CollectionLineReader;
using internal::fail_at;
using internal::for_each_record;
using storage::Family;

/// No text is of interest.
class NoPages : public extractors::PageLoader {
 public:
  std::optional<std::string> load(const Title& /*title*/) const override { return std::nullopt; }
};

/// A page that the collection was made of, and what it is now.
struct OldPage {
  std::string title;
  std::uint64_t revision = 0;  ///< 0: not known
  bool has_evidence = false, is_member = false, is_list = false;
  bool exists = false, edited = false, moved = false, merged = false;

  bool is_gone() const { return !exists || merged; }
};
using OldPages = std::unordered_map<std::uint64_t, OldPage>;

/// The page of a docid, `<wiki>-<page>-<ordinal>`.
std::uint64_t page_of(std::string_view docid) {
  const auto end = docid.rfind('-');
  const auto begin = end == std::string_view::npos ? end : docid.rfind('-', end - 1);
  return begin == std::string_view::npos ? 0 : std::stoull(std::string(docid.substr(begin + 1, end - begin - 1)));
}

/// Calls `use(page, member)` for each (topic, member, passage) that is evidence.
template <class Use>
void for_each_evidence(const fs::path& directory, int evidence_grade, const Use& use) {
  CollectionLineReader reader;
  const auto file = directory / "judgments.jsonl.gz";
  for_each_line(file, [&](std::string_view line, std::uint64_t number) {
    const auto record = reader.judgment(line);
    if (!record) fail_at(file, number, record.error());
    if (record->grade && *record->grade >= evidence_grade) use(page_of(record->docid), record->member_page_id);
    return true;
  });
}

OldPages pages_of_collection(const fs::path& directory, int evidence_grade) {
  OldPages pages;
  CollectionLineReader reader;
  for_each_evidence(directory, evidence_grade,
                    [&](std::uint64_t page, std::uint64_t) { pages[page].has_evidence = true; });
  for_each_record(directory / "members.jsonl", reader, &CollectionLineReader::member, [&](const auto& member) {
    auto& page = pages[member.page_id];
    page.is_member = true;
    page.title = member.title;
  });
  for_each_record(directory / "queries.jsonl", reader, &CollectionLineReader::query, [&](const auto& topic) {
    if (topic.page_id == 0) return;  // no list page has chosen its members
    auto& page = pages[topic.page_id];
    page.is_list = true;
    page.title = topic.page;
  });
  bool knows_revisions = pages.empty();
  for_each_record(directory / "corpus.jsonl.gz", reader, &CollectionLineReader::passage, [&](const auto& passage) {
    knows_revisions = knows_revisions || passage.revision != 0;
    const auto found = pages.find(passage.page_id);
    if (found == pages.end()) return;
    found->second.title = passage.title;
    found->second.revision = passage.revision;
  });
  if (!knows_revisions)
    throw FormatError(
        directory.string() +
        " does not know the revisions of its pages, as of a source that numbers none; build it again from "
        "the new pages with --previous, and touchstone diff says what changed");
  return pages;
}

void count(const OldPage& page, PageFates& fates) {
  ++fates.pages;
  if (!page.exists) {
    ++fates.deleted;
  } else if (page.merged) {
    ++fates.merged;
  } else {
    fates.edited += page.edited ? 1 : 0;
    fates.moved += page.moved ? 1 : 0;
  }
}

std::string fates_text(const PageFates& fates) {
  return fmt::format("{} edited, {} moved, {} merged, {} deleted", fates.edited, fates.moved, fates.merged,
                     fates.deleted);
}

nlohmann::ordered_json fates_json(const PageFates& fates) {
  return {{"pages", fates.pages},
          {"edited", fates.edited},
          {"moved", fates.moved},
          {"merged", fates.merged},
          {"deleted", fates.deleted}};
}

}  // namespace

CurrentPages pages_of_dumps(std::vector<flow::SourceInput> dumps, const StopFlag& stop) {
  return [dumps = std::move(dumps), &stop](const std::function<void(const CurrentPage&)>& use) {
    const corpus::IngestOptions ingest;
    const auto files = corpus::page_file_kind(dumps.at(0).kind).make({dumps, ingest, "", 1, &stop});
    const NoPages none;
    for (std::size_t file = 0; file < files->count(); ++file) {
      const auto source = files->open(file, PageId{0}, none);
      const auto said = source->site_info();
      const auto site = said ? *said : files->fallback_site(source->language());
      source->read_heads_only();
      while (auto raw = source->next()) {
        stop.check();
        for (const auto& page : source->read(std::move(*raw)).pages) {
          const auto& head = page.head;
          use({head.id, site.prefixed(head.title), head.revision.value, head.timestamp, head.is_redirect});
        }
      }
    }
  };
}

CurrentPages pages_of_work(const fs::path& work, const StopFlag& stop) {
  return [work, &stop](const std::function<void(const CurrentPage&)>& use) {
    const auto store = storage::Store::open(flow::WorkPaths{work}.store(), storage::Access::kReadOnly);
    const corpus::TitleIndex titles(*store, corpus::TextOptions{});
    for (auto cursor = store->cursor(Family::kPage); cursor.valid(); cursor.next()) {
      stop.check();
      const auto page = storage::decode_page(cursor.value());
      use({storage::read_page_key(cursor.key()).value(), titles.prefixed(page.title), page.revision.value,
           page.timestamp, page.is_redirect});
    }
  };
}

Staleness staleness_of(const fs::path& directory, const CurrentPages& current, const StopFlag& stop) {
  collection::require_collection_directory(directory, "compare with a newer dump");
  if (!fs::exists(directory / "members.jsonl"))
    throw FormatError(
        directory.string() +
        " is no evidence collection, and others do not say from which revisions they are; touchstone diff "
        "compares any two collections");
  const auto summary = collection::evidence::read_manifest(directory);
  const auto grade = summary.info.evidence_grade;
  auto pages = pages_of_collection(directory, grade);
  Staleness found{summary.info.name, summary.info.dump_date, "", {}, {}, {}, 0, 0};
  std::uint64_t known = 0, same_title = 0;
  current([&](const CurrentPage& page) {
    found.newest = std::max(found.newest, page.timestamp);
    const auto at = pages.find(page.id.value);
    if (at == pages.end()) return;
    auto& old = at->second;
    old.exists = true;
    old.merged = page.is_redirect;
    old.edited = old.revision != 0 && page.revision != old.revision;
    old.moved = page.title != old.title;
    ++known;
    same_title += old.moved ? 0 : 1;
  });
  stop.check();
  if (!pages.empty() && 2 * same_title < known)
    throw ConfigError(
        fmt::format("{} and these pages are of different wikis: of {} pages that both have by number, {} "
                    "have the same title; name a dump of the wiki \"{}\"",
                    directory.string(), known, same_title, summary.info.wiki));
  if (!found.newest.empty() && found.newest < summary.info.dump_date)
    throw ConfigError(
        fmt::format("these pages are older than {}: their newest revision is of {}, and there of {}; name "
                    "a later dump",
                    directory.string(), found.newest, summary.info.dump_date));
  for (const auto& [id, page] : pages) {
    if (page.has_evidence) count(page, found.evidence_pages);
    if (page.is_member) count(page, found.members);
    if (page.is_list) count(page, found.lists);
  }
  for_each_evidence(directory, grade, [&](std::uint64_t page, std::uint64_t member) {
    ++found.evidence;
    const auto& of = pages.at(page);
    const auto about = pages.find(member);
    if (of.is_gone() || of.edited || (about != pages.end() && about->second.is_gone())) ++found.stale;
  });
  return found;
}

std::string staleness_text(const Staleness& found) {
  const auto day = [](const std::string& timestamp) { return timestamp.substr(0, timestamp.find('T')); };
  return fmt::format(
      "{}: {} of the evidence is stale ({} of {} labels) between {} and {}; of {} pages {}; of {} members {} gone; of "
      "{} lists {} changed\n",
      found.name, touchstone::percent(found.share()), found.stale, found.evidence, day(found.dump_date),
      day(found.newest), found.evidence_pages.pages, fates_text(found.evidence_pages), found.members.pages,
      found.members.merged + found.members.deleted, found.lists.pages,
      found.lists.edited + found.lists.merged + found.lists.deleted);
}

std::string staleness_json(const Staleness& found) {
  const nlohmann::ordered_json json = {{"collection", found.name},
                                       {"dump_date", found.dump_date},
                                       {"newest", found.newest},
                                       {"evidence", found.evidence},
                                       {"stale", found.stale},
                                       {"share", found.share()},
                                       {"pages", fates_json(found.evidence_pages)},
                                       {"members", fates_json(found.members)},
                                       {"lists", fates_json(found.lists)}};
  return json_text(json) + "\n";
}

}  // namespace touchstone::pipeline::difference
