// Any text as a line of a page or paragraph, and as an unambiguous id: what is accepted is the same when it is written
// and read again.
#include "common/unicode.hpp"
#include "formats/car/ids.hpp"
#include "formats/car/json_lines.hpp"
#include "tests/support/car_ids.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

namespace {

using namespace touchstone::formats::car;

void require(bool condition) {
  if (!condition) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  if (const auto name = testing::parse_unambiguous_id(text)) require(unambiguous_id(*name) == text);
  JsonLineReader lines;
  const auto record = lines.record(text);
  if (!record) {
    require(!record.error().empty());
    return 0;
  }
  const auto* page = std::get_if<Page>(&*record);
  const auto line = page != nullptr ? page_json_line(*page) : paragraph_json_line(std::get<Paragraph>(*record));
  const auto again = lines.record(line);
  require(again && *again == *record);
  return 0;
}
