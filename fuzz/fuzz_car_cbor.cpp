// Any bytes as a TREC CAR file in CBOR: the same records and errors however the bytes are cut into pieces, and records
// that were read are the same when they are written as JSON lines and read again.
#include "common/error.hpp"
#include "common/unicode.hpp"
#include "formats/car/ids.hpp"
#include "formats/car/json_lines.hpp"
#include "formats/car/reader.hpp"
#include "tests/support/memory_input.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

namespace {

using namespace touchstone;
using namespace touchstone::formats::car;

void require(bool condition) {
  if (!condition) std::abort();
}

struct Reading {
  std::vector<Record> records;
  std::vector<std::string> failures;
  std::string error;
  friend bool operator==(const Reading&, const Reading&) = default;
};

Reading read(const std::string& bytes, std::size_t piece_bytes) {
  Reading reading;
  ReadLimits limits;
  limits.max_record_bytes = 1 << 16;
  limits.max_record_items = 1 << 12;
  try {
    CarReader reader(testing::make_memory_input("x", bytes, piece_bytes), limits);
    while (auto read = reader.next()) {
      require(read->offset + read->bytes <= bytes.size());
      if (read->record) {
        reading.records.push_back(std::move(*read->record));
      } else {
        reading.failures.push_back(read->record.error());
      }
    }
  } catch (const FormatError& error) {
    reading.error = error.what();
    require(reading.error.starts_with("x: byte "));
  }
  return reading;
}

std::string line_of(const Record& record) {
  const auto* page = std::get_if<Page>(&record);
  return page != nullptr ? page_json_line(*page) : paragraph_json_line(std::get<Paragraph>(record));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  const auto whole = read(bytes, bytes.size() + 1);
  require(whole == read(bytes, std::size_t{1} + data[0] % 32));
  JsonLineReader lines;
  for (const auto& record : whole.records) {
    const auto line = line_of(record);
    require(is_valid_utf8(line));
    const auto again = lines.record(line);
    require(again && *again == record);
  }
  return 0;
}
