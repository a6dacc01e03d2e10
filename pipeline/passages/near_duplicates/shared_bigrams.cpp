#include "pipeline/passages/near_duplicates/shared_bigrams.hpp"

#include "common/error.hpp"

#include <bit>
#include <limits>
#include <numeric>

namespace touchstone::pipeline::passages::near_duplicates::internal {
namespace {

constexpr int kLeastPlaceBits = 12, kMostPlaceBits = 25;
constexpr std::size_t kSetsPerCheck = 1 << 16;

}  // namespace

SharedBigrams::SharedBigrams(const BigramSets& sets, const OverlapCriterion& criterion,
                             const std::filesystem::path& folder)
    : sets_(sets), criterion_(criterion), frequency_(folder), by_keys_(folder), by_all_(folder) {}

void SharedBigrams::Table::make_room(const std::vector<std::uint32_t>& counts) {
  listed.resize(counts.size());
  begins.resize(counts.size() + 1);
  std::uint64_t total = 0;
  for (std::size_t place = 0; place < counts.size(); ++place) {
    begins[place] = static_cast<std::uint32_t>(total);
    total += std::min<std::uint32_t>(counts[place], kMaxListed);
  }
  if (total > std::numeric_limits<std::uint32_t>::max()) {
    throw Error(
        "cannot search near-duplicates by containment: the paragraphs hold too many bigrams; choose another measure or "
        "search a part of them at a time");
  }
  begins[counts.size()] = static_cast<std::uint32_t>(total);
  entries.resize(total);
}

void SharedBigrams::Table::add(std::size_t place, std::uint32_t set) {
  if (listed[place] == kMaxListed) return;
  const std::size_t end = begins[place] + listed[place];
  if (listed[place] > 0 && entries[end - 1] == set) return;  // two bigrams of the set have this place
  entries[end] = set;
  ++listed[place];
}

void SharedBigrams::build(const StopFlag& stop) {
  std::size_t bigrams = 0;
  for (std::size_t set = 0; set < sets_.size(); ++set) bigrams += sets_[set].size();
  const int bits = std::clamp(static_cast<int>(std::bit_width(bigrams)), kLeastPlaceBits, kMostPlaceBits);
  shift_ = 64 - bits;
  frequency_.resize(std::size_t{1} << bits);
  for (std::size_t set = 0; set < sets_.size(); ++set) {
    if (set % kSetsPerCheck == 0) stop.check();
    for (const auto bigram : sets_[set]) {
      auto& count = frequency_[place_of(bigram)];
      if (count < std::numeric_limits<std::uint16_t>::max()) ++count;
    }
  }
  std::vector<std::uint32_t> counts(frequency_.size());
  for (std::size_t place = 0; place < counts.size(); ++place)
    counts[place] = frequency_[place] < 2 ? 0 : frequency_[place];
  by_all_.make_room(counts);
  std::fill(counts.begin(), counts.end(), 0);
  for (std::size_t set = 0; set < sets_.size(); ++set) {
    if (set % kSetsPerCheck == 0) stop.check();
    for (const auto place : key_places(set)) ++counts[place];
  }
  by_keys_.make_room(counts);
}

std::vector<std::size_t> SharedBigrams::places(std::size_t set) const {
  std::vector<std::size_t> found;
  found.reserve(sets_[set].size());
  for (const auto bigram : sets_[set]) {
    const auto place = place_of(bigram);
    // Bigrams ascend, so that those of one place are neighbours.
    if (frequency_[place] >= 2 && (found.empty() || found.back() != place)) found.push_back(place);
  }
  return found;
}

std::vector<std::size_t> SharedBigrams::key_places(std::size_t set) const {
  const auto bigrams = sets_[set];
  std::vector<std::size_t> all;
  all.reserve(bigrams.size());
  for (const auto bigram : bigrams) all.push_back(place_of(bigram));
  const std::size_t keys = bigrams.size() - criterion_.needed(bigrams.size(), bigrams.size()) + 1;
  const auto rarer = [&](std::size_t a, std::size_t b) {
    return frequency_[a] != frequency_[b] ? frequency_[a] < frequency_[b] : a < b;
  };
  std::nth_element(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(keys - 1), all.end(), rarer);
  all.resize(keys);
  std::erase_if(all, [&](std::size_t place) { return frequency_[place] < 2; });
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

std::vector<SharedBigrams::List> SharedBigrams::lists_of(std::size_t set, bool& bounded) const {
  std::vector<List> lists;
  const auto add = [&](const List& list) {
    if (list.first == 0) return;
    bounded |= list.first == kMaxListed;
    lists.push_back(list);
  };
  for (const auto place : places(set)) add(by_keys_.list(place));
  for (const auto place : key_places(set)) add(by_all_.list(place));
  std::sort(lists.begin(), lists.end());
  return lists;
}

void SharedBigrams::list(std::size_t set) {
  for (const auto place : places(set)) by_all_.add(place, static_cast<std::uint32_t>(set));
  for (const auto place : key_places(set)) by_keys_.add(place, static_cast<std::uint32_t>(set));
}

bool SharedBigrams::proposes(std::size_t a, std::size_t b) const {
  if (sets_[a].size() > sets_[b].size()) std::swap(a, b);
  const auto keys = key_places(a), all = places(b);
  return std::any_of(keys.begin(), keys.end(),
                     [&](std::size_t place) { return std::binary_search(all.begin(), all.end(), place); });
}

std::size_t SharedBigrams::full_buckets() const noexcept {
  const auto full = [](const Table& table) {
    const auto listed = table.listed.view(0, table.listed.size());
    return static_cast<std::size_t>(std::count(listed.begin(), listed.end(), kMaxListed));
  };
  return full(by_keys_) + full(by_all_);
}

}  // namespace touchstone::pipeline::passages::near_duplicates::internal
