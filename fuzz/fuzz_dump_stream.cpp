// Any bytes as an XML dump: the reader must come back with pages or a FormatError, and cutting the same bytes into
// other pieces or other batches must change nothing.
#include "common/error.hpp"
#include "extractors/dump/dump_reader.hpp"
#include "tests/support/memory_source.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <tuple>
#include <vector>

namespace {

using namespace touchstone;
using namespace touchstone::extractors;
using touchstone::extractors::dump::DumpReader;
using touchstone::extractors::dump::DumpReaderOptions;
using touchstone::extractors::dump::parse_page;

void require(bool condition) {
  if (!condition) std::abort();
}

/// Everything that can be told of a dump: pages with their places and texts, and whether it ended in an error.
struct Reading {
  std::vector<std::tuple<std::uint64_t, bool, std::uint32_t, std::string, std::string>> pages;
  std::vector<std::uint64_t> too_large;
  std::size_t lost = 0;
  bool failed = false;
  friend bool operator==(const Reading&, const Reading&) = default;
};

Reading read(const std::string& xml, std::vector<std::size_t> pieces, std::size_t batch_bytes, bool skip_damage) {
  DumpReaderOptions options;
  options.skip_damage = skip_damage;
  options.batch_bytes = batch_bytes;
  options.max_page_bytes = 2000;
  options.read_bytes = 4096;
  DumpReader reader(std::make_unique<testing::MemorySource>(xml, std::move(pieces)), options);
  Reading reading;
  std::uint64_t end = 0;
  try {
    while (const auto batch = reader.next()) {
      require((batch->end_offset > end || batch->records.empty()) && batch->end_offset >= end &&
              batch->end_offset <= xml.size());
      end = batch->end_offset;
      for (const auto& extent : batch->records) {
        require(extent.begin + extent.size <= batch->bytes.size());
        require(extent.place < xml.size() && xml[extent.place] == '<');
        const auto page = parse_page(std::string_view(batch->bytes).substr(extent.begin, extent.size));
        if (page) {
          reading.pages.emplace_back(extent.place, true, page->id.value, page->title, page->text);
        } else {
          reading.pages.emplace_back(extent.place, false, 0, std::string(describe(page.error()).text), "");
        }
      }
      for (const auto offset : batch->too_large) reading.too_large.push_back(offset);
      reading.lost += batch->remarks.size();
    }
  } catch (const FormatError&) {
    // Which pages came before the error depends on where the batches end.
    reading = {};
    reading.failed = true;
  }
  return reading;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 4) return 0;
  const std::string xml(reinterpret_cast<const char*>(data) + 3, size - 3);
  const std::vector<std::size_t> pieces = {std::size_t{1} + data[0] * 4U, std::size_t{1} + data[1] % 64};
  for (const bool skip_damage : {false, true}) {
    const Reading whole = read(xml, {}, std::size_t{1} << 20, skip_damage);
    require(read(xml, pieces, std::size_t{1} + data[2], skip_damage) == whole);
  }
  return 0;
}
