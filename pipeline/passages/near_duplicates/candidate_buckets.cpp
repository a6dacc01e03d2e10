#include "pipeline/passages/near_duplicates/candidate_buckets.hpp"

#include "common/error.hpp"

#include <algorithm>
#include <array>

#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/parallel_for.h>

namespace touchstone::pipeline::passages::near_duplicates::internal {
namespace {

/// Bands whose keys are computed and sorted together: 8 bytes for each set and band are needed meanwhile.
constexpr std::size_t kBandsTogether = 8;
constexpr std::size_t kSetsPerTask = 1024;

/// A key in the upper half and the set in the lower one, so that sorting brings equal keys together, sets ascending.
using Entry = std::uint64_t;

constexpr std::uint32_t key_of(Entry entry) {
  return static_cast<std::uint32_t>(entry >> 32);
}

/// Calls `bucket(begin, end)` for each run of at least two entries with the same key.
template <class Bucket>
void for_each_bucket(const Entry* entries, std::size_t size, const Bucket& bucket) {
  for (std::size_t begin = 0, end = 0; begin < size; begin = end) {
    while (end < size && key_of(entries[end]) == key_of(entries[begin])) ++end;
    if (end - begin >= 2) bucket(entries + begin, entries + end);
  }
}

/// Listings of a bucket: the last of its sets need not be listed, since no search comes after it.
std::size_t room_for(const Entry* begin, const Entry* end) {
  return std::min<std::size_t>(static_cast<std::size_t>(end - begin) - 1, CandidateBuckets::kMaxListed);
}

}  // namespace

/// The entries of some bands, one band after the other.
struct CandidateBuckets::Pass {
  std::size_t first_band, bands, sets;
  GrowingArray<Entry>& entries;

  Entry* of(std::size_t band) const { return entries.data() + band * sets; }

  void compute(const BandKeys& keys) const {
    tbb::parallel_for(tbb::blocked_range<std::size_t>(0, sets, kSetsPerTask), [&](const auto& range) {
      std::uint32_t values[kBandsTogether];
      for (std::size_t set = range.begin(); set != range.end(); ++set) {
        keys.keys(set, first_band, {values, bands});
        for (std::size_t band = 0; band < bands; ++band) of(band)[set] = (Entry{values[band]} << 32) | set;
      }
    });
  }
};

void CandidateBuckets::build(const BandKeys& keys, std::size_t sets, const StopFlag& stop) {
  bands_ = keys.bands();
  buckets_.resize(sets * bands_);
  begins_.resize(1);  // the first number represents sets that are alone
  GrowingArray<Entry> entries;
  entries.resize(sets * std::min(kBandsTogether, bands_));
  std::uint64_t listings = 0;
  for (std::size_t first_band = 0; first_band < bands_; first_band += kBandsTogether) {
    stop.check();
    const Pass pass{first_band, std::min(kBandsTogether, bands_ - first_band), sets, entries};
    pass.compute(keys);
    number_buckets(pass, listings);
  }
  listed_.resize(begins_.size());
  listings_.resize(listings);
}

/// Gives the buckets of some bands their numbers, one band after the other, and room for their listings.
void CandidateBuckets::number_buckets(const Pass& pass, std::uint64_t& listings) {
  struct Totals {
    std::uint64_t buckets = 0, listings = 0;
  };
  std::array<Totals, kBandsTogether + 1> before;  // each band
  tbb::parallel_for(std::size_t{0}, pass.bands, [&](std::size_t band) {
    std::sort(pass.of(band), pass.of(band) + pass.sets);
    for_each_bucket(pass.of(band), pass.sets, [&](const Entry* begin, const Entry* end) {
      ++before[band + 1].buckets;
      before[band + 1].listings += room_for(begin, end);
    });
  });
  before[0] = {begins_.size(), listings};
  for (std::size_t band = 0; band < pass.bands; ++band) {
    before[band + 1].buckets += before[band].buckets;
    before[band + 1].listings += before[band].listings;
  }
  listings = before[pass.bands].listings;
  if (std::max(listings, before[pass.bands].buckets) > 0xFFFFFFFF) {
    throw Error(
        "cannot search near-duplicates: too many paragraphs share words; raise near_duplicates.threshold or search a "
        "part of them at a time");
  }
  begins_.resize(before[pass.bands].buckets);
  tbb::parallel_for(std::size_t{0}, pass.bands, [&](std::size_t band) {
    Totals next = before[band];
    for_each_bucket(pass.of(band), pass.sets, [&](const Entry* begin, const Entry* end) {
      for (const Entry* entry = begin; entry != end; ++entry)
        buckets_[static_cast<std::uint32_t>(*entry) * bands_ + pass.first_band + band] =
            static_cast<std::uint32_t>(next.buckets);
      begins_[next.buckets++] = static_cast<std::uint32_t>(next.listings);
      next.listings += room_for(begin, end);
    });
  });
}

void CandidateBuckets::list(std::size_t set) {
  const std::uint32_t* buckets = buckets_.data() + set * bands_;
  for (std::size_t band = 0; band < bands_; ++band) {
    const std::uint32_t bucket = buckets[band];
    if (bucket == kAlone || listed_[bucket] == kMaxListed) continue;
    const std::uint32_t end =
        bucket + 1 < begins_.size() ? begins_[bucket + 1] : static_cast<std::uint32_t>(listings_.size());
    const std::uint32_t place = begins_[bucket] + listed_[bucket];
    if (place == end) continue;  // the last set of its bucket: no search comes after it
    listings_[place] = static_cast<std::uint32_t>(set);
    ++listed_[bucket];
  }
}

std::size_t CandidateBuckets::full_buckets() const noexcept {
  return static_cast<std::size_t>(std::count(listed_.data(), listed_.data() + listed_.size(), kMaxListed));
}

}  // namespace touchstone::pipeline::passages::near_duplicates::internal
