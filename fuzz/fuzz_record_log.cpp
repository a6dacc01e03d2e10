#include "common/error.hpp"
#include "common/records/record_log.hpp"
#include "tests/support/temporary_folder.hpp"

#include <cstddef>
#include <cstdint>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

/// Any bytes as a log of records: it is refused with a sentence, or opens; then every record that a reader found is
/// found by a writer too, stays when the writer appends, and the new record comes behind them.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using touchstone::records::RecordLog;
  constexpr std::string_view kLayout = "t";
  static const touchstone::testing::TemporaryFolder folder;
  const auto path = folder / "fuzz.log";
  std::ofstream(path, std::ios::binary | std::ios::trunc)
      .write(reinterpret_cast<const char*>(data), static_cast<std::streamsize>(size));
  const auto texts_of = [&](RecordLog::Access access, const std::string& added) {
    std::vector<std::string> texts;
    std::vector<RecordLog::Place> places;
    RecordLog log(path, kLayout, access, [&](RecordLog::Place place, std::string_view record) {
      texts.emplace_back(record);
      places.push_back(place);
    });
    for (std::size_t i = 0; i < texts.size(); ++i)
      TS_CHECK(log.read(places[i]) == texts[i], "a record is read again as it was");
    if (!added.empty()) {
      log.append(std::vector<std::string>{added}, RecordLog::Durability::kProcess);
      texts.push_back(added);
    }
    return texts;
  };
  try {
    auto texts = texts_of(RecordLog::Access::kRead, {});
    texts.emplace_back("new");
    TS_CHECK(texts_of(RecordLog::Access::kAppend, "new") == texts, "a writer finds what a reader found");
    TS_CHECK(texts_of(RecordLog::Access::kRead, {}) == texts, "a record comes behind the others");
  } catch (const touchstone::FormatError& error) {
    TS_CHECK(error.what()[0] != '\0', "a failure says why");
  }
  return 0;
}
