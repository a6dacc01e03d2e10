#include "collection/health/repeats.hpp"

#include "common/digest.hpp"
#include "common/unicode.hpp"

#include <algorithm>
#include <limits>
#include <optional>

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
  ++found_.texts;
  word_hashes_.clear();
  std::string lower;
  std::uint64_t whole = words.size();
  for (const auto& word : words) {
    word_hashes_.push_back(word_hash(text.substr(word.begin, word.end - word.begin), lower));
    whole = mix(whole, word_hashes_.back());
  }
  if (words.empty()) whole = xxh3_64(text);
  if (const auto first = first_.find(whole); first != first_.end()) {
    if (found_.exact++ > 0) return;
    exact_sample_ = first->second;
    found_.exact_sample.first = name;
  } else if (sketches_.size() == kMaxSketchedTexts) {
    later_.add(whole);
  } else {
    first_.emplace(whole, static_cast<std::uint32_t>(sketches_.size()));
    add_sketch(name, word_hashes_);
  }
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
  for (std::uint32_t band = 0; band < kBins / kBandBins; ++band) {
    std::uint64_t key = band, used = 0;
    for (std::size_t i = band * kBandBins; i < (band + 1) * kBandBins; ++i) {
      key = mix(key, least[i]);
      used += sketch[i] != 0 ? 1 : 0;
    }
    if (used > 0) bands_.add({key, number, band});
  }
  sketches_.push_back(sketch);
  names_.add({number, std::string(name)});
}

Repeats RepeatCounter::finish() {
  count_later_repeats();
  find_near_repeats();
  read_names();
  return std::move(found_);
}

void RepeatCounter::count_later_repeats() {
  std::optional<std::uint64_t> last;
  while (const auto hash = later_.next()) {
    if (hash == last) ++found_.exact;
    last = hash;
  }
}

void RepeatCounter::find_near_repeats() {
  std::vector<bool> is_near(sketches_.size());
  std::uint32_t first_band = 0;  // of the sample
  std::optional<Band> first;     // that has the key
  while (const auto band = bands_.next()) {
    if (!first || band->key != first->key) {
      first = band;
      continue;
    }
    const auto sketch = band->sketch;
    const bool is_first =
        std::pair(sketch, band->number) < std::pair(near_sample_.first, first_band);  // in the order of texts and bands
    if (is_near[sketch] && !is_first) continue;
    if (overlap(sketches_[first->sketch], sketches_[sketch]) < kNearRepeatOverlap) continue;
    if (!is_near[sketch]) ++found_.near;
    is_near[sketch] = true;
    if (!is_first) continue;
    near_sample_ = {sketch, first->sketch};
    first_band = band->number;
  }
}

void RepeatCounter::read_names() {
  if (found_.exact == 0 && found_.near == 0) return;
  while (const auto name = names_.next()) {
    if (name->sketch == exact_sample_) found_.exact_sample.second = name->text;
    if (name->sketch == near_sample_.first) found_.near_sample.first = name->text;
    if (name->sketch == near_sample_.second) found_.near_sample.second = name->text;
  }
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
