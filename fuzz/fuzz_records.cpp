#include "common/error.hpp"
#include "common/records/record_file.hpp"
#include "formats/car/records.hpp"
#include "storage/backlink_block.hpp"
#include "tests/support/temporary_folder.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace {

/// The bytes as a block of lists of backlinks. Lists of a block that is accepted ascend within the sources, or are said
/// to be damaged when they are read.
void read_backlinks(std::string_view bytes) {
  using namespace touchstone;
  try {
    const storage::internal::BacklinkBlock block(bytes);
    std::vector<std::uint32_t> numbers, alone;
    std::size_t at = 0;
    block.for_each(numbers, [&](PageId target, const std::vector<std::uint32_t>& list) {
      TS_CHECK(!list.empty() && list.size() <= 8 * bytes.size(), "each source takes a bit");
      TS_CHECK(std::adjacent_find(list.begin(), list.end(), std::greater_equal<>()) == list.end(), "sources ascend");
      TS_CHECK(list.back() < block.sources(), "sources are numbered");
      TS_CHECK(block.find(target) == at, "a target is found");
      block.read(at++, alone);
      TS_CHECK(alone == list, "a list is the same alone");
    });
  } catch (const StorageError& error) {
    TS_CHECK(error.what()[0] != '\0', "a failure says why");
  }
}

}  // namespace

/// Files of records, as bytes of a file and as a layout with a record behind it: none may crash, hang or be read
/// outside of its bytes; one that cannot be read says what is wrong. All bytes are also read as a page, whose records
/// nest, and as lists of backlinks.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace touchstone::records;
  static const touchstone::testing::TemporaryFolder folder;
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  const auto path = folder / "fuzz.records";
  read_backlinks(bytes);
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
