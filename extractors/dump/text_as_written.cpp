#include "extractors/dump/text_as_written.hpp"

#include "extractors/dump/xml_references.hpp"

#include <algorithm>

namespace touchstone::extractors::dump::internal {

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
