#include "extractors/dump/xml_references.hpp"

#include "common/unicode.hpp"

#include <charconv>
#include <cstdint>
#include <utility>

namespace touchstone::extractors::dump::internal {

std::size_t append_reference(std::string_view text, std::string& out) {
  static constexpr std::pair<std::string_view, char> kNames[] = {
      {"&amp;", '&'}, {"&lt;", '<'}, {"&gt;", '>'}, {"&quot;", '"'}, {"&apos;", '\''}};
  for (const auto& [name, character] : kNames) {
    if (!text.starts_with(name)) continue;
    out.push_back(character);
    return name.size();
  }
  if (!text.starts_with("&#")) return 0;
  const bool hex = text.substr(2).starts_with('x');
  const std::size_t begin = hex ? 3 : 2;
  std::uint32_t number = 0;
  const auto [end, error] = std::from_chars(text.data() + begin, text.data() + text.size(), number, hex ? 16 : 10);
  const auto size = static_cast<std::size_t>(end - text.data());
  if (error != std::errc() || size >= text.size() || text[size] != ';') return 0;
  append_utf8(out, static_cast<char32_t>(number));
  return size + 1;
}

}  // namespace touchstone::extractors::dump::internal
