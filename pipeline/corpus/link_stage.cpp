#include "common/error.hpp"
#include "common/external_sorter.hpp"
#include "pipeline/corpus/redirect_map.hpp"
#include "pipeline/corpus/stages.hpp"
#include "pipeline/corpus/title_join.hpp"
#include "storage/keys.hpp"
#include "storage/records.hpp"

#include <memory>
#include <unordered_set>
#include <vector>

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
         "Memory for sorting links; the rest is spilled to the work directory."},
    };
  }
};

/// What link cannot resolve.
enum class LinkReject : std::uint8_t { kNoTarget, kMissingTarget, kCircle, kDoubleTitle };

constexpr RejectReason kLinkRejects[] = {
    {"redirect to another wiki or to no legal title"},
    {"redirect to a page that is not in the dump"},
    {"redirects that lead in a circle"},
    {"two pages with one title (the one with the lower id counts)"},
};

const RejectReason& describe(LinkReject reason) {
  return kLinkRejects[static_cast<std::size_t>(reason)];
}

/// The page that a target of a page's link record names, redirects not followed.
struct NamedTarget {
  std::uint32_t source, target;  ///< page and index of the target
  std::uint32_t page;
  friend bool operator<(const NamedTarget& a, const NamedTarget& b) {
    return std::tuple(a.source, a.target) < std::tuple(b.source, b.target);
  }
};

/// A place that links to a page.
struct Backlink {
  std::uint32_t target, source, place;
  friend bool operator<(const Backlink& a, const Backlink& b) {
    return std::tuple(a.target, a.source, a.place) < std::tuple(b.target, b.source, b.place);
  }
};

PageId key_of(const storage::Cursor& cursor) {
  const auto id = storage::read_page_key(cursor.key());
  if (!id) throw StorageError("the store holds a page key it should not; build it again");
  return *id;
}

/// Resolves the titles of redirects and link targets in one join, then goes over the links again and files each under
/// the page it leads to.
class LinkStage : public flow::Stage {
 public:
  StageReport run(StageContext& context) override {
    StageReport report;
    const auto memory = static_cast<std::size_t>(context.options<LinkOptions>().sort_memory_bytes);
    const auto folder = context.scratch();
    RedirectMap redirects;
    ExternalSorter<NamedTarget> named(folder, "named", memory / 4);
    resolve_titles(context, memory * 3 / 4, redirects, named, report);
    named.finish();
    storage::BulkLoader loader(context.store);
    ExternalSorter<Backlink> backlinks(folder, "backlinks", memory / 2);
    write_link_targets(context, redirects, named, backlinks, loader, report);
    backlinks.finish();
    write_backlinks(backlinks, loader, report);
    write_aliases(redirects, loader, report);
    kill_point("link.before_commit");
    loader.commit();
    return report;
  }

 private:
  static constexpr std::uint32_t kRedirectTag = UINT32_MAX;  ///< asked by a redirect; else the index of a link target

  static void resolve_titles(StageContext& context, std::size_t memory, RedirectMap& redirects,
                             ExternalSorter<NamedTarget>& named, StageReport& report) {
    TitleJoin join(context.scratch(), memory);
    const auto to_section = add_pages(context, join, report);
    add_link_targets(context, join);
    kill_point("link.read");
    join.finish(
        [&](TitleJoin::Question question, std::uint32_t page) {
          if (question.tag == kRedirectTag) {
            redirects.add(PageId{question.page}, PageId{page}, to_section.contains(question.page));
          } else {
            named.add({question.page, question.tag, page});
          }
        },
        [&](TitleJoin::Question question) {
          if (question.tag == kRedirectTag)
            report.reject(LinkReject::kMissingTarget, fmt::format("page {}", question.page));
        },
        [&](std::uint32_t page) { report.reject(LinkReject::kDoubleTitle, fmt::format("page {}", page)); });
    context.stop.check();
  }

  /// Adds all pages with their titles, and what redirects ask for. Returns the redirects that name a section.
  static std::unordered_set<std::uint32_t> add_pages(StageContext& context, TitleJoin& join, StageReport& report) {
    std::unordered_set<std::uint32_t> to_section;
    for (auto cursor = context.store.cursor(Family::kPage); cursor.valid(); cursor.next()) {
      const auto id = key_of(cursor).value;
      const auto page = storage::decode_page(cursor.value());
      ++context.progress.total;
      join.add_page(page.title, id);
      if (!page.is_redirect) continue;
      ++report.counts["redirects"];
      if (page.redirect.text.empty()) {
        report.reject(LinkReject::kNoTarget, page.title.text);
        continue;
      }
      join.ask(page.redirect, {id, kRedirectTag});
      if (!page.redirect_fragment.empty()) to_section.insert(id);
    }
    return to_section;
  }

  static void add_link_targets(StageContext& context, TitleJoin& join) {
    for (auto cursor = context.store.cursor(Family::kLink); cursor.valid(); cursor.next()) {
      if ((++context.progress.done & 1023) == 0) context.stop.check();
      const auto id = key_of(cursor).value;
      const auto titles = storage::decode_link_titles(cursor.value());
      for (std::uint32_t i = 0; i < titles.size(); ++i) join.ask(titles[i], {id, i});
    }
  }

  /// Writes where each link target leads, and collects the links by the page they lead to.
  static void write_link_targets(StageContext& context, const RedirectMap& redirects,
                                 ExternalSorter<NamedTarget>& named, ExternalSorter<Backlink>& backlinks,
                                 storage::BulkLoader& loader, StageReport& report) {
    NamedTarget next{};
    bool have_next = named.next(next);
    std::uint64_t pages = 0, to_pages = 0, elsewhere = 0;
    for (auto cursor = context.store.cursor(Family::kLink); cursor.valid(); cursor.next()) {
      if ((++pages & 1023) == 0) context.stop.check();
      const auto source = key_of(cursor).value;
      const auto record = storage::decode_link_places(cursor.value());
      context.progress.records += record.places.size();
      report.counts["links"] += record.places.size();
      std::vector<bool> is_page(record.targets, false);
      storage::LinkTargetRecord ends;
      ends.pages.resize(record.targets);
      for (; have_next && next.source == source; have_next = named.next(next)) {
        is_page.at(next.target) = true;
        if (const auto end = redirects.follow(PageId{next.page})) ends.pages[next.target] = end->page;
      }
      for (const auto& place : record.places) {
        ++(is_page[place.target] ? to_pages : elsewhere);
        const PageId end = ends.pages[place.target];
        if (end.value != 0) backlinks.add({end.value, source, place.paragraph});
      }
      loader.add(Family::kLinkTarget, cursor.key(), encode(ends));
    }
    if (to_pages > 0) report.counts["links to pages of the dump"] = to_pages;
    if (elsewhere > 0) report.counts["links to pages that are not in the dump"] = elsewhere;
  }

  static void write_backlinks(ExternalSorter<Backlink>& backlinks, storage::BulkLoader& loader, StageReport& report) {
    storage::BacklinkRecord record;
    std::uint32_t target = 0;
    std::uint64_t places = 0, bytes = 0;
    const auto flush = [&] {
      if (record.sources.empty()) return;
      const auto value = encode(record);
      bytes += value.size();
      loader.add(Family::kBacklink, storage::page_key(PageId{target}), value);
      ++report.counts["pages with backlinks"];
      record.sources.clear();
    };
    Backlink link{};
    while (backlinks.next(link)) {
      if (link.target != target) flush();
      target = link.target;
      if (record.sources.empty() || record.sources.back().page.value != link.source)
        record.sources.push_back({PageId{link.source}, {}});
      auto& at = record.sources.back().places;
      if (!at.empty() && at.back() == link.place) continue;
      at.push_back(link.place);
      ++places;
    }
    flush();
    report.counts["backlinks"] = places;
    report.counts["bytes of backlinks before compression"] = bytes;
  }

  static void write_aliases(const RedirectMap& redirects, storage::BulkLoader& loader, StageReport& report) {
    for (const auto page : redirects.circles()) report.reject(LinkReject::kCircle, fmt::format("page {}", page.value));
    for (const auto& [page, record] : redirects.aliases())
      loader.add(Family::kAlias, storage::page_key(page), encode(record));
  }
};

}  // namespace

flow::StageInfo link_stage() {
  return {.name = "link",
          .summary = "Resolve titles and redirects, invert links",
          .format_version = 2,
          .inputs = {flow::family(Family::kPage), flow::family(Family::kLink)},
          .outputs = {flow::family(Family::kBacklink), flow::family(Family::kAlias), flow::family(Family::kLinkTarget)},
          .options = {flow::reads<LinkOptions>()},
          .progress_unit = "pages",
          .progress_records = "links",
          .make = flow::make_stage<LinkStage>};
}

}  // namespace touchstone::pipeline::corpus
