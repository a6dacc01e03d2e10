#include "common/error.hpp"
#include "retrieval/npy_file.hpp"
#include "tests/support/temporary_folder.hpp"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <vector>

/// Files of vectors: none may crash; one that is opened has all values of its shape, all finite, else a message says
/// what is wrong.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace touchstone::retrieval;
  static const touchstone::testing::TemporaryFolder folder;
  const auto path = folder / "vectors.npy";
  std::ofstream(path, std::ios::binary).write(reinterpret_cast<const char*>(data), static_cast<std::streamsize>(size));
  try {
    const NpyFile file(path);
    TS_CHECK(file.rows() * file.columns() <= size, "there are no more values than bytes");
    std::vector<float> values(file.rows() * file.columns());
    file.read_rows(0, values);
    for (const float value : values) TS_CHECK(std::isfinite(value), "values are finite");
  } catch (const touchstone::Error& error) {
    TS_CHECK(error.what()[0] != '\0', "a failure says why");
  }
  return 0;
}
