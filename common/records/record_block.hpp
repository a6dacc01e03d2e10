#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

/// Blocks of records as bytes: what files of records (record_file.hpp) and logs of records (record_log.hpp) share.
namespace touchstone::records::internal {

inline constexpr std::size_t kMostBlockBytes = std::size_t{1} << 30;  ///< a record is never larger than that either

/// Before the bytes of a block: sizes in the file and before compression, and the checksum.
struct BlockHead {
  static constexpr std::size_t kBytes = 16;
  std::uint32_t stored = 0, size = 0;
  std::uint64_t checksum = 0;

  std::string bytes() const;
  /// \pre `bytes` has kBytes or more
  static BlockHead of(std::string_view bytes);
};

/// Covers the sizes too, so that none is believed which a broken disk gave.
/// \param seed  tells blocks of one kind of file from those of others
std::uint64_t checksum_of(std::string_view stored, std::uint32_t size, std::uint64_t seed = 0);

/// Head and compressed bytes of a block. Throws StorageError. Thread-safe, like the next one.
std::string pack_block(std::string_view records, std::uint64_t seed = 0);

/// The records of a block; false if it is damaged.
/// \param stored  its bytes behind the head
bool unpack_block(const BlockHead& head, std::string_view stored, std::string& records, std::uint64_t seed = 0);

}  // namespace touchstone::records::internal
