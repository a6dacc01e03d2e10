// Any bytes as a config file and as --set assignments: every problem is a ConfigError, and what was taken reads back.
#include "common/error.hpp"
#include "pipeline/stage_table.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

namespace {

using namespace touchstone;

bool accepted(const Settings& settings) {
  try {
    settings.throw_if_problems();
    return true;
  } catch (const ConfigError&) {
    return false;
  }
}

std::string shown(const Settings& settings) {
  std::string toml;
  for (std::size_t i = 0; i < settings.size(); ++i)
    toml += std::string(settings.row(i).key) + " = " + settings.value_text(i) + "\n";
  return toml;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  auto settings = pipeline::stage_graph().settings();
  settings.read_text(text, "fuzz.toml");
  for (std::size_t begin = 0; begin < text.size() && begin < 2000;) {
    const auto end = text.find('\n', begin);
    settings.read_assignment(text.substr(begin, end - begin));
    if (end == std::string_view::npos) break;
    begin = end + 1;
  }
  settings.check();
  if (!accepted(settings)) return 0;
  const std::string toml = shown(settings);
  auto again = pipeline::stage_graph().settings();
  again.read_text(toml, "shown");
  if (!accepted(again) || shown(again) != toml) std::abort();
  return 0;
}
