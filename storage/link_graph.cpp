#include "storage/link_graph.hpp"

#include "common/error.hpp"
#include "storage/keys.hpp"
#include "storage/record_coding.hpp"

#include <algorithm>
#include <bit>
#include <optional>
#include <string_view>

namespace touchstone::storage {

using internal::BacklinkBlock;
using internal::Decoder;

namespace {

constexpr std::size_t kSourcesPerRecord = 1024;

[[noreturn]] void fail() {
  throw StorageError("the store holds damaged backlinks; build the store again from the dump");
}

void encode_places(std::span<const std::uint32_t> places, records::Encoder& out) {
  // One place only, the usual case, costs one varint.
  out.number(std::uint64_t{places.front()} << 1 | (places.size() > 1 ? 1 : 0));
  if (places.size() == 1) return;
  out.number(places.size() - 1);
  for (std::size_t i = 1; i < places.size(); ++i) out.number(places[i] - places[i - 1]);
}

std::vector<std::uint32_t> decode_places(Decoder& in) {
  const auto first = in.number();
  std::vector<std::uint32_t> places(1 + ((first & 1) != 0 ? in.count() : 0));
  places.front() = static_cast<std::uint32_t>(first >> 1);
  for (std::size_t i = 1; i < places.size(); ++i) places[i] = places[i - 1] + in.number32();
  return places;
}

std::vector<PageId> read_sources(const Store& store) {
  std::vector<PageId> pages;
  for (auto cursor = store.cursor(Family::kBacklinkSource); cursor.valid(); cursor.next()) {
    Decoder in(cursor.value(), "source of backlinks");
    for (auto count = in.count(); count > 0; --count) {
      const auto page = (pages.empty() ? 0 : std::uint64_t{pages.back().value}) + in.number32();
      if (page > UINT32_MAX) fail();
      pages.push_back(PageId{static_cast<std::uint32_t>(page)});
    }
    in.end();
  }
  return pages;
}

}  // namespace

/// A cursor that goes back to the graph: a new one for each list would cost as much as reading the list.
class LinkGraph::Lookup {
 public:
  Lookup(const LinkGraph& graph, PageId target) : graph_(graph), cursor_(take(graph)) {
    cursor_.seek(page_key(target));
    if (!cursor_.valid()) return;
    block_.emplace(cursor_.value());
    at_ = block_->find(target);
  }
  ~Lookup() {
    const std::lock_guard lock(graph_.mutex_);
    graph_.cursors_.push_back(std::move(cursor_));
  }
  Lookup(const Lookup&) = delete;
  Lookup& operator=(const Lookup&) = delete;

  bool found() const noexcept { return at_.has_value(); }
  std::string_view key() const { return cursor_.key(); }
  const BacklinkBlock& block() const { return *block_; }
  std::size_t at() const { return *at_; }

 private:
  static Cursor take(const LinkGraph& graph) {
    const std::lock_guard lock(graph.mutex_);
    if (graph.cursors_.empty()) return graph.store_.cursor(Family::kBacklinkList);
    auto cursor = std::move(graph.cursors_.back());
    graph.cursors_.pop_back();
    return cursor;
  }

  const LinkGraph& graph_;
  Cursor cursor_;
  std::optional<BacklinkBlock> block_;
  std::optional<std::size_t> at_;
};

SourcePages::SourcePages(std::vector<PageId> pages) : pages_(std::move(pages)) {
  if (pages_.empty()) return;
  const auto ids = std::uint64_t{pages_.back().value} + 1;
  while (ids >> shift_ > pages_.size()) ++shift_;
  slots_.reserve((ids >> shift_) + 1);
  for (std::uint32_t number = 0; number < size(); ++number)
    while (slots_.size() <= pages_[number].value >> shift_) slots_.push_back(number);
}

std::uint32_t SourcePages::number_of(PageId page) const {
  auto number = slots_.at(page.value >> shift_);
  while (pages_.at(number) < page) ++number;
  TS_CHECK(pages_[number] == page, "the page is a source");
  return number;
}

LinkGraphWriter::LinkGraphWriter(const SourcePages& sources, BulkLoader& loader)
    : sources_(sources), loader_(loader), lists_(sources.size()) {
  std::uint32_t last = 0;
  for (std::size_t first = 0; first < sources.size(); first += kSourcesPerRecord) {
    const auto pages = sources.pages().subspan(first, std::min(kSourcesPerRecord, sources.size() - first));
    records::Encoder record;
    record.number(pages.size());
    for (const PageId page : pages) {
      record.number(page.value - last);
      last = page.value;
    }
    loader.add(Family::kBacklinkSource, page_key(pages.front()), record.bytes());
  }
}

void LinkGraphWriter::add_source(PageId source, std::span<const std::uint32_t> places) {
  numbers_.push_back(sources_.number_of(source));
  encode_places(places, places_of_target_);
}

void LinkGraphWriter::end_target(PageId target) {
  if (numbers_.empty()) return;
  if (lists_.full()) end_block();
  lists_.add(target, numbers_);
  places_.text(places_of_target_.bytes());
  ++targets_;
  links_ += numbers_.size();
  numbers_.clear();
  places_of_target_.clear();
}

void LinkGraphWriter::end_block() {
  const auto key = page_key(lists_.last());
  const auto lists = lists_.take();
  list_bytes_ += lists.size();
  place_bytes_ += places_.bytes().size();
  loader_.add(Family::kBacklinkList, key, lists);
  loader_.add(Family::kBacklinkPlace, key, places_.bytes());
  places_.clear();
}

void LinkGraphWriter::finish() {
  if (!lists_.empty()) end_block();
}

std::span<const PageId> LinkGraph::pages_for(const BacklinkBlock& block) const {
  std::call_once(read_, [&] { pages_ = read_sources(store_); });
  if (block.sources() != pages_.size()) fail();
  return pages_;
}

std::uint32_t LinkGraph::count(PageId target) const {
  const Lookup list(*this, target);
  return list.found() ? list.block().count(list.at()) : 0;
}

std::vector<PageId> LinkGraph::sources(PageId target) const {
  std::vector<PageId> sources;
  const Lookup list(*this, target);
  if (!list.found()) return sources;
  std::vector<std::uint32_t> numbers;
  list.block().read(list.at(), numbers);
  const auto pages = pages_for(list.block());
  sources.reserve(numbers.size());
  for (const auto number : numbers) sources.push_back(pages[number]);
  return sources;
}

std::vector<LinkGraph::Source> LinkGraph::sources_with_places(PageId target) const {
  std::vector<Source> sources;
  const Lookup list(*this, target);
  if (!list.found()) return sources;
  std::vector<std::uint32_t> numbers;
  list.block().read(list.at(), numbers);
  const auto pages = pages_for(list.block());
  std::string bytes;
  if (!store_.get(Family::kBacklinkPlace, list.key(), bytes)) fail();
  Decoder block(bytes, "place of backlinks");
  for (std::size_t i = 0; i < list.at(); ++i) block.text_view();
  Decoder in(block.text_view(), "place of backlinks");
  for (const auto number : numbers) sources.push_back({pages[number], decode_places(in)});
  in.end();
  return sources;
}

void LinkGraph::for_each_list(PageId first, PageId last, const ListUse& use) const {
  std::vector<std::uint32_t> numbers;
  std::vector<PageId> sources;
  auto cursor = store_.cursor(Family::kBacklinkList);
  for (cursor.seek(page_key(first)); cursor.valid(); cursor.next()) {
    const BacklinkBlock block(cursor.value());
    if (block.target(0) > last) break;
    const auto pages = pages_for(block);
    block.for_each(numbers, [&](PageId target, std::span<const std::uint32_t> list) {
      if (target < first || target > last) return;
      sources.resize(list.size());
      for (std::size_t i = 0; i < list.size(); ++i) sources[i] = pages[list[i]];
      use(target, sources);
    });
  }
}

}  // namespace touchstone::storage
