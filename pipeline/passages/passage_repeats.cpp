#include "pipeline/passages/passage_repeats.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace touchstone::pipeline::passages {
PassageRepeats::PassageRepeats(std::vector<PassageRepeat> repeats)
    : repeats_(std::move(repeats)), by_representative_(repeats_.size()) {
  std::sort(repeats_.begin(), repeats_.end(), [](const auto& a, const auto& b) { return a.place < b.place; });
  std::iota(by_representative_.begin(), by_representative_.end(), 0U);
  std::stable_sort(by_representative_.begin(), by_representative_.end(), [&](std::uint32_t a, std::uint32_t b) {
    return repeats_[a].representative < repeats_[b].representative;
  });
}

const PassageRepeat* PassageRepeats::at(const PassagePlace& place) const noexcept {
  const auto found =
      std::lower_bound(repeats_.begin(), repeats_.end(), place,
                       [](const PassageRepeat& repeat, const PassagePlace& at) { return repeat.place < at; });
  return found != repeats_.end() && found->place == place ? &*found : nullptr;
}

std::vector<PassagePlace> PassageRepeats::of(const PassagePlace& representative) const {
  auto at = std::lower_bound(
      by_representative_.begin(), by_representative_.end(), representative,
      [&](std::uint32_t repeat, const PassagePlace& wanted) { return repeats_[repeat].representative < wanted; });
  std::vector<PassagePlace> places;
  for (; at != by_representative_.end() && repeats_[*at].representative == representative; ++at)
    places.push_back(repeats_[*at].place);
  return places;
}

}  // namespace touchstone::pipeline::passages
