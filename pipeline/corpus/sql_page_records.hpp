#pragma once

#include "common/options.hpp"
#include "pipeline/corpus/links/sql_tables.hpp"
#include "pipeline/flow/stage.hpp"
#include "storage/bulk_loader.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace touchstone::pipeline::corpus {

/// What is taken from SQL dumps for single pages.
struct SqlPageOptions {
  std::vector<std::string> languages;

  static std::vector<Option<SqlPageOptions>> options();
};

/// Writes what categorylinks and langlinks say of the pages in the store and their text does not: categories that
/// templates give, and titles in other languages. Categories that page_props calls hidden are left out. Counts the
/// pages that the table `page` has and the store lacks, and the reverse. Throws FormatError for damaged tables.
void write_sql_pages(flow::WriteContext& context, const links::SqlTables& tables, std::size_t memory_bytes,
                     storage::BulkLoader& loader, flow::StageReport& report);

}  // namespace touchstone::pipeline::corpus
