// Any bytes as a config file and as --set assignments: every problem is a ConfigError, and what was taken reads back.
#include "common/error.hpp"
#include "pipeline/config.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

namespace {

using namespace touchstone;

bool accepted(const OptionSet& options) {
  try {
    options.throw_if_problems();
    return true;
  } catch (const ConfigError&) {
    return false;
  }
}

std::string shown(const OptionSet& options) {
  std::string toml;
  for (std::size_t i = 0; i < options.rows().size(); ++i) {
    toml += std::string(options.rows()[i].key) + " = " + options.value_text(i) + "\n";
  }
  return toml;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  pipeline::Config config;
  auto options = pipeline::bind_options(config);
  options.read_text(text, "fuzz.toml");
  for (std::size_t begin = 0; begin < text.size() && begin < 2000;) {
    const auto end = text.find('\n', begin);
    options.read_assignment(text.substr(begin, end - begin));
    if (end == std::string_view::npos) break;
    begin = end + 1;
  }
  pipeline::check_combinations(config, options);
  if (!accepted(options)) return 0;
  const std::string toml = shown(options);
  pipeline::Config copy;
  auto again = pipeline::bind_options(copy);
  again.read_text(toml, "shown");
  if (!accepted(again) || shown(again) != toml) std::abort();
  return 0;
}
