#pragma once

#include "common/stop.hpp"
#include "extractors/sql/wiki_tables.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace touchstone::pipeline::corpus::links {

/// The dumps of a wiki's tables that the user names, one for each table.
class SqlTables {
 public:
  /// Opens every file up to its first row. Throws FormatError for a file that is not a dump of a table that is used,
  /// for two files of one table, and for links that are given only as numbers when there is no linktarget.
  SqlTables(const std::vector<std::string>& files, const StopFlag& stop);

  bool has(extractors::sql::WikiTable table) const { return files_.contains(table); }
  /// Throws FormatError if a file names another wiki than `db_name`. An empty name fits all.
  void check_wiki(const std::string& db_name) const;

  using RowVisitor = std::function<void(const extractors::sql::SqlRow&, const extractors::sql::SqlDumpReader&)>;
  /// Gives all rows of a table, in the order of its file; none if there is no file of it. Returns their number.
  std::uint64_t for_each_row(extractors::sql::WikiTable table, const RowVisitor& visit) const;
  /// The columns of a table that has a file.
  const extractors::sql::SqlTable& table(extractors::sql::WikiTable table) const;

 private:
  struct File {
    std::string path;
    extractors::sql::SqlTable table;
  };
  void require_numbers_of(extractors::sql::WikiTable table, std::string_view title_column) const;
  std::unique_ptr<extractors::sql::SqlDumpReader> open(const std::string& path) const;

  std::map<extractors::sql::WikiTable, File> files_;
  const StopFlag& stop_;
};

/// Digest of what tells dumps apart without reading them: their sizes, beginnings and ends. The end of a .gz file has
/// the checksum of its content.
std::string files_digest(const std::vector<std::string>& files);

}  // namespace touchstone::pipeline::corpus::links
