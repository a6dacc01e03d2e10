#pragma once

#include "common/digest.hpp"
#include "text/terms.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

namespace touchstone::pipeline::corpus {

/// The distinct words of a text as numbers: 42 bits of the hash of a stem, which are enough for the words of a language
/// and short in files, and as the lowest bit whether the text has the word in lower case.
using HashedWords = std::vector<std::uint64_t>;

inline std::uint64_t hash_of_stem(std::string_view stem) {
  return xxh3_64(stem) >> 22U;
}
inline std::uint64_t hash_of_word(std::uint64_t word) noexcept {
  return word >> 1U;
}
inline bool is_in_lower_case(std::uint64_t word) noexcept {
  return (word & 1U) != 0;
}
/// Adds words, in which some may be several times. \param in_text  their letters are not in upper case by their place
inline void add_words(const std::vector<text::Term>& terms, bool in_text, HashedWords& words) {
  for (const auto& term : terms) words.push_back(hash_of_stem(term.stem) << 1U | (in_text && !term.capital ? 1U : 0U));
}
/// Leaves each word once, in lower case if it is so somewhere.
inline void keep_distinct(HashedWords& words) {
  std::sort(words.begin(), words.end(), std::greater<>());
  const auto same = [](std::uint64_t a, std::uint64_t b) { return hash_of_word(a) == hash_of_word(b); };
  words.erase(std::unique(words.begin(), words.end(), same), words.end());
}

}  // namespace touchstone::pipeline::corpus
