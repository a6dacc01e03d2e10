#include "collection/release/page_address.hpp"

#include <fmt/format.h>

namespace touchstone::collection::release {
namespace {

/// Bytes that MediaWiki leaves as they are in the address of a title.
bool stays(char c) {
  constexpr std::string_view kMarks = "-_.;@$!*(),/~:";
  return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
         kMarks.find(c) != std::string_view::npos;
}

}  // namespace

std::string article_address(std::string_view base_url) {
  if (!base_url.starts_with("https://") && !base_url.starts_with("http://")) return "";
  const auto title = base_url.find("title=");
  if (title != std::string_view::npos) return std::string(base_url.substr(0, title + 6));
  if (base_url.find('?') != std::string_view::npos) return "";
  const auto slash = base_url.rfind('/');
  return slash < 8 ? "" : std::string(base_url.substr(0, slash + 1));
}

std::string page_address(std::string_view base_url, std::string_view title, std::uint64_t revision) {
  std::string address = article_address(base_url);
  if (address.empty()) return address;
  for (const char c : title) {
    if (c == ' ') {
      address += '_';
    } else if (stays(c)) {
      address += c;
    } else {
      address += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
  }
  if (revision != 0) address += fmt::format("{}oldid={}", address.find('?') == std::string::npos ? '?' : '&', revision);
  return address;
}

}  // namespace touchstone::collection::release
