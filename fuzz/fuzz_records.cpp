#include "common/error.hpp"
#include "common/records/record_file.hpp"
#include "formats/car/records.hpp"
#include "tests/support/temporary_folder.hpp"

#include <cstddef>
#include <cstdint>
#include <fstream>
#include <string>
#include <string_view>

/// Files of records, as bytes of a file and as a layout with a record behind it: none may crash, hang or be read
/// outside of its bytes; one that cannot be read says what is wrong. All bytes are also read as a page, whose records
/// nest.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace touchstone::records;
  static const touchstone::testing::TemporaryFolder folder;
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  const auto path = folder / "fuzz.records";
  std::ofstream(path, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  try {
    ByteReader reader(path);
    std::string_view record;
    while (reader.next(record)) (void)record_json(reader.layout(), record);
  } catch (const touchstone::Error& error) {
    TS_CHECK(error.what()[0] != '\0', "a failure says why");
  }
  try {
    (void)decode_all<touchstone::formats::car::Page>(bytes);
  } catch (const touchstone::FormatError& error) {
    TS_CHECK(error.what()[0] != '\0', "a failure says why");
  }
  const auto end = bytes.find('\n');
  if (end == std::string::npos) return 0;
  try {
    (void)record_json(std::string_view(bytes).substr(0, end), std::string_view(bytes).substr(end + 1));
  } catch (const touchstone::FormatError& error) {
    TS_CHECK(error.what()[0] != '\0', "a failure says why");
  }
  return 0;
}
