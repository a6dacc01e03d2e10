#include "extractors/wikitext/preprocessor/extension_tags.hpp"

#include "extractors/scan/first_letters.hpp"

#include <array>
#include <iterator>

namespace touchstone::extractors::wikitext::preprocessor {
using scan::make_first_letters;
using scan::with_first_letter;
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
constexpr std::size_t kMaxNameBytes = 15;

constexpr auto kFirstExtensions = make_first_letters(kExtensions);

}  // namespace

ExtensionName find_extension(std::string_view name) noexcept {
  if (name.size() < 2 || name.size() > kMaxNameBytes) return {};
  std::array<char, kMaxNameBytes> lower;
  for (std::size_t i = 0; i < name.size(); ++i) {
    const char c = name[i];
    lower[i] = c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
  }
  const std::string_view key(lower.data(), name.size());
  for (const NamedExtension& one : with_first_letter(kExtensions, kFirstExtensions, key.front())) {
    if (one.name == key) return {one.kind, static_cast<std::uint8_t>(&one - kExtensions)};
  }
  return {};
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

}  // namespace touchstone::extractors::wikitext::preprocessor
