#include "pipeline/corpus/links/number_set.hpp"

#include <algorithm>

namespace touchstone::pipeline::corpus::links {

bool NumberSet::add(std::uint64_t number) {
  const auto block = number / kBlockNumbers;
  if (block >= blocks_.size() || blocks_[block] == nullptr) {
    const auto places = std::max<std::uint64_t>(blocks_.size(), block + 1);
    if (places > most_bytes_ / sizeof blocks_[0] ||
        places * sizeof blocks_[0] + (used_blocks_ + 1) * sizeof(Block) > most_bytes_)
      return false;
    blocks_.resize(places);
    blocks_[block] = std::make_unique<Block>();
    ++used_blocks_;
  }
  (*blocks_[block])[number % kBlockNumbers / 64].bits |= std::uint64_t{1} << (number % 64);
  return true;
}

void NumberSet::seal() {
  size_ = 0;
  for (const auto& block : blocks_) {
    if (block == nullptr) continue;
    for (auto& word : *block) {
      word.before = size_;
      size_ += static_cast<std::size_t>(std::popcount(word.bits));
    }
  }
}

}  // namespace touchstone::pipeline::corpus::links
