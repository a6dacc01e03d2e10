#include "common/error.hpp"
#include "pipeline/passages/near_duplicates/word_vectors.hpp"
#include "tests/support/temporary_folder.hpp"

#include <cstddef>
#include <cstdint>
#include <fstream>

/// Files of word vectors: none may crash; one that is read has words and dimensions, else a message says what is wrong.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace touchstone::pipeline::passages::near_duplicates;
  static const touchstone::testing::TemporaryFolder folder;
  const auto path = folder / "vectors";
  std::ofstream(path, std::ios::binary).write(reinterpret_cast<const char*>(data), static_cast<std::streamsize>(size));
  try {
    const auto vectors = WordVectors::read(path, {.max_dimensions = 64, .max_bytes = 1 << 20});
    TS_CHECK(vectors.size() > 0 && vectors.dimensions() > 0 && vectors.dimensions() <= 64, "vectors are complete");
  } catch (const touchstone::Error& error) {
    TS_CHECK(error.what()[0] != '\0', "a failure says why");
  }
  return 0;
}
