#include "extractors/scan/url_scan.hpp"

#include "extractors/scan/text_scan.hpp"

#include <array>
#include <cstdint>

namespace touchstone::extractors::scan {
namespace {

// $wgUrlProtocols of MediaWiki 1.39 (mediawiki.org Manual:$wgUrlProtocols, read 2025-01).
constexpr std::string_view kProtocols[] = {
    "bitcoin:",  "ftp://",  "ftps://",      "geo:",    "git://",  "gopher://", "http://", "https://",
    "irc://",    "ircs://", "magnet:",      "mailto:", "matrix:", "mms://",    "news:",   "nntp://",
    "redis://",  "sftp://", "sip:",         "sips:",   "sms:",    "ssh://",    "svn://",  "tel:",
    "telnet://", "urn:",    "worldwind://", "xmpp:",   "//"};

constexpr std::array<bool, 256> make_first_letters() {
  std::array<bool, 256> letters{};
  for (const std::string_view protocol : kProtocols) letters[static_cast<unsigned char>(protocol.front())] = true;
  return letters;
}
constexpr auto kFirstLetters = make_first_letters();

/// What a byte may mean for the end of an address.
enum class UrlByte : std::uint8_t { kInside, kEnd, kAmpersand, kLead };

constexpr std::array<UrlByte, 256> make_url_bytes() {
  std::array<UrlByte, 256> bytes{};
  for (std::size_t byte = 0; byte <= 0x20; ++byte) bytes[byte] = UrlByte::kEnd;
  for (const char c : {'\x7F', '[', ']', '"', '<', '>'}) bytes[static_cast<unsigned char>(c)] = UrlByte::kEnd;
  for (std::size_t byte = 0xC2; byte < bytes.size(); ++byte) bytes[byte] = UrlByte::kLead;
  bytes['&'] = UrlByte::kAmpersand;
  return bytes;
}
constexpr auto kUrlBytes = make_url_bytes();

}  // namespace

bool has_protocol(std::string_view text) noexcept {
  if (text.empty() || !kFirstLetters[static_cast<unsigned char>(ascii_lower(text.front()))]) return false;
  for (const std::string_view protocol : kProtocols) {
    if (starts_with_ignoring_case(text, protocol)) return true;
  }
  return false;
}

std::size_t space_length(std::string_view text) noexcept {
  if (text.empty()) return 0;
  if (text.front() == ' ') return 1;
  constexpr std::string_view kSpaces[] = {"\u00A0", "\u1680", "\u202F", "\u205F", "\u3000"};
  for (const std::string_view space : kSpaces) {
    if (starts_with(text, space)) return space.size();
  }
  const bool in_block = starts_with(text, "\xE2\x80") && text.size() > 2;  // U+2000 to U+200A
  return in_block && static_cast<unsigned char>(text[2]) <= 0x8A ? 3 : 0;
}

std::size_t url_length(std::string_view text) noexcept {
  for (std::size_t i = 0; i < text.size(); ++i) {
    switch (kUrlBytes[static_cast<unsigned char>(text[i])]) {
      case UrlByte::kInside:
        break;
      case UrlByte::kEnd:
        return i;
      case UrlByte::kAmpersand:
        if (starts_with(text.substr(i), "&lt;") || starts_with(text.substr(i), "&gt;")) return i;
        break;
      case UrlByte::kLead:
        if (space_length(text.substr(i)) > 0) return i;
        break;
    }
  }
  return text.size();
}

std::string decode_percent(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '%' && i + 2 < text.size() && hex_value(text[i + 1]) >= 0 && hex_value(text[i + 2]) >= 0) {
      out.push_back(static_cast<char>(hex_value(text[i + 1]) * 16 + hex_value(text[i + 2])));
      i += 2;
    } else {
      out.push_back(text[i]);
    }
  }
  return out;
}

}  // namespace touchstone::extractors::scan
