#include "storage/backlink_block.hpp"

#include "common/error.hpp"
#include "storage/record_coding.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

namespace touchstone::storage::internal {
namespace {

/// A block with so many links is full, so that who reads a short list does not have to read a long one too.
constexpr std::uint64_t kLinksPerBlock = 1024;

/// Bits of a gap that are written as they are; the rest is unary. For gaps of random lists a number of bits near
/// log2(ln 2 * mean gap) is the best for a Rice code (Kiely, "Selecting the Golomb parameter in Rice coding", IPN
/// Progress Report 42-159, 2004).
unsigned low_bits(std::uint32_t sources, std::uint32_t count) {
  const auto scaled = std::uint64_t{sources} * 177 / 256 / count;
  return scaled == 0 ? 0 : static_cast<unsigned>(std::bit_width(scaled)) - 1;
}

/// 64 bits from a byte on; those behind the end are 0.
std::uint64_t load(std::string_view bytes, std::uint64_t at) {
  static_assert(std::endian::native == std::endian::little);
  std::uint64_t word = 0;
  if (at + sizeof word <= bytes.size()) {
    std::memcpy(&word, bytes.data() + at, sizeof word);
  } else if (at < bytes.size()) {
    std::memcpy(&word, bytes.data() + at, bytes.size() - at);
  }
  return word;
}

/// At least 57 bits from a bit on.
std::uint64_t load_bits(std::string_view bytes, std::uint64_t bit) {
  return load(bytes, bit / 8) >> (bit % 8);
}

[[noreturn]] void fail() {
  throw StorageError("the store holds a damaged list of backlinks; build the store again from the dump");
}

std::uint64_t bytes_of(std::uint64_t bits) {
  return (bits + 7) / 8;
}

/// \param bit  where the code begins; moved behind it
std::uint64_t read_gamma(std::string_view bytes, std::uint64_t& bit) {
  const auto word = load_bits(bytes, bit);
  const auto length = static_cast<unsigned>(std::countr_zero(word));
  if (length > 32) fail();
  const auto low = load_bits(bytes, bit + length + 1) & ((std::uint64_t{1} << length) - 1);
  bit += 2 * length + 1;
  return std::uint64_t{1} << length | low;
}

}  // namespace

void BitWriter::bits(std::uint64_t value, unsigned count) {
  word_ |= value << held_;
  for (held_ += count; held_ >= 8; held_ -= 8) {
    bytes_.push_back(static_cast<char>(word_));
    word_ >>= 8;
  }
}

void BitWriter::unary(std::uint64_t zeros) {
  for (; zeros >= 32; zeros -= 32) bits(0, 32);
  bits(std::uint64_t{1} << zeros, static_cast<unsigned>(zeros) + 1);
}

void BitWriter::gamma(std::uint64_t value) {
  const auto length = static_cast<unsigned>(std::bit_width(value)) - 1;
  unary(length);
  bits(value - (std::uint64_t{1} << length), length);
}

std::string BitWriter::take() {
  if (held_ > 0) bytes_.push_back(static_cast<char>(word_));
  word_ = held_ = 0;
  return std::exchange(bytes_, {});
}

bool BacklinkBlockBuilder::full() const noexcept {
  return targets_ == BacklinkBlock::kMostTargets || links_ >= kLinksPerBlock;
}

void BacklinkBlockBuilder::add(PageId target, std::span<const std::uint32_t> numbers) {
  TS_CHECK(!full() && !numbers.empty() && (empty() || target.value > last_), "lists come in order");
  const auto count = static_cast<std::uint32_t>(numbers.size());
  if (empty())
    first_ = target.value;
  else
    heads_.gamma(target.value - last_);
  heads_.gamma(count);
  const auto k = low_bits(sources_, count);
  std::uint64_t least = 0;
  for (const std::uint32_t number : numbers) {
    TS_CHECK(number >= least && number < sources_, "sources of a page ascend");
    const auto gap = number - least;
    high_.unary(gap >> k);
    low_.bits(gap & ((std::uint64_t{1} << k) - 1), k);
    least = std::uint64_t{number} + 1;
  }
  last_ = target.value;
  links_ += count;
  ++targets_;
}

std::string BacklinkBlockBuilder::take() {
  Encoder out;
  out.number(sources_);
  out.number(targets_);
  out.number(first_);
  out.number(high_.size());
  auto block = out.take() + heads_.take() + high_.take() + low_.take();
  targets_ = links_ = 0;
  return block;
}

BacklinkBlock::BacklinkBlock(std::string_view bytes) {
  Decoder in(bytes, "list of backlinks");
  sources_ = in.number32();
  size_ = in.number();
  auto target = std::uint64_t{in.number32()};
  const auto high_bits = in.number();
  const auto rest = bytes.substr(static_cast<std::size_t>(in.raw(0).data() - bytes.data()));
  if (size_ == 0 || size_ > kMostTargets || high_bits > 8 * rest.size() || high_bits > UINT32_MAX) fail();
  std::uint64_t bit = 0, links = 0, low = 0;
  for (std::size_t at = 0; at < size_; ++at) {
    if (at > 0) target += read_gamma(rest, bit);
    const auto count = read_gamma(rest, bit);
    if (target > UINT32_MAX || count > sources_) fail();
    heads_[at] = {static_cast<std::uint32_t>(target), static_cast<std::uint32_t>(count)};
    links += count;
    low += count * low_bits(sources_, heads_[at].count);
  }
  if (bytes_of(bit) + bytes_of(high_bits) + bytes_of(low) != rest.size()) fail();
  high_ = rest.substr(bytes_of(bit), bytes_of(high_bits));
  low_ = rest.substr(rest.size() - bytes_of(low));
  // One bit is set for each link, the last of which ends the codes: the lists can be read without looking further.
  std::uint64_t ones = 0;
  for (std::uint64_t byte = 0; byte < high_.size(); byte += 8)
    ones += static_cast<unsigned>(std::popcount(load(high_, byte)));
  if (ones != links || load(high_, (high_bits - 1) / 8) >> ((high_bits - 1) % 8) != 1) fail();
}

std::optional<std::size_t> BacklinkBlock::find(PageId target) const {
  const auto end = heads_.begin() + static_cast<std::ptrdiff_t>(size_);
  const auto at = std::lower_bound(heads_.begin(), end, target.value,
                                   [](const Head& head, std::uint32_t value) { return head.target < value; });
  if (at == end || at->target != target.value) return std::nullopt;
  return static_cast<std::size_t>(at - heads_.begin());
}

void BacklinkBlock::read(std::size_t at, std::vector<std::uint32_t>& numbers) const {
  std::uint64_t skipped = 0;  // links of the lists before
  Place place;
  for (std::size_t i = 0; i < at; ++i) {
    skipped += heads_[i].count;
    place.low += std::uint64_t{heads_[i].count} * low_bits(sources_, heads_[i].count);
  }
  if (skipped > 0) {
    std::uint64_t word = load(high_, 0);
    for (auto ones = static_cast<unsigned>(std::popcount(word)); ones < skipped;
         ones = static_cast<unsigned>(std::popcount(word))) {
      skipped -= ones;
      place.high += 64;
      word = load(high_, place.high / 8);
    }
    for (; skipped > 1; --skipped) word &= word - 1;
    place.high += static_cast<unsigned>(std::countr_zero(word)) + 1;
  }
  read(heads_.at(at), place, numbers);
}

void BacklinkBlock::read(const Head& head, Place& place, std::vector<std::uint32_t>& numbers) const {
  const auto k = low_bits(sources_, head.count);
  const auto mask = (std::uint64_t{1} << k) - 1;
  numbers.resize(head.count);
  std::uint64_t base = place.high / 64 * 64, least = 0;
  std::uint64_t word = load(high_, base / 8) >> (place.high % 64) << (place.high % 64);
  for (std::uint32_t& number : numbers) {
    while (word == 0) word = load(high_, (base += 64) / 8);
    const auto one = base + static_cast<unsigned>(std::countr_zero(word));
    word &= word - 1;
    least += ((one - place.high) << k) + (load_bits(low_, place.low) & mask);
    number = static_cast<std::uint32_t>(least++);
    place.high = one + 1;
    place.low += k;
  }
  if (least > sources_) fail();
}

}  // namespace touchstone::storage::internal
