#pragma once

#include <cstdint>
#include <string_view>

namespace touchstone::llm_client::prompts {

/// Sizes of a text by which its tokens are bounded and guessed, when no tokenizer is at hand.
struct TextSize {
  std::uint64_t bytes = 0;
  /// Words between white space, in the parts that are ASCII; 0.2 for each other code point. Real tokenizers give more
  /// tokens than this for any text.
  double words = 0;
  /// A guess of the tokens: a quarter of the ASCII bytes, and one for each other code point.
  std::uint64_t tokens = 0;

  TextSize& operator+=(const TextSize& other);
};

/// Pure and thread-safe.
TextSize measure_text(std::string_view text) noexcept;

/// Tokens that a chat template may add to a request's texts.
inline constexpr std::uint64_t kTemplateTokens = 64;

/// What a request can cost at most: tokenizers that fall back to bytes never give more tokens than bytes.
inline std::uint64_t most_tokens(const TextSize& size) noexcept {
  return size.bytes + kTemplateTokens;
}

/// What is known of a server's counting.
struct TokenCounting {
  bool trusted = true;         ///< false: its counts do not follow the length of prompts, and say nothing
  double tokens_per_word = 0;  ///< as it counted them for a text like those asked; 0: not known
};

/// Tokens below which a server cannot have read a whole prompt; 0 when its counts say nothing.
std::uint64_t least_tokens(const TextSize& size, const TokenCounting& counting) noexcept;

}  // namespace touchstone::llm_client::prompts
