#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace touchstone::extractors::sql {

/// A value of a row: the text of a string without its quotes and escapes, or the digits of a number.
struct SqlValue {
  std::string_view text;
  bool is_null = false;

  /// The value as a whole number; nothing for NULL and for anything else than digits that fit.
  std::optional<std::uint64_t> number() const noexcept;
  /// Likewise, with a sign.
  std::optional<std::int64_t> signed_number() const noexcept;
};

using SqlRow = std::vector<SqlValue>;

namespace internal {

enum class RowState : std::uint8_t {
  kWhole,       ///< the row was read
  kUnfinished,  ///< the bytes end before the row does
  kMalformed,   ///< the bytes are no row
};

/// What `read_row` found.
struct RowReading {
  RowState state = RowState::kUnfinished;
  std::size_t size = 0;  ///< bytes of the row, if whole; else where reading ended
};

/// Reads "(value,value,...)" at the start of `bytes`. Escapes are undone in place, and only in a whole row; the values
/// are views into `bytes`. Syntax: dev.mysql.com, "String Literals" and "Hexadecimal Literals" (read 2025-01).
/// \param most  number of values to keep at most; a row with more is malformed
RowReading read_row(char* bytes, std::size_t size, std::size_t most, SqlRow& row);

}  // namespace internal

}  // namespace touchstone::extractors::sql
