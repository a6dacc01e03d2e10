#pragma once

#include "extractors/document.hpp"
#include "extractors/wikitext/preprocessor/extension_tags.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace touchstone::extractors::wikitext::preprocessor {

// A dropped template, a module or a count of the wiki shows nothing, but it is not an empty text. Where a text is a
// value (an argument, a condition, the target of a link), a mark stands for it, so that whatever depends on it is not
// known either. Marks have the form of the markers of extension tags, with numbers that no extension has, and show
// nothing. The expander removes them from text that is shown, except from targets of links.

/// Number of the mark of the first cause. The others follow.
inline constexpr std::uint32_t kFirstUnknown = 0xFFFFF0;
/// Number of the mark that stands for one of MediaWiki's error messages. It is a known text, but not one of the page.
inline constexpr std::uint32_t kErrorNumber = 0xFFFFFF;
/// Extensions have smaller numbers.
inline constexpr std::uint32_t kMaxExtensions = kFirstUnknown;

/// The mark that stands for a value that is not known.
std::string unknown_mark(UnknownCause cause);

/// The mark that stands for an error message.
std::string_view error_mark() noexcept;

/// The cause of the first unknown value in `text`; nothing if all of it is known.
std::optional<UnknownCause> find_unknown(std::string_view text) noexcept;

/// The cause that a marker's number stands for; nothing for those of extensions and errors.
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
