#include "storage/write_ahead_log.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

namespace touchstone::storage::internal {
namespace {

constexpr std::size_t kBlockBytes = 32768;
constexpr std::size_t kHeaderBytes = 7;             // checksum 4, length 2, type 1
constexpr std::size_t kRecyclableHeaderBytes = 11;  // and the number of the log, 4

enum Type : std::uint8_t {
  kZero = 0,
  kFull = 1,
  kFirst = 2,
  kMiddle = 3,
  kLast = 4,
  kFirstRecyclable = 5,
  kLastRecyclable = 8
};

constexpr std::array<std::uint32_t, 256> make_table() {
  std::array<std::uint32_t, 256> table{};
  for (std::uint32_t byte = 0; byte < 256; ++byte) {
    std::uint32_t value = byte;
    for (int bit = 0; bit < 8; ++bit) value = (value >> 1) ^ ((value & 1) != 0 ? 0x82F63B78U : 0);
    table[byte] = value;
  }
  return table;
}
constexpr auto kTable = make_table();

std::uint32_t little_endian(std::string_view bytes) {
  std::uint32_t value = 0;
  for (std::size_t i = bytes.size(); i-- > 0;) value = value << 8 | static_cast<unsigned char>(bytes[i]);
  return value;
}

/// Checksums are stored in this form, since a checksum of data that holds checksums says little.
std::uint32_t masked(std::uint32_t crc) {
  return ((crc >> 15) | (crc << 17)) + 0xA282EAD8U;
}

/// Puts the pieces of records together.
class Assembler {
 public:
  explicit Assembler(const std::function<void(const std::string&)>& use) : use_(use) {}

  void piece(std::uint8_t type, std::string_view payload) {
    if (type == kFull || type == kFirst) drop();
    if (type == kFull) {
      use_(std::string(payload));
    } else if (type == kFirst) {
      record_ = payload;
      open_ = true;
    } else if (!open_) {
      lost_ += payload.size();
    } else {
      record_.append(payload);
      if (type != kLast) return;
      use_(record_);
      open_ = false;
      record_.clear();
    }
  }
  void lose(std::size_t bytes) {
    drop();
    lost_ += bytes;
  }
  /// Gives up a record whose end is missing.
  void drop() {
    lost_ += record_.size();
    record_.clear();
    open_ = false;
  }
  std::uint64_t lost() const { return lost_; }

 private:
  const std::function<void(const std::string&)>& use_;
  std::string record_;
  bool open_ = false;
  std::uint64_t lost_ = 0;
};

void read_block(std::string_view block, Assembler& records) {
  while (block.size() >= kHeaderBytes) {
    const auto length = little_endian(block.substr(4, 2));
    auto type = static_cast<std::uint8_t>(block[6]);
    if (type == kZero && length == 0) return;  // space that was reserved and never used
    const bool recyclable = type >= kFirstRecyclable && type <= kLastRecyclable;
    const std::size_t header = recyclable ? kRecyclableHeaderBytes : kHeaderBytes;
    if (block.size() < header + length) return records.lose(block.size());
    if (masked(crc32c(block.substr(6, header - 6 + length))) != little_endian(block.substr(0, 4)))
      return records.lose(block.size());
    if (recyclable) type = static_cast<std::uint8_t>(type - kFirstRecyclable + kFull);
    if (type >= kFull && type <= kLast) records.piece(type, block.substr(header, length));
    block.remove_prefix(header + length);
  }
}

}  // namespace

std::uint32_t crc32c(std::string_view bytes) noexcept {
  std::uint32_t crc = 0xFFFFFFFFU;
  for (const char c : bytes) crc = kTable[(crc ^ static_cast<unsigned char>(c)) & 0xFF] ^ (crc >> 8);
  return ~crc;
}

std::uint64_t read_log_records(std::string_view log, const std::function<void(const std::string&)>& use) {
  Assembler records(use);
  for (; !log.empty(); log.remove_prefix(std::min(kBlockBytes, log.size())))
    read_block(log.substr(0, kBlockBytes), records);
  records.drop();
  return records.lost();
}

}  // namespace touchstone::storage::internal
