#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace touchstone::extractors::wikitext::templates::internal {

/// A text with holes for arguments, such as `{1}[ ({2})]`. `{a/b:text}` is the first of the arguments a and b that is
/// not empty, else the text. The part in square brackets is left out if one of its arguments is empty. `\` escapes the
/// next character.
struct Pattern {
  struct Piece {
    enum class Kind : std::uint8_t { kText, kArgument, kGroupBegin, kGroupEnd } kind = Kind::kText;
    std::string text;  ///< kText; for kArgument the text that stands for an empty one
    bool has_default = false;
    std::vector<std::string> names;  ///< kArgument
    std::size_t group_end = 0;       ///< kGroupBegin: index of its end
  };
  std::vector<Piece> pieces;

  bool empty() const noexcept { return pieces.empty(); }
};

/// Reads a pattern. \param problem  what is wrong with the text, where it is no pattern
Pattern read_pattern(std::string_view text, std::string& problem);

}  // namespace touchstone::extractors::wikitext::templates::internal
