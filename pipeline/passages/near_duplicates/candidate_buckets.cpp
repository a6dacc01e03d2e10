#include "pipeline/passages/near_duplicates/candidate_buckets.hpp"

#include "common/error.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>

#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>

namespace touchstone::pipeline::passages::near_duplicates::internal {
namespace {

/// Sets whose keys are computed before they are written: 4 bytes for each of their bands.
constexpr std::size_t kSetsTogether = 8192;
constexpr std::size_t kSetsPerTask = 64;
constexpr std::size_t kMaskWords = 6;  ///< a bit for each band

/// A key in the upper half and the set in the lower one, so that sorting brings equal keys together, sets ascending.
constexpr std::uint64_t keyed(std::uint32_t key, std::size_t set) {
  return (std::uint64_t{key} << 32) | set;
}

constexpr std::uint32_t key_of(std::uint64_t keyed) {
  return static_cast<std::uint32_t>(keyed >> 32);
}

/// The part of a key among 2^bits of about the same size, though some keys use their lower bits only.
constexpr std::size_t part_of(std::uint32_t key, int bits) {
  const std::uint32_t mixed = key * 0x9e3779b1U;
  return static_cast<std::size_t>(std::uint64_t{mixed} >> (32 - bits));
}

/// Tells keys that came once from most others, so that they need not be sorted. 2 to 4 bytes a key.
class RepeatedKeys {
 public:
  explicit RepeatedKeys(std::size_t keys)
      : shift_(32 - std::clamp(static_cast<int>(std::bit_width(8 * keys)), 6, 31)),
        once_((std::size_t{1} << (32 - shift_)) / 64),
        again_(once_.size()) {}

  void add(std::uint32_t key) noexcept {
    const std::size_t slot = slot_of(key);
    const std::uint64_t bit = std::uint64_t{1} << (slot % 64);
    again_[slot / 64] |= once_[slot / 64] & bit;
    once_[slot / 64] |= bit;
  }
  /// True for all keys that came twice, and a few others.
  bool has(std::uint32_t key) const noexcept {
    const std::size_t slot = slot_of(key);
    return ((again_[slot / 64] >> (slot % 64)) & 1) != 0;
  }

 private:
  std::size_t slot_of(std::uint32_t key) const noexcept { return (key * 0x85ebca6bU) >> shift_; }

  int shift_;
  std::vector<std::uint64_t> once_, again_;  ///< a bit for each slot
};

}  // namespace

CandidateBuckets::CandidateBuckets(const BandKeys& keys, std::size_t sets, const WorkSpace& space)
    : keys_(keys),
      sets_(sets),
      bands_(keys.bands()),
      space_(space),
      lists_(space.folder, space.part(4)),
      lists_at_(space.folder, space.part(16)),
      listed_(space.folder, space.part(16)) {
  TS_CHECK(bands_ <= 32 * kMaskWords, "too many bands");
  const std::size_t sets_in_memory = space_.part(8) / (bands_ * sizeof(std::uint64_t));
  while (range_bits_ < Entry::kSetBits && ((std::size_t{2} << range_bits_) <= sets_in_memory ||
                                           (sets_ >> range_bits_) + 1 > Partitions::most(space_.part(8))))
    ++range_bits_;
  by_set_.emplace(space_.folder, (sets_ >> range_bits_) + 1, space_.part(8));
  lists_at_.resize(sets_);
  listed_.resize(sets_ / 64 + 1);
}

void CandidateBuckets::build(const StopFlag& stop) {
  const auto threads = static_cast<std::size_t>(tbb::this_task_arena::max_concurrency());
  const std::size_t memory_of_thread = space_.part(8) / threads;
  int part_bits = 0;
  // A fifth of the room is left free, since parts are not exactly of one size.
  while ((sets_ * sizeof(std::uint64_t) >> part_bits) > memory_of_thread / 5 * 4 &&
         (bands_ << (part_bits + 1)) <= Partitions::most(space_.part(8)))
    ++part_bits;
  Partitions keys(space_.folder, bands_ << part_bits, space_.part(8));
  write_keys(keys, part_bits, stop);
  tbb::parallel_for(std::size_t{0}, keys.size(), [&](std::size_t part) {
    stop.check();
    Sorter sorter(space_.folder, memory_of_thread);
    RepeatedKeys repeated(keys.count(part));
    keys.for_each(part, [&](std::uint64_t key) { repeated.add(key_of(key)); });
    keys.for_each(part, [&](std::uint64_t key) {
      if (repeated.has(key_of(key))) sorter.add(key);
    });
    keys.forget(part);
    find_buckets(part >> part_bits, sorter);
  });
}

void CandidateBuckets::write_keys(Partitions& keys, int part_bits, const StopFlag& stop) const {
  std::vector<std::uint32_t> values(std::min(kSetsTogether, sets_) * bands_);
  for (std::size_t begin = 0; begin < sets_; begin += kSetsTogether) {
    stop.check();
    const std::size_t end = std::min(begin + kSetsTogether, sets_);
    tbb::parallel_for(tbb::blocked_range<std::size_t>(begin, end, kSetsPerTask), [&](const auto& range) {
      for (std::size_t set = range.begin(); set != range.end(); ++set)
        keys_.keys(set, 0, {values.data() + (set - begin) * bands_, bands_});
    });
    tbb::parallel_for(std::size_t{0}, bands_, [&](std::size_t band) {
      for (std::size_t set = begin; set < end; ++set) {
        const std::uint32_t key = values[(set - begin) * bands_ + band];
        keys.add((band << part_bits) + part_of(key, part_bits), keyed(key, set));
      }
    });
  }
}

void CandidateBuckets::find_buckets(std::size_t band, Sorter& keys) {
  std::uint32_t key = 0, first = 0, second = 0;
  std::size_t size = 0;  // of the bucket
  const auto end_bucket = [&] {
    if (size == 2) add(second, band, Kind::kSecondOfTwo, first);
    // The last of its sets need not be listed, since no search comes after it.
    if (size > 2)
      add(first, band, Kind::kFirst, static_cast<std::uint32_t>(std::min<std::size_t>(size - 1, kMaxListed)));
    size = 0;
  };
  while (const auto next = keys.next()) {
    if (size > 0 && key_of(*next) != key) end_bucket();
    const auto set = static_cast<std::uint32_t>(*next);
    if (++size == 1) {
      key = key_of(*next);
      first = set;
    } else if (size == 2) {
      second = set;
    } else {
      if (size == 3) add(second, band, Kind::kLater, first);
      add(set, band, Kind::kLater, first);
    }
  }
  end_bucket();
}

void CandidateBuckets::open_range(std::size_t range) {
  sorted_.emplace(space_.folder, space_.part(8));
  sorted_range_ = range;
  by_set_->for_each(range, [&](std::uint64_t entry) { sorted_->add(entry); });
  by_set_->forget(range);
  next_ = sorted_->next();
}

void CandidateBuckets::load(std::size_t begin, std::size_t end) {
  loaded_begin_ = begin;
  loaded_.clear();
  loaded_ends_.clear();
  for (std::size_t set = begin; set < end; ++set) {
    const std::size_t range = set >> range_bits_;
    if (!sorted_ || sorted_range_ != range) open_range(range);
    for (; next_ && Entry(*next_).set_of_partition() == (set & ((std::size_t{1} << range_bits_) - 1));
         next_ = sorted_->next())
      loaded_.push_back(*next_);
    loaded_ends_.push_back(loaded_.size());
  }
  for (std::size_t set = begin; set < end; ++set) make_lists(set);
}

/// For a set that is the first one in some buckets: the bands of these as bits, where each list begins behind them,
/// and the lists.
void CandidateBuckets::make_lists(std::size_t set) {
  std::array<std::uint32_t, kMaskWords> bands{};
  std::size_t count = 0, listings = 0;
  for (const Entry entry : entries(set)) {
    if (entry.kind() != Kind::kFirst) continue;
    bands[entry.band() / 32] |= 1U << (entry.band() % 32);
    ++count;
    listings += kListHead + entry.value();
  }
  if (count == 0) return;
  const std::size_t at = lists_.size(), size = kMaskWords + count + listings;
  if (at + size > std::numeric_limits<std::uint32_t>::max()) {
    throw Error(
        "cannot search near-duplicates: too many paragraphs share words; raise near_duplicates.threshold or search a "
        "part of them at a time");
  }
  lists_.resize(at + size);
  lists_at_[set] = static_cast<std::uint32_t>(at);
  const auto made = lists_.view(at, size);
  std::copy(bands.begin(), bands.end(), made.begin());
  std::size_t number = kMaskWords, list = kMaskWords + count;
  for (const Entry entry : entries(set)) {
    if (entry.kind() != Kind::kFirst) continue;
    made[number++] = static_cast<std::uint32_t>(list);
    made[list + 1] = entry.value();
    list += kListHead + entry.value();
  }
}

std::size_t CandidateBuckets::list_of(std::size_t first, std::size_t band) const noexcept {
  const std::size_t at = lists_at_[first];
  const auto bands = lists_.view(at, kMaskWords);
  auto before = static_cast<std::size_t>(std::popcount(bands[band / 32] & ((1U << (band % 32)) - 1)));
  for (std::size_t word = 0; word < band / 32; ++word) before += static_cast<std::size_t>(std::popcount(bands[word]));
  return at + lists_[at + kMaskWords + before];
}

void CandidateBuckets::list(std::size_t set) {
  listed_[set / 64] |= std::uint64_t{1} << (set % 64);
  for (const Entry entry : entries(set)) {
    if (entry.kind() == Kind::kSecondOfTwo) continue;  // no search comes after it
    const std::size_t list = list_of(entry.kind() == Kind::kFirst ? set : entry.value(), entry.band());
    const auto head = lists_.view(list, kListHead);
    if (head[0] == head[1]) continue;
    lists_[list + kListHead + head[0]] = static_cast<std::uint32_t>(set);
    if (++head[0] == kMaxListed) ++full_buckets_;
  }
}

}  // namespace touchstone::pipeline::passages::near_duplicates::internal
