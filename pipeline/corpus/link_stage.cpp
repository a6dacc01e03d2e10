#include "common/digest.hpp"
#include "common/error.hpp"
#include "common/external_sorter.hpp"
#include "pipeline/corpus/stages.hpp"
#include "pipeline/corpus/title_index.hpp"
#include "storage/keys.hpp"
#include "storage/records.hpp"

#include <algorithm>
#include <unordered_map>

#include <fmt/format.h>

namespace touchstone::pipeline::corpus {
namespace {

using flow::StageContext;
using flow::StageReport;
using storage::Family;

/// How links are inverted.
struct LinkOptions {
  std::int64_t sort_memory_bytes = 128 << 20;

  static std::vector<Option<LinkOptions>> options() {
    constexpr double kGiB = 1024.0 * 1024 * 1024;
    return {
        {"link.sort_memory_bytes", &LinkOptions::sort_memory_bytes, between(1 << 20, 256 * kGiB), OptionEffect::kNone,
         "Memory for sorting links; what does not fit is spilled to the work directory."},
    };
  }
};

std::uint64_t title_hash(const Title& title) {
  return xxh3_64(title.text, static_cast<std::uint64_t>(static_cast<std::int64_t>(title.ns)));
}

/// A page under the hash of its title.
struct TitleEntry {
  std::uint64_t hash;
  std::uint32_t page;
  friend bool operator<(const TitleEntry& a, const TitleEntry& b) {
    return std::tuple(a.hash, a.page) < std::tuple(b.hash, b.page);
  }
};

/// A place that links to the title with this hash.
struct LinkEntry {
  std::uint64_t target_hash;
  std::uint32_t source, place;
  friend bool operator<(const LinkEntry& a, const LinkEntry& b) { return a.target_hash < b.target_hash; }
};

/// The same, resolved.
struct BacklinkEntry {
  std::uint32_t target, source, place;
  friend bool operator<(const BacklinkEntry& a, const BacklinkEntry& b) {
    return std::tuple(a.target, a.source, a.place) < std::tuple(b.target, b.source, b.place);
  }
};

struct Redirect {
  std::uint32_t target = 0;
  bool to_section = false;
};

class LinkStage : public flow::Stage {
 public:
  StageReport run(StageContext& context) override {
    StageReport report;
    const auto memory = static_cast<std::size_t>(context.options<LinkOptions>().sort_memory_bytes);
    const auto folder = context.scratch();
    ExternalSorter<TitleEntry> titles(folder, "titles", memory / 4);
    ExternalSorter<LinkEntry> redirects_by_hash(folder, "redirects", memory / 8);
    std::unordered_map<std::uint32_t, bool> to_section;
    read_pages(context, titles, redirects_by_hash, to_section, report);
    ExternalSorter<LinkEntry> links(folder, "links", memory / 2);
    read_links(context, links, report);
    kill_point("link.read");

    ExternalSorter<BacklinkEntry> backlinks(folder, "backlinks", memory / 4);
    std::unordered_map<std::uint32_t, Redirect> redirects;
    titles.finish();
    redirects_by_hash.finish();
    links.finish();
    join(context, titles, redirects_by_hash, links, to_section, redirects, backlinks, report);
    backlinks.finish();
    write(context, backlinks, redirects, report);
    return report;
  }

 private:
  static void read_pages(StageContext& context, ExternalSorter<TitleEntry>& titles,
                         ExternalSorter<LinkEntry>& redirects, std::unordered_map<std::uint32_t, bool>& to_section,
                         StageReport& report) {
    for (auto cursor = context.store.cursor(Family::kPage); cursor.valid(); cursor.next()) {
      const auto id = storage::read_page_key(cursor.key());
      if (!id) throw StorageError("the store holds a page key it should not; build it again");
      const auto page = storage::decode_page(cursor.value());
      ++context.progress.total;
      titles.add({title_hash(page.title), id->value});
      if (!page.is_redirect) continue;
      ++report.counts["redirects"];
      if (page.redirect.text.empty()) {
        report.reject("redirect to another wiki or to no legal title", page.title.text);
        continue;
      }
      redirects.add({title_hash(page.redirect), id->value, 0});
      if (!page.redirect_fragment.empty()) to_section[id->value] = true;
    }
  }

  static void read_links(StageContext& context, ExternalSorter<LinkEntry>& links, StageReport& report) {
    std::vector<std::uint64_t> hashes;
    for (auto cursor = context.store.cursor(Family::kLink); cursor.valid(); cursor.next()) {
      if ((++context.progress.done & 1023) == 0) context.stop.check();
      const auto id = storage::read_page_key(cursor.key());
      if (!id) throw StorageError("the store holds a link key it should not; build it again");
      const auto record = storage::decode_links(cursor.value());
      hashes.clear();
      for (const auto& target : record.targets) hashes.push_back(title_hash(target));
      for (const auto& place : record.places) links.add({hashes[place.target], id->value, place.paragraph});
      context.progress.records += record.places.size();
      report.counts["links"] += record.places.size();
    }
  }

  /// Merges titles with redirects and links, all sorted by title hash.
  void join(StageContext& context, ExternalSorter<TitleEntry>& titles, ExternalSorter<LinkEntry>& redirects_by_hash,
            ExternalSorter<LinkEntry>& links, const std::unordered_map<std::uint32_t, bool>& to_section,
            std::unordered_map<std::uint32_t, Redirect>& redirects, ExternalSorter<BacklinkEntry>& backlinks,
            StageReport& report) {
    TitleEntry title{};
    LinkEntry redirect{}, link{};
    bool have_redirect = redirects_by_hash.next(redirect), have_link = links.next(link);
    // Links resolve to pages first and follow redirects when written: the map of redirects is complete only then.
    std::uint64_t last_hash = 0;
    bool have_last = false;
    while (titles.next(title)) {
      if (have_last && title.hash == last_hash) {
        report.reject("two pages with one title (the one with the lower id counts)",
                      fmt::format("page {}", title.page));
        continue;
      }
      last_hash = title.hash;
      have_last = true;
      while (have_redirect && redirect.target_hash < title.hash) {
        report.reject("redirect to a page that is not in the dump", fmt::format("page {}", redirect.source));
        have_redirect = redirects_by_hash.next(redirect);
      }
      while (have_redirect && redirect.target_hash == title.hash) {
        redirects[redirect.source] = {title.page, to_section.contains(redirect.source)};
        have_redirect = redirects_by_hash.next(redirect);
      }
      while (have_link && link.target_hash < title.hash) have_link = next_unresolved(links, link, report);
      while (have_link && link.target_hash == title.hash) {
        backlinks.add({title.page, link.source, link.place});
        ++report.counts["links to pages of the dump"];
        have_link = links.next(link);
      }
    }
    while (have_redirect) {
      report.reject("redirect to a page that is not in the dump", fmt::format("page {}", redirect.source));
      have_redirect = redirects_by_hash.next(redirect);
    }
    while (have_link) have_link = next_unresolved(links, link, report);
    context.stop.check();
  }

  static bool next_unresolved(ExternalSorter<LinkEntry>& links, LinkEntry& link, StageReport& report) {
    ++report.counts["links to pages that are not in the dump"];
    return links.next(link);
  }

  /// Last page of a chain of redirects; nothing for a circle.
  static std::optional<Redirect> follow(const std::unordered_map<std::uint32_t, Redirect>& redirects,
                                        std::uint32_t page) {
    Redirect end{page, false};
    for (int hop = 0; hop <= kMaxRedirectHops; ++hop) {
      const auto next = redirects.find(end.target);
      if (next == redirects.end()) return end;
      end = {next->second.target, end.to_section || next->second.to_section};
    }
    return std::nullopt;
  }

  static void write(StageContext& context, ExternalSorter<BacklinkEntry>& direct,
                    const std::unordered_map<std::uint32_t, Redirect>& redirects, StageReport& report) {
    storage::BulkLoader loader(context.store);
    // Links to redirects move to the redirects' targets: a second sort, of what the first gave.
    ExternalSorter<BacklinkEntry> resolved(
        context.scratch(), "resolved", static_cast<std::size_t>(context.options<LinkOptions>().sort_memory_bytes) / 2);
    BacklinkEntry entry{};
    while (direct.next(entry)) {
      if (const auto end = follow(redirects, entry.target)) resolved.add({end->target, entry.source, entry.place});
    }
    resolved.finish();

    storage::BacklinkRecord record;
    std::uint32_t target = 0;
    bool have_target = false;
    std::uint64_t places = 0, bytes = 0;
    const auto flush = [&] {
      if (!have_target) return;
      const auto value = encode(record);
      bytes += value.size();
      loader.add(Family::kBacklink, storage::page_key(PageId{target}), value);
      ++report.counts["pages with backlinks"];
      record.sources.clear();
    };
    while (resolved.next(entry)) {
      if (!have_target || entry.target != target) {
        flush();
        target = entry.target;
        have_target = true;
      }
      if (record.sources.empty() || record.sources.back().page.value != entry.source)
        record.sources.push_back({PageId{entry.source}, {}});
      auto& at = record.sources.back().places;
      if (at.empty() || at.back() != entry.place) {
        at.push_back(entry.place);
        ++places;
      }
    }
    flush();
    report.counts["backlinks"] = places;
    report.counts["bytes of backlinks before compression"] = bytes;

    std::vector<std::pair<std::uint32_t, storage::AliasRecord::Alias>> aliases;
    std::vector<std::uint32_t> circles;
    for (const auto& [page, redirect] : redirects) {
      if (const auto end = follow(redirects, page)) {
        aliases.push_back({end->target, {PageId{page}, end->to_section}});
      } else {
        circles.push_back(page);
      }
    }
    std::sort(circles.begin(), circles.end());
    for (const auto page : circles) report.reject("redirects that lead in a circle", fmt::format("page {}", page));
    std::sort(aliases.begin(), aliases.end(), [](const auto& a, const auto& b) {
      return std::pair(a.first, a.second.page) < std::pair(b.first, b.second.page);
    });
    for (std::size_t i = 0; i < aliases.size();) {
      storage::AliasRecord value;
      const auto page = aliases[i].first;
      for (; i < aliases.size() && aliases[i].first == page; ++i) value.aliases.push_back(aliases[i].second);
      loader.add(Family::kAlias, storage::page_key(PageId{page}), encode(value));
    }
    kill_point("link.before_commit");
    loader.commit();
  }
};

}  // namespace

flow::StageInfo link_stage() {
  return {.name = "link",
          .summary = "Resolve titles and redirects, invert links",
          .format_version = 1,
          .inputs = {flow::family(Family::kPage), flow::family(Family::kLink)},
          .outputs = {flow::family(Family::kBacklink), flow::family(Family::kAlias)},
          .options = {flow::reads<LinkOptions>()},
          .progress_unit = "pages",
          .progress_records = "links",
          .make = flow::make_stage<LinkStage>};
}

}  // namespace touchstone::pipeline::corpus
