#pragma once

#include "extractors/document.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
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

/// In expanded text an extension is one marker: the byte 0x7F (which wikitext cannot hold) and its number in six
/// letters.
inline constexpr char kMarkerByte = '\x7F';
inline constexpr std::size_t kMarkerSize = 7;

/// True when `text` begins with a whole marker.
bool is_marker(std::string_view text) noexcept;

/// Reads the number of the marker at the start of `text`.
/// \pre is_marker(text)
std::uint32_t marker_number(std::string_view text) noexcept;

// A dropped template, a module or a count of the wiki shows nothing, but it is not an empty text. Where a text is a
// value (an argument, a condition, the target of a link), a mark represents it, so that whatever depends on it is not
// known either. Marks have the form of the markers of extension tags, with numbers that no extension has, and show
// nothing. The expander removes them from text that is shown, except from targets of links.

/// Number of the mark of the first cause. The others follow.
inline constexpr std::uint32_t kFirstUnknown = 0xFFFFF0;
/// Number of the mark that represents one of MediaWiki's error messages. It is a known text, but not one of the page.
inline constexpr std::uint32_t kErrorNumber = 0xFFFFFF;
/// Extensions have smaller numbers.
inline constexpr std::uint32_t kMaxExtensions = kFirstUnknown;

/// The mark that represents a value that is not known.
std::string unknown_mark(UnknownCause cause);

/// The mark that represents an error message.
std::string_view error_mark() noexcept;

/// The cause of the first unknown value in `text`; nothing if all of it is known.
std::optional<UnknownCause> find_unknown(std::string_view text) noexcept;

/// The cause that a marker's number represents; nothing for those of extensions and errors.
std::optional<UnknownCause> unknown_cause(std::uint32_t number) noexcept;

/// True if an unknown value or an error begins `text`.
bool is_mark(std::string_view text) noexcept;

bool has_error_mark(std::string_view text) noexcept;

/// True if everything in `text` that is known is blank.
bool is_known_blank(std::string_view text) noexcept;

/// True for a text of unknown values and errors only, and for the empty text.
bool has_only_marks(std::string_view text) noexcept;

/// `text` without marks.
std::string without_marks(std::string_view text);

/// The first mark in `text` from byte `from` on; its size if there is none.
std::size_t find_mark(std::string_view text, std::size_t from) noexcept;

}  // namespace touchstone::extractors::wikitext::preprocessor
