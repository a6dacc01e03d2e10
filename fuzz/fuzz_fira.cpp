#include "common/error.hpp"
#include "formats/fira/judgments.hpp"
#include "tests/support/temporary_folder.hpp"

#include <cstddef>
#include <cstdint>
#include <fstream>

/// Judgments with spans, and texts: none may crash. Ranges that are read are ascending and apart, else a message says
/// what is wrong.
namespace {

using namespace touchstone::formats::fira;

template <class Read>
void read_or_say_why(const Read& read) {
  try {
    read();
  } catch (const touchstone::Error& error) {
    TS_CHECK(error.what()[0] != '\0', "a failure says why");
  }
}

void check_judgments(const std::filesystem::path& path, LinesOf lines) {
  for (const auto& judgment : read_judgments(path, lines)) {
    TS_CHECK(!judgment.topic.empty() && !judgment.docid.empty(), "ids are there");
    TS_CHECK(judgment.ranges.size() <= kMaxRanges, "ranges are bounded");
    for (std::size_t i = 0; i < judgment.ranges.size(); ++i) {
      const auto& range = judgment.ranges[i];
      TS_CHECK(range.first <= range.last, "a range has characters");
      TS_CHECK(i == 0 || judgment.ranges[i - 1].last < range.first, "ranges ascend");
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const touchstone::testing::TemporaryFolder folder;
  const auto path = folder / "judgments";
  std::ofstream(path, std::ios::binary).write(reinterpret_cast<const char*>(data), static_cast<std::streamsize>(size));
  read_or_say_why([&] { check_judgments(path, LinesOf::kJudges); });
  read_or_say_why([&] { check_judgments(path, LinesOf::kSystems); });
  read_or_say_why([&] { read_texts(path, {"D1_0"}); });
  return 0;
}
