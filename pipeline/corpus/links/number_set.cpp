#include "pipeline/corpus/links/number_set.hpp"

namespace touchstone::pipeline::corpus::links {

bool NumberSet::add(std::uint64_t number) {
  const auto block = number / kBlockNumbers;
  if (block >= blocks_.size()) {
    if (block * sizeof(blocks_[0]) > most_blocks_ * sizeof(Block)) return false;
    blocks_.resize(block + 1);
  }
  if (blocks_[block] == nullptr) {
    if (used_blocks_ == most_blocks_) return false;
    ++used_blocks_;
    blocks_[block] = std::make_unique<Block>();
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
