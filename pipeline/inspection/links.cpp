#include "pipeline/inspection/links.hpp"

#include "common/records/record_bytes.hpp"
#include "common/records/sorter.hpp"
#include "common/records/spool.hpp"
#include "pipeline/corpus/links/title_join.hpp"
#include "pipeline/corpus/redirect_map.hpp"
#include "pipeline/corpus/title_index.hpp"
#include "storage/keys.hpp"
#include "storage/records.hpp"

#include <algorithm>
#include <bit>
#include <compare>
#include <cstdint>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

namespace touchstone::pipeline::inspection {
namespace {

using corpus::links::title_hash;
using storage::Family;
using storage::PageRecord;

constexpr std::size_t kRedirectSortBytes = std::size_t{16} << 20U;

PageId id_of(const storage::Cursor& cursor) {
  const auto id = storage::read_page_key(cursor.key());
  if (!id) throw StorageError("the store holds a page key it should not; build it again");
  return *id;
}

/// A redirect by the hashes of two titles: its own, and the one it leads to.
struct Redirect {
  std::uint64_t from = 0, to = 0;
  friend auto operator<=>(const Redirect&, const Redirect&) = default;
};

/// The pages that their titles lead to, as opposed to another page with the same title, and where redirects end.
class TitledPages {
 public:
  TitledPages(const storage::Store& store, const std::filesystem::path& folder) : store_(store), ends_(folder) {
    find_doubles();
    records::Sorter<Redirect> found(folder, kRedirectSortBytes);
    for_each([&](const PageRecord& page) {
      if (is_article(page)) {
        ++articles_;
        text_bytes_ += page.title.text.size() + 1;
      } else if (page.is_redirect && !page.redirect.text.empty()) {
        found.add({title_hash(page.title), title_hash(page.redirect)});
        ++redirects_;
      }
    });
    std::vector<Redirect> redirects;
    redirects.reserve(redirects_);
    while (const auto redirect = found.next()) redirects.push_back(*redirect);
    for (const auto& redirect : redirects)
      if (const auto end = follow(redirect, redirects)) ends_.add({redirect.from, *end});
  }

  /// A page of the main namespace that is no redirect.
  static bool is_article(const PageRecord& page) { return page.title.ns == kNamespaceMain && !page.is_redirect; }

  template <class Use>
  void for_each(const Use& use) const {
    for (auto cursor = store_.cursor(Family::kPage); cursor.valid(); cursor.next())
      if (doubles_.empty() || !doubles_.contains(id_of(cursor))) use(storage::decode_page(cursor.value()));
  }
  /// Passes on redirects with the last title of their chains, which may be of no page.
  template <class Use>
  void for_each_redirect(const Use& use) {
    ends_.rewind();
    while (ends_.next()) use(ends_.head());
  }

  std::uint64_t articles() const noexcept { return articles_; }
  std::uint64_t redirects() const noexcept { return redirects_; }
  std::uint64_t text_bytes() const noexcept { return text_bytes_; }

 private:
  /// Pages whose title is that of another page, which the title leads to.
  void find_doubles() {
    std::uint64_t pages = 0, titles = 0;
    for (auto cursor = store_.cursor(Family::kPage); cursor.valid(); cursor.next()) ++pages;
    for (auto cursor = store_.cursor(Family::kTitle); cursor.valid(); cursor.next()) ++titles;
    if (pages == titles) return;
    const corpus::TitleIndex index(store_);
    for (auto cursor = store_.cursor(Family::kPage); cursor.valid(); cursor.next())
      if (index.find(storage::decode_page(cursor.value()).title) != id_of(cursor)) doubles_.insert(id_of(cursor));
  }

  /// Nothing for circles, and for chains that are taken for one.
  static std::optional<std::uint64_t> follow(const Redirect& redirect, const std::vector<Redirect>& redirects) {
    auto end = redirect.to;
    for (int hops = 1;; ++hops) {
      const auto next = std::lower_bound(redirects.begin(), redirects.end(), Redirect{end, 0});
      if (next == redirects.end() || next->from != end) return end;
      if (hops == corpus::kMaxRedirectHops) return std::nullopt;
      end = next->to;
    }
  }

  const storage::Store& store_;
  std::unordered_set<PageId> doubles_;
  records::Spool<Redirect> ends_;
  std::uint64_t articles_ = 0, redirects_ = 0, text_bytes_ = 0;
};

/// The articles that titles lead to, those of a slice of all hashes of articles.
class ArticleTable {
 public:
  /// \param hashes  of the titles of the articles, first and last
  /// \param slices  into which all hashes are cut
  ArticleTable(TitledPages& pages, std::pair<std::uint64_t, std::uint64_t> hashes, std::uint64_t slices) {
    const auto entries = (pages.articles() + pages.redirects()) / slices;
    entries_.reserve(entries + (slices == 1 ? 0 : entries / 16));
    const auto in_slice = [&](std::uint64_t hash) { return hash >= hashes.first && hash <= hashes.second; };
    pages.for_each([&](const PageRecord& page) {
      if (!TitledPages::is_article(page)) return;
      const auto hash = title_hash(page.title);
      if (!in_slice(hash)) return;
      entries_.emplace_back(hash, static_cast<std::uint32_t>(texts_.bytes().size()));
      texts_.text(page.title.text);
    });
    index();
    pages.for_each_redirect([&](const Redirect& redirect) {
      const auto* end = in_slice(redirect.to) ? find_entry(redirect.to) : nullptr;
      if (end != nullptr) entries_.emplace_back(redirect.from, std::uint32_t{end->text});
    });
    index();
  }

  static std::uint64_t bytes(const TitledPages& pages) {
    return pages.text_bytes() + (pages.articles() + pages.redirects()) * (sizeof(Entry) + 1);
  }

  /// The article that a title leads to, by its own title. Nothing if this slice has no such article.
  std::optional<std::string_view> find(std::uint64_t hash) const {
    const auto* entry = find_entry(hash);
    if (entry == nullptr) return std::nullopt;
    return records::Decoder(texts_.bytes().substr(entry->text)).text();
  }

 private:
  /// In 12 bytes, without the padding that 64 bits would take.
  struct Entry {
    Entry(std::uint64_t hash, std::uint32_t at)
        : high(static_cast<std::uint32_t>(hash >> 32U)), low(static_cast<std::uint32_t>(hash)), text(at) {}
    std::uint64_t hash() const { return std::uint64_t{high} << 32U | low; }
    std::uint32_t high, low, text;  ///< where the title begins
    friend auto operator<=>(const Entry&, const Entry&) = default;
  };

  void index() {
    std::sort(entries_.begin(), entries_.end());
    indexed_ = entries_.size();
    shift_ = 32 - std::min(30, static_cast<int>(std::bit_width(entries_.size() / 4)));
    slots_.clear();
    for (std::uint32_t i = 0; i < entries_.size(); ++i)
      while (slots_.size() <= slot_of(entries_[i].high)) slots_.push_back(i);
  }
  std::size_t slot_of(std::uint32_t high) const { return std::uint64_t{high} >> shift_; }

  const Entry* find_entry(std::uint64_t hash) const {
    const auto slot = slot_of(static_cast<std::uint32_t>(hash >> 32U));
    if (slot >= slots_.size()) return nullptr;
    for (auto i = slots_[slot]; i < indexed_ && entries_[i].hash() <= hash; ++i)
      if (entries_[i].hash() == hash) return &entries_[i];
    return nullptr;
  }

  std::vector<Entry> entries_;
  std::size_t indexed_ = 0;  ///< entries that are found
  records::Encoder texts_;
  int shift_ = 0;
  std::vector<std::uint32_t> slots_;  ///< first entry of each slot of hashes
};

/// Calls `use(id, title, links)` for each article that has links, with its encoded LinkRecord.
template <class Use>
void for_each_source(const storage::Store& store, const Use& use) {
  auto page = store.cursor(Family::kPage);
  for (auto links = store.cursor(Family::kLink); links.valid(); links.next()) {
    const auto id = id_of(links);
    while (page.valid() && id_of(page) < id) page.next();
    if (!page.valid()) return;
    if (id_of(page) != id) continue;
    const auto title = storage::decode_page(page.value()).title;
    if (title.ns == kNamespaceMain) use(id, title.text, links.value());
  }
}

/// The targets of a page's links, as a list of titles that it fills.
class Targets {
 public:
  explicit Targets(bool text_only) : text_only_(text_only) {}

  /// Collects what `find(ns, text)` gives for each target that is wanted, distinct and sorted.
  template <class Find>
  const std::vector<std::string_view>& read(std::string_view links, const Find& find) {
    titles_.clear();
    found_.clear();
    const auto places = storage::visit_link_targets(
        links, [&](std::int32_t ns, std::string_view text) { titles_.emplace_back(ns, text); });
    chosen_.assign(titles_.size(), false);
    for (const auto& place : storage::decode_link_places(places, titles_.size()))
      if (!text_only_ || !place.from_template) chosen_[place.target] = true;
    for (std::size_t i = 0; i < titles_.size(); ++i) {
      if (!chosen_[i]) continue;
      if (const std::optional<std::string_view> title = find(titles_[i].first, titles_[i].second))
        found_.push_back(*title);
    }
    std::sort(found_.begin(), found_.end());
    found_.erase(std::unique(found_.begin(), found_.end()), found_.end());
    return found_;
  }

 private:
  bool text_only_;
  std::vector<std::pair<std::int32_t, std::string_view>> titles_;
  std::vector<bool> chosen_;
  std::vector<std::string_view> found_;
};

/// What the links of a page lead to, of a slice of the titles.
struct FoundTitles {
  PageId page;
  std::vector<std::string> titles;
  template <class Fields>
  void fields(Fields& field) {
    field("page_id", page)("titles", titles);
  }
};

class ResolvedLinks {
 public:
  using Link = std::function<void(std::string_view, std::string_view)>;

  ResolvedLinks(const storage::Store& store, bool text_only, const LinkMemory& memory)
      : store_(store), targets_(text_only), memory_(memory), pages_(store, memory.folder) {}

  void for_each(const Link& link) {
    const auto slices = ArticleTable::bytes(pages_) / memory_.table_bytes + 1;
    if (slices == 1) {
      const ArticleTable table(pages_, {0, UINT64_MAX}, 1);
      for_each_source(store_, [&](PageId, std::string_view from, std::string_view links) {
        for (const auto to : targets_of(links, table)) link(from, to);
      });
      return;
    }
    const auto step = UINT64_MAX / slices + 1;
    std::vector<std::unique_ptr<records::Spool<FoundTitles>>> found;
    for (std::uint64_t slice = 0; slice < slices; ++slice) {
      const auto first = slice * step;
      const ArticleTable table(pages_, {first, slice + 1 == slices ? UINT64_MAX : first + step - 1}, slices);
      auto& spool = *found.emplace_back(std::make_unique<records::Spool<FoundTitles>>(memory_.folder));
      for_each_source(store_, [&](PageId id, std::string_view, std::string_view links) {
        const auto& titles = targets_of(links, table);
        if (!titles.empty()) spool.add({id, {titles.begin(), titles.end()}});
      });
      spool.rewind();
    }
    merge(found, link);
  }

 private:
  const std::vector<std::string_view>& targets_of(std::string_view links, const ArticleTable& table) {
    return targets_.read(links,
                         [&](std::int32_t ns, std::string_view text) { return table.find(title_hash(ns, text)); });
  }

  void merge(const std::vector<std::unique_ptr<records::Spool<FoundTitles>>>& found, const Link& link) const {
    std::vector<bool> has_head;
    for (const auto& spool : found) has_head.push_back(spool->next());
    for_each_source(store_, [&](PageId id, std::string_view from, std::string_view) {
      std::vector<std::string> titles;
      for (std::size_t i = 0; i < found.size(); ++i) {
        if (!has_head[i] || found[i]->head().page != id) continue;
        std::ranges::move(found[i]->head().titles, std::back_inserter(titles));
        has_head[i] = found[i]->next();
      }
      std::sort(titles.begin(), titles.end());
      for (const auto& to : titles) link(from, to);
    });
  }

  const storage::Store& store_;
  Targets targets_;
  const LinkMemory& memory_;
  TitledPages pages_;
};

}  // namespace

void for_each_link(const storage::Store& store, const LinkSelection& selection, const LinkMemory& memory,
                   const std::function<void(std::string_view, std::string_view)>& link) {
  if (selection.resolved) return ResolvedLinks(store, selection.text_only, memory).for_each(link);
  Targets targets(selection.text_only);
  for_each_source(store, [&](PageId, std::string_view from, std::string_view links) {
    const auto find = [](std::int32_t ns, std::string_view text) {
      return ns == kNamespaceMain ? std::optional(text) : std::nullopt;
    };
    for (const auto to : targets.read(links, find)) link(from, to);
  });
}

}  // namespace touchstone::pipeline::inspection
