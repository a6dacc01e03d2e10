#include "extractors/dump/text_as_written.hpp"

#include "common/unicode.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

namespace touchstone::extractors::dump::internal {
namespace {

/// Appends the character of the reference at the start of `text`, and gives its size. 0 if XML does not define it.
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

}  // namespace

std::string text_as_written(std::string_view page) {
  constexpr std::string_view kClose = "</text";
  constexpr std::string_view kData = "<![CDATA[", kDataEnd = "]]>";
  const std::size_t revision = page.rfind("<revision");
  const std::size_t tag = page.find("<text", revision == std::string_view::npos ? 0 : revision);
  const std::size_t begin = tag == std::string_view::npos ? tag : page.find('>', tag);
  const std::size_t end = page.rfind(kClose);
  if (begin == std::string_view::npos || end == std::string_view::npos || end <= begin) return {};
  std::string_view rest = page.substr(begin + 1, end - begin - 1);
  std::string out;
  out.reserve(rest.size());
  while (!rest.empty()) {
    std::size_t used = 1;
    if (rest.front() == '&') {
      used = append_reference(rest, out);
      if (used == 0) {
        out.push_back('&');
        used = 1;
      }
    } else if (rest.starts_with(kData)) {
      const std::size_t data_end = std::min(rest.find(kDataEnd), rest.size());
      out.append(rest.substr(kData.size(), data_end - kData.size()));
      used = std::min(rest.size(), data_end + kDataEnd.size());
    } else if (rest.front() == '\r') {
      if (!rest.starts_with("\r\n")) out.push_back('\n');
    } else {
      out.push_back(rest.front());
    }
    rest.remove_prefix(used);
  }
  return out;
}

}  // namespace touchstone::extractors::dump::internal
