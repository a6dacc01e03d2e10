#include "common/records/record_block.hpp"

#include "common/digest.hpp"
#include "common/error.hpp"

#include <memory>

#include <zstd.h>

namespace touchstone::records::internal {
namespace {

constexpr int kLevel = 1;  ///< the fastest: files are written once and read once or twice

}  // namespace

std::string BlockHead::bytes() const {
  std::string out;
  for (int shift = 0; shift < 32; shift += 8) out.push_back(static_cast<char>(stored >> shift & 0xFFU));
  for (int shift = 0; shift < 32; shift += 8) out.push_back(static_cast<char>(size >> shift & 0xFFU));
  for (int shift = 0; shift < 64; shift += 8) out.push_back(static_cast<char>(checksum >> shift & 0xFFU));
  return out;
}

BlockHead BlockHead::of(std::string_view bytes) {
  const auto number = [&](std::size_t at, std::size_t size) {
    std::uint64_t value = 0;
    for (std::size_t i = size; i-- > 0;) value = value << 8U | static_cast<unsigned char>(bytes[at + i]);
    return value;
  };
  return {static_cast<std::uint32_t>(number(0, 4)), static_cast<std::uint32_t>(number(4, 4)), number(8, 8)};
}

std::uint64_t checksum_of(std::string_view stored, std::uint32_t size, std::uint64_t seed) {
  return xxh3_64(stored, (stored.size() << 32U ^ size) ^ seed);
}

std::string pack_block(std::string_view records, std::uint64_t seed) {
  thread_local const std::unique_ptr<ZSTD_CCtx, decltype(&ZSTD_freeCCtx)> context(ZSTD_createCCtx(), ZSTD_freeCCtx);
  std::string block(BlockHead::kBytes + ZSTD_compressBound(records.size()), '\0');
  const auto stored = ZSTD_compressCCtx(context.get(), block.data() + BlockHead::kBytes,
                                        block.size() - BlockHead::kBytes, records.data(), records.size(), kLevel);
  if (ZSTD_isError(stored) != 0) throw StorageError(std::string("cannot compress: ") + ZSTD_getErrorName(stored));
  block.resize(BlockHead::kBytes + stored);
  const auto size = static_cast<std::uint32_t>(records.size());
  const auto checksum = checksum_of(std::string_view(block).substr(BlockHead::kBytes), size, seed);
  return block.replace(0, BlockHead::kBytes, BlockHead{static_cast<std::uint32_t>(stored), size, checksum}.bytes());
}

bool unpack_block(const BlockHead& head, std::string_view stored, std::string& records, std::uint64_t seed) {
  thread_local const std::unique_ptr<ZSTD_DCtx, decltype(&ZSTD_freeDCtx)> context(ZSTD_createDCtx(), ZSTD_freeDCtx);
  if (head.size > kMostBlockBytes || checksum_of(stored, head.size, seed) != head.checksum) return false;
  records.resize(head.size);
  return ZSTD_decompressDCtx(context.get(), records.data(), records.size(), stored.data(), stored.size()) == head.size;
}

}  // namespace touchstone::records::internal
