#include "pipeline/corpus/links/sql_tables.hpp"

#include "common/digest.hpp"
#include "common/error.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>

namespace touchstone::pipeline::corpus::links {
namespace {

using extractors::sql::SqlDumpReader;
using extractors::sql::WikiTable;

constexpr std::uint64_t kRowsBetweenStopChecks = 4096;
constexpr std::size_t kDigestedBytes = std::size_t{64} << 10;

std::string bytes_at(std::ifstream& in, std::uint64_t offset) {
  std::string bytes(kDigestedBytes, '\0');
  in.clear();
  in.seekg(static_cast<std::streamoff>(offset));
  in.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  bytes.resize(static_cast<std::size_t>(std::max<std::streamsize>(0, in.gcount())));
  return bytes;
}

}  // namespace

SqlTables::SqlTables(const std::vector<std::string>& files, const StopFlag& stop) : stop_(stop) {
  for (const auto& path : files) {
    const auto reader = open(path);
    const auto table = wiki_table_of(*reader);
    const auto [at, added] = files_.try_emplace(table, File{path, reader->table()});
    if (!added) {
      throw FormatError(fmt::format("{} and {} both hold the table {}; give one file for each table", at->second.path,
                                    path, to_string(table)));
    }
  }
  require_numbers_of(WikiTable::kPagelinks, "pl_title");
  require_numbers_of(WikiTable::kCategorylinks, "cl_to");
}

void SqlTables::require_numbers_of(WikiTable table, std::string_view title_column) const {
  const auto file = files_.find(table);
  if (file == files_.end() || has(WikiTable::kLinktarget) || file->second.table.column(title_column)) return;
  throw FormatError(fmt::format(
      "{}: it gives numbers instead of titles; add the linktarget.sql.gz of the same wiki and date to --sql-dump",
      file->second.path));
}

std::unique_ptr<SqlDumpReader> SqlTables::open(const std::string& path) const {
  extractors::dump::ByteSourceOptions options;
  options.stop = &stop_;
  return std::make_unique<SqlDumpReader>(extractors::dump::open_byte_source(path, options));
}

void SqlTables::check_wiki(const std::string& db_name) const {
  for (const auto& [table, file] : files_) {
    if (db_name.empty() || file.table.database.empty() || file.table.database == db_name) continue;
    throw FormatError(
        fmt::format("{}: is of the wiki {}, but the pages in the store are of {}; give tables of one wiki", file.path,
                    file.table.database, db_name));
  }
}

std::uint64_t SqlTables::for_each_row(WikiTable table, const RowVisitor& visit) const {
  const auto file = files_.find(table);
  if (file == files_.end()) return 0;
  const auto reader = open(file->second.path);
  extractors::sql::SqlRow row;
  while (reader->next(row)) {
    if (reader->rows() % kRowsBetweenStopChecks == 0) stop_.check();
    visit(row, *reader);
  }
  return reader->rows();
}

const extractors::sql::SqlTable& SqlTables::table(WikiTable table) const {
  return files_.at(table).table;
}

std::string files_digest(const std::vector<std::string>& files) {
  Sha256 digest;
  for (const auto& path : files) {
    std::error_code error;
    const auto size = std::filesystem::file_size(path, error);
    if (error) {
      digest.update_field("missing");
      continue;
    }
    std::ifstream in(path, std::ios::binary);
    digest.update_field(std::to_string(size));
    digest.update_field(bytes_at(in, 0));
    digest.update_field(bytes_at(in, size > kDigestedBytes ? size - kDigestedBytes : 0));
  }
  return digest.hex();
}

}  // namespace touchstone::pipeline::corpus::links
