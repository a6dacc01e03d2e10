#include "extractors/site/link_target.hpp"

#include "common/unicode.hpp"
#include "extractors/scan/entities.hpp"
#include "extractors/scan/percent.hpp"
#include "extractors/scan/text_scan.hpp"
#include "extractors/site/title_bytes.hpp"

#include <array>
#include <cstdint>

namespace touchstone::extractors::internal {
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

std::string_view without_trailing_slashes(std::string_view text) {
  while (!text.empty() && text.back() == '/') text.remove_suffix(1);
  return text;
}

/// `[[/x]]` and `[[../x]]` as full titles. True when `target` was one of these.
bool resolve_subpage(const PageContext& context, std::string& target, std::string& shown, bool fill_shown) {
  const std::string_view whole = target;
  const std::size_t hash = whole.find('#');
  const std::string suffix(hash == std::string_view::npos ? std::string_view() : whole.substr(hash));
  std::string_view path = trim(whole.substr(0, hash));
  const std::string page = context.site.prefixed(context.page);
  if (!path.empty() && path.front() == '/') {
    const std::string_view inner = without_trailing_slashes(path.substr(1));
    if (fill_shown) shown = (path.back() == '/' && path.size() > 1 ? std::string(inner) : std::string(path)) + suffix;
    target = page + "/" + std::string(trim(inner)) + suffix;
    return true;
  }
  std::size_t levels = 0;
  while (starts_with(path, "../")) {
    ++levels;
    path.remove_prefix(3);
  }
  if (levels == 0) return false;
  std::string parent = page;
  for (std::size_t i = 0; i < levels; ++i) {
    const std::size_t slash = parent.rfind('/');
    if (slash == std::string::npos) return false;  // above the top page
    parent.resize(slash);
  }
  const bool short_form = !path.empty() && path.back() == '/';
  const std::string inner(trim(without_trailing_slashes(path)));
  std::string full = parent + (inner.empty() ? "" : "/" + inner) + suffix;
  if (fill_shown) shown = short_form ? inner + suffix : full;
  target = std::move(full);
  return true;
}

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

std::uint32_t trail_length(const LanguageWords& words, std::string_view text) noexcept {
  std::size_t position = 0;
  while (position < text.size()) {
    std::size_t next = position;
    if (!words.in_trail(next_code_point(text, next))) break;
    position = next;
  }
  return static_cast<std::uint32_t>(position);
}

bool read_link_target(PageContext& context, std::string_view written, bool shown, LinkTarget& target) {
  while (!written.empty() && written.front() == ' ') written.remove_prefix(1);
  std::string changed;
  std::string_view text = written;
  const TitleBytes bytes = bytes_of_title(written);
  const bool has_percent = (bytes & kTitlePercent) != 0;
  const bool has_ampersand = (bytes & kTitleAmpersand) != 0;
  const bool has_colon = (bytes & kTitleColon) != 0;
  if (has_percent) {
    changed = decode_percent(text);
    while (!changed.empty() && changed.front() == ' ') changed.erase(0, 1);
    if (shown && changed != written) target.shown = changed.substr(!changed.empty() && changed.front() == ':' ? 1 : 0);
    text = changed;
  }
  if ((has_colon || (!text.empty() && text.front() == '/')) && has_protocol(text)) return false;
  if (!text.empty() && (text.front() == '/' || text.front() == '.') && context.site.has_subpages(context.page.ns)) {
    std::string full(text);
    if (resolve_subpage(context, full, target.shown, shown)) {
      changed = std::move(full);
      text = changed;
    }
  }
  std::string decoded;
  if ((has_percent || has_ampersand) && text.find('&') != std::string_view::npos) {
    decoded = decode_references(text);
    text = decoded;
  }
  if (context.site.read_title(text, kNamespaceMain, target.parsed)) return false;
  target.found.target = std::move(target.parsed.title);
  target.parsed.title.ns = target.found.target.ns;
  target.found.fragment = std::move(target.parsed.fragment);
  return true;
}

}  // namespace touchstone::extractors::internal
