#include "extractors/wikitext/preprocessor/markers.hpp"

#include "extractors/scan/first_letters.hpp"
#include "extractors/scan/text_scan.hpp"

#include <algorithm>
#include <iterator>

namespace touchstone::extractors::wikitext::preprocessor {
using scan::is_trimmed;
namespace {

struct NamedExtension {
  std::string_view name;
  ExtensionKind kind;
};

constexpr NamedExtension kExtensions[] = {
    {"ask", ExtensionKind::kHidden},
    {"categorytree", ExtensionKind::kHidden},
    {"ce", ExtensionKind::kMath},
    {"charinsert", ExtensionKind::kHidden},
    {"chem", ExtensionKind::kMath},
    {"gallery", ExtensionKind::kGallery},
    {"graph", ExtensionKind::kHidden},
    {"hiero", ExtensionKind::kMath},
    {"imagemap", ExtensionKind::kImagemap},
    {"indicator", ExtensionKind::kIndicator},
    {"inputbox", ExtensionKind::kHidden},
    {"mapframe", ExtensionKind::kHidden},
    {"maplink", ExtensionKind::kHidden},
    {"math", ExtensionKind::kMath},
    {"nowiki", ExtensionKind::kNowiki},
    {"phonos", ExtensionKind::kHidden},
    {"poem", ExtensionKind::kPoem},
    {"pre", ExtensionKind::kPre},
    {"ref", ExtensionKind::kRef},
    {"references", ExtensionKind::kReferences},
    {"score", ExtensionKind::kHidden},
    {"source", ExtensionKind::kCode},
    {"syntaxhighlight", ExtensionKind::kCode},
    {"tabber", ExtensionKind::kTabber},
    {"templatedata", ExtensionKind::kHidden},
    {"templatestyles", ExtensionKind::kHidden},
    {"timeline", ExtensionKind::kHidden},
};
static_assert(std::size(kExtensions) <= 32);

constexpr auto kFirstExtensions = scan::make_first_letters(kExtensions);

/// What all marks begin with. The last letter is the cause, or 'p' for an error.
constexpr std::string_view kMark = "\x7Fppppp";
constexpr std::string_view kErrorMark = "\x7Fpppppp";
static_assert(kMark.size() + 1 == kMarkerSize && kErrorMark.size() == kMarkerSize);
static_assert(kUnknownCauses.size() < 16);

char letter_of(UnknownCause cause) noexcept {
  return static_cast<char>('a' + static_cast<int>(cause));
}

/// The cause of a mark at the start of `text`.
std::optional<UnknownCause> cause_at(std::string_view text) noexcept {
  if (text.size() < kMarkerSize || !text.starts_with(kMark)) return std::nullopt;
  return unknown_cause(marker_number(text));
}

}  // namespace

ExtensionName find_extension(std::string_view name) noexcept {
  const NamedExtension* found = scan::find_by_name(kExtensions, kFirstExtensions, name);
  return found == nullptr ? ExtensionName()
                          : ExtensionName{found->kind, static_cast<std::uint8_t>(found - kExtensions)};
}

bool is_marker(std::string_view text) noexcept {
  if (text.size() < kMarkerSize || text[0] != kMarkerByte) return false;
  for (std::size_t i = 1; i < kMarkerSize; ++i) {
    if (text[i] < 'a' || text[i] > 'p') return false;
  }
  return true;
}

std::uint32_t marker_number(std::string_view text) noexcept {
  std::uint32_t number = 0;
  for (std::size_t i = 1; i < kMarkerSize; ++i)
    number = (number << 4U) | (static_cast<std::uint32_t>(text[i] - 'a') & 15U);
  return number;
}

std::string unknown_mark(UnknownCause cause) {
  return std::string(kMark) + letter_of(cause);
}

std::string_view error_mark() noexcept {
  return kErrorMark;
}

std::optional<UnknownCause> unknown_cause(std::uint32_t number) noexcept {
  if (number < kFirstUnknown || number - kFirstUnknown >= kUnknownCauses.size()) return std::nullopt;
  return static_cast<UnknownCause>(number - kFirstUnknown);
}

std::size_t find_mark(std::string_view text, std::size_t from) noexcept {
  for (std::size_t at = text.find(kMarkerByte, from); at != std::string_view::npos;
       at = text.find(kMarkerByte, at + 1)) {
    if (is_mark(text.substr(at))) return at;
  }
  return text.size();
}

std::optional<UnknownCause> find_unknown(std::string_view text) noexcept {
  for (std::size_t at = find_mark(text, 0); at < text.size(); at = find_mark(text, at + kMarkerSize)) {
    if (const auto cause = cause_at(text.substr(at))) return cause;
  }
  return std::nullopt;
}

bool is_mark(std::string_view text) noexcept {
  return text.starts_with(kMarkerByte) && (text.starts_with(kErrorMark) || cause_at(text).has_value());
}

bool has_error_mark(std::string_view text) noexcept {
  return text.find(kErrorMark) != std::string_view::npos;
}

bool is_known_blank(std::string_view text) noexcept {
  while (!text.empty()) {
    if (is_trimmed(text.front())) {
      text.remove_prefix(1);
    } else if (cause_at(text)) {
      text.remove_prefix(kMarkerSize);
    } else {
      return false;
    }
  }
  return true;
}

bool has_only_marks(std::string_view text) noexcept {
  while (is_mark(text)) text.remove_prefix(kMarkerSize);
  return text.empty();
}

std::string without_marks(std::string_view text) {
  std::string out;
  for (std::size_t from = 0; from < text.size();) {
    const std::size_t mark = find_mark(text, from);
    out.append(text.substr(from, mark - from));
    from = std::min(text.size(), mark + kMarkerSize);
  }
  return out;
}

}  // namespace touchstone::extractors::wikitext::preprocessor
