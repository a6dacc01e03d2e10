#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace touchstone::formats::labeling::internal {

/// Reads CSV or TSV as spreadsheets and Python write it: the first record names the columns, cells may be quoted, and a
/// quoted cell may hold separators, line ends and doubled quotes. A tab in the first line tells TSV. Not thread-safe.
/// Source: RFC 4180.
class SeparatedTable {
 public:
  /// Reads the header. \param text  views; outlives the table. Throws FormatError for a header without columns.
  SeparatedTable(const std::filesystem::path& file, std::string_view text);

  /// Reads the next record. Returns false at the end. Throws FormatError for a record with more or fewer cells than the
  /// header, and for one that ends inside quotes.
  bool next();

  const std::vector<std::string>& columns() const { return columns_; }
  const std::vector<std::string>& cells() const { return cells_; }
  /// Where the record begins, from 1.
  std::uint64_t line() const { return record_line_; }

 private:
  bool read_record(std::vector<std::string>& cells);
  std::string read_quoted();

  const std::filesystem::path& file_;
  std::string_view text_;
  std::size_t at_ = 0;
  char separator_ = ',';
  std::uint64_t line_ = 1, record_line_ = 1;
  std::vector<std::string> columns_, cells_;
};

}  // namespace touchstone::formats::labeling::internal
