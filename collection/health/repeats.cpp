#include "collection/health/repeats.hpp"

#include "common/digest.hpp"
#include "common/unicode.hpp"

#include <algorithm>
#include <limits>

namespace touchstone::collection::health {
namespace {

std::uint64_t word_hash(std::string_view word, std::string& lower) {
  if (!is_ascii(word)) return xxh3_64(lower_case(word));
  lower.assign(word);
  for (char& c : lower) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return xxh3_64(lower);
}

/// Mixes two hashes; the order matters. The last steps are those of splitmix64.
std::uint64_t mix(std::uint64_t a, std::uint64_t b) noexcept {
  std::uint64_t mixed = a * 0x9E3779B97F4A7C15U + b;
  mixed = (mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9U;
  mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EBU;
  return mixed ^ (mixed >> 31);
}

}  // namespace

void RepeatCounter::add(std::string_view name, std::string_view text, const std::vector<Word>& words) {
  ++texts_;
  word_hashes_.clear();
  std::string lower;
  std::uint64_t whole = words.size();
  for (const auto& word : words) {
    word_hashes_.push_back(word_hash(text.substr(word.begin, word.end - word.begin), lower));
    whole = mix(whole, word_hashes_.back());
  }
  if (words.empty()) whole = xxh3_64(text);
  const bool fresh = seen_.emplace(whole, static_cast<std::uint32_t>(sketch_names_.size())).second;
  if (!fresh) {
    ++exact_;
    const auto first = seen_.at(whole);
    if (exact_sample_.first.empty() && first < sketch_names_.size())
      exact_sample_ = {std::string(name), sketch_names_[first]};
    return;
  }
  if (sketches_.size() < kMaxSketchedTexts) add_sketch(name, word_hashes_);
}

void RepeatCounter::add_sketch(std::string_view name, const std::vector<std::uint64_t>& hashes) {
  std::array<std::uint64_t, kBins> least;
  least.fill(std::numeric_limits<std::uint64_t>::max());
  for (std::size_t i = 0; i + 1 < std::max<std::size_t>(hashes.size(), 2) && i < hashes.size(); ++i) {
    const std::uint64_t pair = mix(hashes[i], i + 1 < hashes.size() ? hashes[i + 1] : 0);
    auto& bin = least[pair >> 59];
    bin = std::min(bin, pair);
  }
  Sketch sketch{};
  for (std::size_t i = 0; i < kBins; ++i) {
    if (least[i] != std::numeric_limits<std::uint64_t>::max())
      sketch[i] = static_cast<std::uint16_t>(1 + mix(least[i], 1) % 0xFFFF);
  }
  const auto number = static_cast<std::uint32_t>(sketches_.size());
  bool near = false;
  for (std::size_t band = 0; band < kBins / kBandBins; ++band) {
    std::uint64_t key = band, used = 0;
    for (std::size_t i = band * kBandBins; i < (band + 1) * kBandBins; ++i) {
      key = mix(key, least[i]);
      used += sketch[i] != 0 ? 1 : 0;
    }
    if (used == 0) continue;
    const auto [first, fresh] = bands_.emplace(key, number);
    if (fresh || near || first->second == number || overlap(sketches_[first->second], sketch) < kNearRepeatOverlap)
      continue;
    near = true;
    ++near_;
    if (near_sample_.first.empty()) near_sample_ = {std::string(name), sketch_names_[first->second]};
  }
  sketches_.push_back(sketch);
  sketch_names_.emplace_back(name);
}

double RepeatCounter::overlap(const Sketch& a, const Sketch& b) noexcept {
  std::size_t equal = 0, used = 0;
  for (std::size_t i = 0; i < kBins; ++i) {
    if (a[i] == 0 && b[i] == 0) continue;
    ++used;
    if (a[i] == b[i]) ++equal;
  }
  return used == 0 ? 0 : static_cast<double>(equal) / static_cast<double>(used);
}

}  // namespace touchstone::collection::health
