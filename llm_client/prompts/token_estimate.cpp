#include "llm_client/prompts/token_estimate.hpp"

#include <algorithm>

namespace touchstone::llm_client::prompts {
namespace {

constexpr double kWordsOfOtherCodePoint = 0.2;
// English prose has 1.2 to 1.5 tokens a word with the tokenizers in use. A prompt that was cut loses at least a quarter
// of what a calibrated count predicts; without calibration only cuts to less than half are certain.
constexpr double kLeastShare = 0.75, kUncalibrated = 0.6;

}  // namespace

TextSize& TextSize::operator+=(const TextSize& other) {
  bytes += other.bytes;
  words += other.words;
  tokens += other.tokens;
  return *this;
}

TextSize measure_text(std::string_view text) noexcept {
  TextSize size;
  size.bytes = text.size();
  std::uint64_t ascii = 0, words = 0, others = 0;
  bool in_word = false;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x80) {
      if (byte >= 0xC0) ++others;
      continue;
    }
    ++ascii;
    const bool space = c == ' ' || c == '\n' || c == '\t' || c == '\r';
    if (!space && !in_word) ++words;
    in_word = !space;
  }
  size.words = static_cast<double>(words) + kWordsOfOtherCodePoint * static_cast<double>(others);
  size.tokens = (ascii + 3) / 4 + others;
  return size;
}

std::uint64_t least_tokens(const TextSize& size, const TokenCounting& counting) noexcept {
  if (!counting.trusted) return 0;
  // A count that was itself cut lowers the rate; what is true of any tokenizer still holds.
  const double share = std::max(kUncalibrated, kLeastShare * counting.tokens_per_word);
  return static_cast<std::uint64_t>(share * size.words);
}

}  // namespace touchstone::llm_client::prompts
