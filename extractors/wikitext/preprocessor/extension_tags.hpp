#pragma once

#include <cstdint>
#include <string_view>

namespace touchstone::extractors::wikitext::preprocessor {

/// Extension tags: their content is taken out of the wikitext before anything else is read.
enum class ExtensionKind : std::uint8_t {
  kNone,
  kNowiki,      ///< verbatim text, inline
  kPre,         ///< verbatim preformatted text
  kRef,         ///< footnote: its links count, its text is not shown in place
  kReferences,  ///< list of footnotes
  kGallery,
  kPoem,  ///< wikitext that keeps its line breaks
  kMath,  ///< formula source, inline
  kCode,  ///< syntaxhighlight, source: verbatim text, a block or inline
  kImagemap,
  kIndicator,  ///< wikitext shown outside the page text
  kTabber,     ///< wikitext in tabs, each with a name
  kHidden,     ///< no readable text: timelines, scores, maps, style sheets, ...
};

struct ExtensionName {
  ExtensionKind kind = ExtensionKind::kNone;
  std::uint8_t number = 0;  ///< less than 32 and different for each name
};

/// \param name  in any case
ExtensionName find_extension(std::string_view name) noexcept;

/// An extension tag that was taken out. The views point into text that outlives the parse of the page.
struct Extension {
  ExtensionKind kind = ExtensionKind::kNone;
  std::string_view attributes;
  std::string_view content;
};

/// In expanded text an extension stands as one marker: the byte 0x7F (which wikitext cannot hold) and its number in six
/// letters.
inline constexpr char kMarkerByte = '\x7F';
inline constexpr std::size_t kMarkerSize = 7;

/// True when `text` begins with a whole marker.
bool is_marker(std::string_view text) noexcept;

/// Reads the number of the marker at the start of `text`.
/// \pre is_marker(text)
std::uint32_t marker_number(std::string_view text) noexcept;

}  // namespace touchstone::extractors::wikitext::preprocessor
