#include "linking/phrases.hpp"

#include "common/digest.hpp"
#include "text/characters.hpp"
#include "text/words.hpp"

#include <algorithm>
#include <string_view>

namespace touchstone::linking {
namespace {

/// "St. John" and "Smith & Sons" are phrases; what is further apart is not one.
constexpr std::uint32_t kMostBetween = 3;

constexpr text::CategoryRoles kRoles{U_GC_L_MASK | U_GC_N_MASK | U_GC_M_MASK, 0, text::is_written_without_blanks};

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

std::vector<Token> tokens_of(const text::FoldedText& text) {
  const std::u32string_view letters = text.folded;
  std::vector<Token> tokens;
  tokens.reserve(letters.size() / 6 + 1);
  std::size_t last_end = 0;
  text::for_each_word(letters, kRoles, [&](const text::Word& word) {
    tokens.push_back({static_cast<std::uint32_t>(word.begin), static_cast<std::uint32_t>(word.end),
                      hash_of(word.of(letters)),
                      !tokens.empty() && is_gap_of_phrase(letters.substr(last_end, word.begin - last_end))});
    last_end = word.end;
  });
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
  const text::FoldedText folded(text);
  const auto tokens = tokens_of(folded);
  Phrase phrase;
  if (tokens.empty() || tokens.size() > kMostTokens) return phrase;
  const auto letters_of = [&](const Token& token) {
    return std::u32string_view(folded.folded).substr(token.begin, token.end - token.begin);
  };
  std::size_t letters = 0;
  for (const auto& token : tokens) letters += token.end - token.begin;
  const bool one_letter = letters == 1 && !text::is_written_without_blanks(letters_of(tokens[0])[0]);
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
