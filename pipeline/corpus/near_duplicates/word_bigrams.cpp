#include "pipeline/corpus/near_duplicates/word_bigrams.hpp"

#include "common/digest.hpp"
#include "common/unicode.hpp"
#include "common/words.hpp"

#include <algorithm>
#include <array>

#include <unicode/uchar.h>
#include <unicode/uscript.h>

namespace touchstone::pipeline::corpus::near_duplicates {
namespace {

/// The lower-case form of an ASCII letter or digit; 0 for all other bytes.
constexpr std::array<char, 128> kAsciiWord = [] {
  std::array<char, 128> table{};
  for (char c = '0'; c <= '9'; ++c) table[static_cast<std::size_t>(c)] = c;
  for (char c = 'a'; c <= 'z'; ++c) {
    table[static_cast<std::size_t>(c)] = c;
    table[static_cast<std::size_t>(c - 'a' + 'A')] = c;
  }
  return table;
}();

bool is_mark(UChar32 c) {
  return (U_GET_GC_MASK(c) & U_GC_M_MASK) != 0;
}

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

void WordHasher::end_word() {
  if (!word_.empty()) words_.push_back(xxh3_64(word_));
  word_.clear();
  whole_ = false;
}

void WordHasher::add_code_point(char32_t code_point) {
  const auto c = static_cast<UChar32>(code_point);
  if (is_mark(c)) {
    if (!word_.empty()) append_utf8(word_, code_point);
    return;
  }
  if (!u_isalnum(c)) return end_word();
  const bool alone = is_written_without_blanks(code_point);
  if (alone || whole_) end_word();
  append_utf8(word_, static_cast<char32_t>(u_foldCase(c, U_FOLD_CASE_DEFAULT)));
  whole_ = alone;
}

const std::vector<std::uint64_t>& WordHasher::words(std::string_view text) {
  words_.clear();
  std::string composed;
  if (!is_trivially_nfc(text)) text = composed = nfc(text);
  for (std::size_t position = 0; position < text.size();) {
    const auto byte = static_cast<unsigned char>(text[position]);
    if (byte >= kAsciiWord.size()) {
      add_code_point(next_code_point(text, position));
      continue;
    }
    const char lower = kAsciiWord[byte];
    if (lower == 0 || whole_) end_word();
    if (lower != 0) word_.push_back(lower);
    ++position;
  }
  end_word();
  return words_;
}

void word_bigrams(const std::vector<std::uint64_t>& words, std::vector<std::uint64_t>& bigrams) {
  bigrams.clear();
  if (words.size() == 1) bigrams.push_back(bigram_hash(words[0], kEndOfText));
  for (std::size_t i = 1; i < words.size(); ++i) bigrams.push_back(bigram_hash(words[i - 1], words[i]));
  std::sort(bigrams.begin(), bigrams.end());
  bigrams.erase(std::unique(bigrams.begin(), bigrams.end()), bigrams.end());
}

}  // namespace touchstone::pipeline::corpus::near_duplicates
