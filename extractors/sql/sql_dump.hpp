#pragma once

#include "extractors/dump/byte_source.hpp"

#include <bitset>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
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

struct SqlDumpOptions {
  std::size_t read_bytes = std::size_t{1} << 20;      ///< asked from the source at a time
  std::size_t max_row_bytes = std::size_t{64} << 20;  ///< of a row, and of any other statement
};

/// What a dump says about its table.
struct SqlTable {
  std::string name;
  std::vector<std::string> columns;  ///< in the order of CREATE TABLE
  std::string database;              ///< from the comment on top, such as "chwiki"; empty if it does not say

  /// Position of a column; nothing if the table has none of this name.
  std::optional<std::size_t> column(std::string_view column_name) const;
};

/// Reads the rows of one table from what `mysqldump` and `mariadb-dump` write, in one pass and bounded memory. The
/// columns are those of CREATE TABLE, so that tables of different years can be read alike.
/// Not thread-safe. Throws FormatError, with the file and the byte of its text, for all that is no such dump: another
/// kind of file, several tables, rows that do not match the columns, bytes of value zero, a file that ends too early.
/// Of a dump without any comment or statement around its rows, as `--compact` makes, nobody can tell where it was to
/// end.
class SqlDumpReader {
 public:
  /// Reads up to the first row.
  explicit SqlDumpReader(std::unique_ptr<dump::ByteSource> source, SqlDumpOptions options = {});

  const SqlTable& table() const noexcept { return table_; }
  const std::string& name() const noexcept { return source_->name(); }
  std::uint64_t rows() const noexcept { return rows_; }
  /// Decompressed bytes in front of what is read next.
  std::uint64_t offset() const noexcept { return window_offset_ + at_; }

  /// The next row, which has one value for each column; false at the end of a complete file. The values are valid until
  /// the next call.
  bool next(SqlRow& row);

 private:
  [[noreturn]] void fail(const std::string& why) const;
  [[noreturn]] void fail_truncated(std::string_view inside) const;
  bool fill();
  bool starts_with(std::string_view word);
  void skip_blanks();
  /// Takes what is up to `end`, and `end` itself.
  std::string take_until(std::string_view end, std::string_view inside);
  /// Goes on to the rows of the next INSERT; false at the end of the file.
  bool find_rows();
  void read_comment_line();
  /// Remembers what a complete dump closes behind its rows.
  void note_bracket(std::string_view text);
  void read_create_table();
  void read_insert_head();
  void skip_statement();

  std::unique_ptr<dump::ByteSource> source_;
  SqlDumpOptions options_;
  SqlTable table_;
  std::string window_;  ///< bytes [window_offset_, window_offset_ + size) of the decompressed file
  std::uint64_t window_offset_ = 0;
  std::size_t at_ = 0;
  std::uint64_t rows_ = 0;
  bool source_ended_ = false;
  bool in_rows_ = false;     ///< `at_` is at a row, or behind one
  bool behind_row_ = false;  ///< of the same INSERT
  std::bitset<8> open_brackets_;
};

}  // namespace touchstone::extractors::sql
