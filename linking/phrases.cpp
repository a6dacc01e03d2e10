#include "linking/phrases.hpp"

#include "common/digest.hpp"
#include "common/words.hpp"

#include <algorithm>
#include <string_view>

namespace touchstone::linking {
namespace {

/// "St. John" and "Smith & Sons" are phrases; what stands further apart is not one.
constexpr std::uint32_t kMostBetween = 3;

bool is_gap_of_phrase(std::u32string_view gap) {
  if (gap.size() > kMostBetween) return false;
  return std::none_of(gap.begin(), gap.end(), [](char32_t letter) {
    return letter == U';' || letter == U':' || letter == U'!' || letter == U'?' || letter == U'\n' || letter == U'(' ||
           letter == U')' || letter == U'\u3002';
  });
}

std::uint64_t hash_of(std::u32string_view letters) {
  return xxh3_64({reinterpret_cast<const char*>(letters.data()), letters.size() * sizeof(char32_t)});
}

bool is_number(std::u32string_view letters) {
  return std::all_of(letters.begin(), letters.end(), [](char32_t c) { return c >= U'0' && c <= U'9'; });
}

}  // namespace

std::vector<Token> tokens_of(const FoldedText& text) {
  const std::u32string_view letters = text.folded;
  std::vector<Token> tokens;
  tokens.reserve(letters.size() / 6 + 1);
  std::uint32_t last_end = 0;
  for (std::uint32_t at = 0; at < letters.size();) {
    if (!is_word_letter(letters[at])) {
      ++at;
      continue;
    }
    std::uint32_t end = at + 1;
    if (!is_written_without_blanks(letters[at])) {
      while (end < letters.size() && is_word_letter(letters[end]) && !is_written_without_blanks(letters[end])) ++end;
    }
    tokens.push_back({at, end, hash_of(letters.substr(at, end - at)),
                      !tokens.empty() && is_gap_of_phrase(letters.substr(last_end, at - last_end))});
    last_end = at = end;
  }
  return tokens;
}

std::uint64_t longer_phrase(std::uint64_t phrase, std::uint64_t token) noexcept {
  // The finaliser of MurmurHash3, so that the order of tokens counts and all bits of the result are even.
  std::uint64_t mixed = phrase * 0xFF51AFD7ED558CCD + token;
  mixed ^= mixed >> 33;
  mixed *= 0xC4CEB9FE1A85EC53;
  mixed ^= mixed >> 33;
  return mixed;
}

Phrase phrase_of(std::string_view text) {
  const FoldedText folded(text);
  const auto tokens = tokens_of(folded);
  Phrase phrase;
  if (tokens.empty() || tokens.size() > kMostTokens) return phrase;
  const auto letters_of = [&](const Token& token) {
    return std::u32string_view(folded.folded).substr(token.begin, token.end - token.begin);
  };
  std::size_t letters = 0;
  for (const auto& token : tokens) letters += token.end - token.begin;
  const bool one_letter = letters == 1 && !is_written_without_blanks(letters_of(tokens[0])[0]);
  const bool numbers =
      std::all_of(tokens.begin(), tokens.end(), [&](const auto& t) { return is_number(letters_of(t)); });
  if (one_letter || numbers) return phrase;
  std::uint64_t number = kEmptyPhrase;
  for (const auto& token : tokens) {
    if (number != kEmptyPhrase) {
      if (!token.follows_closely) return {};
      phrase.beginnings.push_back(number);
    }
    number = longer_phrase(number, token.hash);
  }
  phrase.number = number;
  return phrase;
}

}  // namespace touchstone::linking
