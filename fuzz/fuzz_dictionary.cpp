#include "common/digest.hpp"
#include "common/error.hpp"
#include "linking/dictionary_format.hpp"
#include "linking/linker.hpp"
#include "tests/support/temporary_folder.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <string>

/// Dictionaries of anchors: none may crash or be read outside of its bytes; one that cannot be read says what is wrong.
/// The checksum of the header is made right, so that the checks behind it are reached.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace touchstone::linking;
  static const touchstone::testing::TemporaryFolder folder;
  std::string bytes(reinterpret_cast<const char*>(data), size);
  if (size >= sizeof(internal::Header)) {
    constexpr auto kChecksum = offsetof(internal::Header, checksum);
    const auto checksum = touchstone::xxh3_64(std::string_view(bytes).substr(0, kChecksum));
    std::memcpy(bytes.data() + kChecksum, &checksum, sizeof checksum);
  }
  const auto path = folder / "fuzz.dictionary";
  std::ofstream(path, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  try {
    const Dictionary dictionary(path);
    LinkerOptions options;
    options.min_link_probability = options.min_score = 0;
    const auto found = Linker(dictionary, options).link({"Amber Light stands on Ostra near Basil Light", "amber"});
    for (const auto& link : found) {
      TS_CHECK(link.begin < link.end, "a link has a text");
      (void)dictionary.title(link.entity);
    }
    for (std::uint32_t i = 0; i < dictionary.entities() && i < 1000; ++i) (void)dictionary.sources(i);
  } catch (const touchstone::Error& error) {
    TS_CHECK(error.what()[0] != '\0', "a failure says why");
  }
  return 0;
}
