#include "analysis/statistics/score_matrix.hpp"
#include "common/error.hpp"
#include "tests/support/temporary_folder.hpp"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <string>

/// Tables of scores, and scores of systems: none may crash; what is read is complete and finite, else a message says
/// what is wrong.
namespace {

using namespace touchstone::analysis::statistics;

template <class Read>
void read_or_say_why(const Read& read) {
  try {
    read();
  } catch (const touchstone::Error& error) {
    TS_CHECK(error.what()[0] != '\0', "a failure says why");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const touchstone::testing::TemporaryFolder folder;
  const auto path = folder / "scores";
  std::ofstream(path, std::ios::binary).write(reinterpret_cast<const char*>(data), static_cast<std::streamsize>(size));
  read_or_say_why([&] {
    const auto matrix = read_score_matrix(path);
    TS_CHECK(!matrix.values.empty() && matrix.values.size() == matrix.systems.size() * matrix.topics.size(),
             "a matrix is complete");
    for (const double value : matrix.values) TS_CHECK(std::isfinite(value), "scores are finite");
  });
  read_or_say_why([&] {
    const auto scores = read_system_scores(path);
    TS_CHECK(scores.systems.size() >= 2 && scores.scores.size() == scores.systems.size(), "each system has a score");
  });
  return 0;
}
