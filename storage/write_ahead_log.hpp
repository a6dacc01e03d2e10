#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace touchstone::storage::internal {

/// CRC-32C (Castagnoli) of the bytes.
std::uint32_t crc32c(std::string_view bytes) noexcept;

/// Calls `use` for each whole record of a RocksDB write-ahead log, in order. Parts with a wrong checksum are skipped up
/// to the next block. Returns the number of bytes that were skipped; a record that is cut off at the end is among them.
/// Pure; it reads nothing outside of `log`, whatever that holds.
/// Source: github.com/facebook/rocksdb/wiki/Write-Ahead-Log-File-Format (read 2025-01).
std::uint64_t read_log_records(std::string_view log, const std::function<void(const std::string&)>& use);

}  // namespace touchstone::storage::internal
