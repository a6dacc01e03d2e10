#include "linking/phrases.hpp"

#include "common/digest.hpp"
#include "text/characters.hpp"
#include "text/words.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

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

bool is_blank(char32_t letter) {
  return letter == U' ' || letter == U'\t' || letter == U'\n' || letter == U'\u00a0' || letter == U'\u3000';
}

/// Whether a run of letters without blanks is an address or code.
bool is_code(std::u32string_view run) {
  constexpr std::u32string_view kBrackets = U"([{<\"'";
  run.remove_prefix(std::min(run.find_first_not_of(kBrackets), run.size()));
  if (run.starts_with(U"www.") || run.find(U"://") != run.npos || run.find(U"()") != run.npos) return true;
  const auto is_within = [&](std::u32string_view sign) {
    const auto at = run.find(sign);
    return at != run.npos && at > 0 && at + sign.size() < run.size();
  };
  return is_within(U"_") || is_within(U"::") || is_within(U"@");
}

/// The places of addresses and code, ascending.
std::vector<std::pair<std::size_t, std::size_t>> code_places(std::u32string_view letters) {
  std::vector<std::pair<std::size_t, std::size_t>> places;
  for (std::size_t at = 0; at < letters.size();) {
    if (letters[at] == U'`') {
      const auto end = std::min(letters.find(U'`', at + 1), letters.size());
      if (end < letters.size() && letters.substr(at, end - at).find(U'\n') == letters.npos) {
        places.emplace_back(at, end + 1);
        at = end + 1;
        continue;
      }
    }
    if (is_blank(letters[at]) || letters[at] == U'`') {
      ++at;
      continue;
    }
    auto end = at;
    while (end < letters.size() && !is_blank(letters[end]) && letters[end] != U'`') ++end;
    if (is_code(letters.substr(at, end - at))) places.emplace_back(at, end);
    at = end;
  }
  return places;
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

std::vector<Token> prose_tokens_of(const text::FoldedText& text) {
  auto tokens = tokens_of(text);
  const auto places = code_places(text.letters);
  if (places.empty()) return tokens;
  auto place = places.begin();
  bool is_behind_code = false;
  std::erase_if(tokens, [&](Token& token) {
    while (place != places.end() && place->second <= token.begin) ++place;
    const bool is_in_code = place != places.end() && place->first < token.end;
    token.follows_closely = token.follows_closely && !is_behind_code;
    is_behind_code = is_in_code;
    return is_in_code;
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
