#pragma once

#include "text/folded_text.hpp"

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace touchstone::linking {

/// A word of a text, or a letter of a script without blanks between words.
struct Token {
  std::uint32_t begin = 0, end = 0;  ///< code points
  std::uint64_t hash = 0;            ///< of the folded letters
  bool follows_closely = false;      ///< it may continue a phrase: little is between it and the token before
};

/// Tokens of a folded text, in order.
std::vector<Token> tokens_of(const text::FoldedText& text);

/// Those that are not in addresses or code: in a run of letters without blanks that holds "://", "www." at its
/// beginning, an "@" or "::" between letters, "_" within, or "()"; or between two backticks of one line. No phrase goes
/// across.
std::vector<Token> prose_tokens_of(const text::FoldedText& text);

/// Most tokens of a phrase.
inline constexpr std::size_t kMostTokens = 12;

/// The number of the empty phrase.
inline constexpr std::uint64_t kEmptyPhrase = 0x9E3779B97F4A7C15;

/// The number that represents a phrase with one more token. Two phrases of a wiki have one number with a probability of
/// about one in 100,000 for 15 million phrases; they would be one phrase then.
std::uint64_t longer_phrase(std::uint64_t phrase, std::uint64_t token) noexcept;

/// The phrase that a text is as a whole, with the phrases that it begins with.
struct Phrase {
  std::uint64_t number = 0;
  std::vector<std::uint64_t> beginnings;  ///< shorter ones, ascending by length; the empty one is not among them
};

/// Nothing to link (`number` 0) if the text has no letters, one letter only (unless it is written without blanks), more
/// than kMostTokens tokens, or tokens that are far apart.
Phrase phrase_of(std::string_view text);

}  // namespace touchstone::linking
