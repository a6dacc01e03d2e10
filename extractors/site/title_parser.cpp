// How SiteInfo reads titles, as MediaWiki's TitleParser does.
#include "common/unicode.hpp"
#include "extractors/scan/byte_scan.hpp"
#include "extractors/scan/url_scan.hpp"
#include "extractors/site/language_data.hpp"
#include "extractors/site/site_info.hpp"
#include "extractors/site/title_text.hpp"

#include <cctype>

namespace touchstone::extractors::site {
using namespace internal;
using scan::find_stop;
using scan::hex_value;
using scan::Stop;
namespace {

constexpr std::size_t kMaxTitleBytes = 255;
constexpr std::size_t kMaxSpecialTitleBytes = 512;

TitleBytes bit_of(char c) noexcept {
  return kTitleBytes[static_cast<unsigned char>(c)];
}

bool is_relative(std::string_view text) {
  const auto ends_with = [&](std::string_view tail) {
    return text.size() >= tail.size() && text.substr(text.size() - tail.size()) == tail;
  };
  return text == "." || text == ".." || text.substr(0, 2) == "./" || text.substr(0, 3) == "../" ||
         text.find("/./") != std::string_view::npos || text.find("/../") != std::string_view::npos || ends_with("/.") ||
         ends_with("/..");
}

/// True for text that cannot be in a title: forbidden characters, a percent escape or a character reference.
bool has_illegal_characters(std::string_view text) {
  for (std::size_t i = 0; (i = find_stop(Stop::kTitle, text, i)) < text.size(); ++i) {
    const char c = text[i];
    if (bit_of(c) == kTitleIllegal) return true;
    if (c == '%' && i + 2 < text.size() && hex_value(text[i + 1]) >= 0 && hex_value(text[i + 2]) >= 0) return true;
    if (c == '&') {
      std::size_t end = i + 1;
      while (end < text.size() &&
             (static_cast<unsigned char>(text[end]) >= 0x80 || std::isalnum(static_cast<unsigned char>(text[end]))))
        ++end;
      if (end > i + 1 && end < text.size() && text[end] == ';') return true;
    }
  }
  return false;
}

/// True for text that is a title unchanged, except for the case of its first letter: single spaces, no prefix, no
/// fragment, nothing to normalise. Most links have such targets.
bool is_plain_title(std::string_view text) {
  if (text.empty() || text.size() > kMaxTitleBytes || text.front() == ' ' || text.back() == ' ') return false;
  if (text.front() == '.' || static_cast<unsigned char>(text.front()) >= 0x80) return false;
  bool dot = false;
  for (std::size_t i = 0; (i = find_stop(Stop::kTitle, text, i)) < text.size(); ++i) {
    const char c = text[i];
    switch (bit_of(c)) {
      case 0:
        break;
      case kTitleDot:
        dot = true;
        break;
      case kTitleOther: {
        // U+00C0 to U+02FF: neither blanks nor anything that NFC would change.
        const auto lead = static_cast<unsigned char>(c);
        if (lead < 0xC3 || lead > 0xCB || i + 1 >= text.size() ||
            (static_cast<unsigned char>(text[i + 1]) & 0xC0U) != 0x80U)
          return false;
        ++i;
        break;
      }
      default:
        return false;
    }
  }
  return !dot || text.find('/') == std::string_view::npos;  // with both it may be a relative path
}

}  // namespace

std::optional<char> SiteInfo::first_of_plain_title(std::string_view text, std::int32_t ns) const {
  return is_plain_title(text) ? first_of_plain_words(text, ns) : std::nullopt;
}

std::optional<char> SiteInfo::first_of_plain_words(std::string_view text, std::int32_t ns) const {
  if (text.empty() || text.size() > kMaxTitleBytes || text.front() == ' ' || text.back() == ' ') return std::nullopt;
  const char first = text.front();
  if (first < 'a' || first > 'z') return first;
  const Namespace* found = ns == kNamespaceMain ? nullptr : find_namespace(ns);
  const bool upper = ns == kNamespaceMain ? main_first_letter_ : found != nullptr ? found->first_letter : first_letter;
  if (!upper) return first;
  if (first == 'i') return std::nullopt;  // which some languages treat otherwise
  return static_cast<char>(first - 'a' + 'A');
}

Result<ParsedTitle, TitleError> SiteInfo::parse_title(std::string_view text, std::int32_t default_ns) const {
  ParsedTitle parsed;
  if (const auto error = read_title(text, default_ns, parsed)) return Result<ParsedTitle, TitleError>::failure(*error);
  return parsed;
}

/// True for "Talk:User:x" and the like, which cannot be titles. \param behind  the text behind "Talk:"
bool SiteInfo::is_talk_of_namespace(std::string_view behind) const {
  const std::size_t colon = behind.find(':', 1);
  if (colon == std::string_view::npos) return false;
  const std::string prefix = lower_case(trim_spaces(behind.substr(0, colon)));
  return namespace_of(prefix).value_or(0) != 0 || is_language_code(prefix) || is_interwiki_prefix(prefix);
}

/// Takes namespace and interwiki prefixes off `rest`.
SiteInfo::Prefixes SiteInfo::read_prefixes(std::string_view& rest, ParsedTitle& parsed) const {
  constexpr int kMaxPrefixes = 8;
  for (int i = 0; i < kMaxPrefixes; ++i) {
    const std::size_t colon = rest.find(':', 1);
    if (colon == std::string_view::npos) break;
    const std::string_view prefix = trim_spaces(rest.substr(0, colon));
    const std::string_view behind = trim_spaces(rest.substr(colon + 1));
    if (const auto ns = namespace_of(prefix)) {
      parsed.title.ns = *ns;
      rest = behind;
      if (*ns == kNamespaceTalk && is_talk_of_namespace(behind)) return Prefixes::kTalkOfNamespace;
      break;
    }
    const std::string lower = lower_case(prefix);
    const bool is_language = is_language_code(lower);
    if (!is_language && !is_interwiki_prefix(lower)) break;
    rest = behind;
    if (lower == own_prefix_) {
      parsed.local_interwiki = true;
      if (rest.empty()) {
        parsed.title.text = main_page_;
        return Prefixes::kMainPage;
      }
      continue;
    }
    parsed.interwiki = lower;
    parsed.interlanguage = is_language;
    if (!rest.empty() && rest.front() == ':') {
      parsed.title.ns = kNamespaceMain;
      rest = trim_spaces(rest.substr(1));
    }
    break;
  }
  return Prefixes::kRead;
}

/// Takes what is left behind prefixes and in front of the fragment as the title's text.
std::optional<TitleError> SiteInfo::take_text(std::string_view rest, ParsedTitle& parsed) const {
  if (!parsed.interwiki.empty()) {
    parsed.title.text.assign(rest);
    return std::nullopt;
  }
  const Namespace* ns = find_namespace(parsed.title.ns);
  const bool upper = ns != nullptr ? ns->first_letter : first_letter;
  const char first = rest.empty() ? '\0' : rest.front();
  if (upper && (first == 'i' || static_cast<unsigned char>(first) >= 0x80)) {
    parsed.title.text = upper_case_first(rest, language);
  } else {
    parsed.title.text.assign(rest);
    if (upper && first >= 'a' && first <= 'z') parsed.title.text.front() = static_cast<char>(first - 'a' + 'A');
  }
  if (rest.empty() && parsed.title.ns != kNamespaceMain) return TitleError::kEmpty;
  return std::nullopt;
}

std::optional<TitleError> SiteInfo::read_title(std::string_view text, std::int32_t default_ns,
                                               ParsedTitle& parsed) const {
  TitleBytes bytes = bytes_of_title(text);
  parsed.title.ns = default_ns;
  if ((bytes & ~(kTitleDot | kTitleSpace | kTitleOther)) == 0) {
    if (const auto first = first_of_plain_title(text, default_ns)) {
      parsed.title.text.assign(text);
      parsed.title.text.front() = *first;
      return std::nullopt;
    }
  }
  std::string cleaned;
  std::string_view rest = text;
  const bool blank_ends = !text.empty() && (text.front() == ' ' || text.back() == ' ');
  if (blank_ends || (bytes & (kTitleUnderscore | kTitleSpaces | kTitleOther)) != 0) {
    if (!clean_blanks(text, cleaned)) return TitleError::kInvalidUtf8;
    if (!is_trivially_nfc(cleaned)) cleaned = nfc(cleaned);
    rest = cleaned;
    bytes = bytes_of_title(rest);
  }
  if (!rest.empty() && rest.front() == ':') {
    parsed.leading_colon = true;
    parsed.title.ns = kNamespaceMain;
    rest = trim_spaces(rest.substr(1));
  }
  if (rest.empty()) return TitleError::kEmpty;

  if ((bytes & kTitleColon) != 0) {
    const Prefixes prefixes = read_prefixes(rest, parsed);
    if (prefixes == Prefixes::kTalkOfNamespace) return TitleError::kTalkOfNamespace;
    if (prefixes == Prefixes::kMainPage) return std::nullopt;
  }
  if (const std::size_t hash = (bytes & kTitleHash) != 0 ? rest.find('#') : std::string_view::npos;
      hash != std::string_view::npos) {
    parsed.has_fragment = true;
    parsed.fragment.assign(rest.substr(hash + 1));
    rest = trim_spaces(rest.substr(0, hash));
  }
  constexpr TitleBytes kMayBeIllegal = kTitleIllegal | kTitlePercent | kTitleAmpersand;
  if ((bytes & kMayBeIllegal) != 0 && has_illegal_characters(rest)) return TitleError::kIllegalCharacter;
  if ((bytes & kTitleDot) != 0 && is_relative(rest)) return TitleError::kRelative;
  if ((bytes & kTitleTilde) != 0 && rest.find("~~~") != std::string_view::npos) return TitleError::kTilde;
  if (rest.size() > (parsed.title.ns == kNamespaceSpecial ? kMaxSpecialTitleBytes : kMaxTitleBytes)) {
    return TitleError::kTooLong;
  }
  if (!rest.empty() && rest.front() == ':') return TitleError::kLeadingColon;
  return take_text(rest, parsed);
}

}  // namespace touchstone::extractors::site
