// Any bytes as a dump of SQL: rows or one FormatError, the same ones however the bytes are cut into pieces, and every
// row has a value for each column.
#include "common/error.hpp"
#include "extractors/sql/sql_dump.hpp"
#include "extractors/sql/wiki_tables.hpp"
#include "tests/support/memory_source.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace {

using namespace touchstone;
using namespace touchstone::extractors::sql;

void require(bool condition) {
  if (!condition) std::abort();
}

struct SqlReading {
  std::vector<std::string> rows;
  bool failed = false;
  bool operator==(const SqlReading&) const = default;
};

SqlReading read(const std::string& bytes, std::vector<std::size_t> pieces) {
  SqlReading reading;
  try {
    SqlDumpOptions options;
    options.read_bytes = 256;
    SqlDumpReader reader(std::make_unique<touchstone::testing::MemorySource>(bytes, std::move(pieces)), options);
    SqlRow row;
    while (reader.next(row)) {
      require(row.size() == reader.table().columns.size());
      auto& text = reading.rows.emplace_back();
      for (const auto& value : row) (text += value.text) += value.is_null ? '\1' : '\2';
      require(text.size() <= bytes.size() + row.size());
    }
    wiki_table_of(reader);
  } catch (const FormatError& error) {
    require(*error.what() != '\0');
    reading.failed = true;
  }
  return reading;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 1) return 0;
  const std::string bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  const auto whole = read(bytes, {});
  require(read(bytes, {std::size_t{1} + data[0]}) == whole);
  return 0;
}
