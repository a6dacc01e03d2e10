#include "pipeline/passages/near_duplicates/word_bigrams.hpp"

#include "common/digest.hpp"
#include "common/unicode.hpp"
#include "text/characters.hpp"
#include "text/words.hpp"

#include <algorithm>

#include <unicode/uchar.h>

namespace touchstone::pipeline::passages::near_duplicates {
namespace {

constexpr text::CategoryRoles kRoles{text::kLettersAndDigits, U_GC_M_MASK, text::is_written_without_blanks};

/// Stands for the missing second word of a text of one word.
constexpr std::uint64_t kEndOfText = 0x656e64;

std::uint64_t bigram_hash(std::uint64_t first, std::uint64_t second) noexcept {
  // The second word is multiplied before it is added, so that "a b" and "b a" differ. The rest is the finalizer of
  // SplitMix64 (analysis/statistics/random.hpp).
  std::uint64_t z = first + second * 0x9e3779b97f4a7c15U;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
  return z ^ (z >> 31);
}

}  // namespace

const std::vector<std::uint64_t>& WordHasher::words(std::string_view text) {
  words_.clear();
  std::string composed;
  if (!is_trivially_nfc(text)) text = composed = nfc(text);
  text::for_each_word(text, kRoles, [&](const text::Word& word) {
    word_.clear();
    text::append_folded(word_, word.of(text),
                        [](char32_t c) { return kRoles(c) == text::Role::kMark ? c : text::fold_case(c); });
    words_.push_back(xxh3_64(word_));
  });
  return words_;
}

void word_bigrams(const std::vector<std::uint64_t>& words, std::vector<std::uint64_t>& bigrams) {
  bigrams.clear();
  if (words.size() == 1) bigrams.push_back(bigram_hash(words[0], kEndOfText));
  for (std::size_t i = 1; i < words.size(); ++i) bigrams.push_back(bigram_hash(words[i - 1], words[i]));
  std::sort(bigrams.begin(), bigrams.end());
  bigrams.erase(std::unique(bigrams.begin(), bigrams.end()), bigrams.end());
}

}  // namespace touchstone::pipeline::passages::near_duplicates
