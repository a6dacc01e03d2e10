#include "collection/health/sentence_words.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace touchstone::collection::health {
namespace {

struct Words {
  std::array<std::vector<std::string_view>, 6> sorted;  ///< by SentenceWord
  std::vector<std::string_view> unspaced;               ///< verbs that no blank follows
  std::array<std::vector<std::uint32_t>, 6> lengths;    ///< by kind and first byte: a bit for each length
  std::vector<std::uint32_t> gap_lengths;               ///< by first byte: those of the first words of gaps
};

/// Longer words have the highest bit.
std::uint32_t length_bit(std::string_view word) noexcept {
  return std::uint32_t{1} << std::min<std::size_t>(word.size(), 31);
}
std::uint32_t& length_bits(std::vector<std::uint32_t>& by_first, std::string_view word) {
  by_first.resize(256);
  return by_first[word.empty() ? 0 : static_cast<unsigned char>(word.front())];
}
bool has_length(const std::vector<std::uint32_t>& by_first, std::string_view word) noexcept {
  return !word.empty() && !by_first.empty() &&
         (by_first[static_cast<unsigned char>(word.front())] & length_bit(word)) != 0;
}

std::string_view take(std::string_view& text, char end) {
  const std::string_view part = text.substr(0, text.find(end));
  text.remove_prefix(std::min(text.size(), part.size() + 1));
  return part;
}

/// Chinese characters and kana have three bytes in UTF-8, from 0xE3 on; those of other scripts here have two at most.
bool is_unspaced(std::string_view word) noexcept {
  return static_cast<unsigned char>(word.front()) >= 0xE3;
}

const Words& words() {
  static const Words all = [] {
    constexpr std::string_view kKinds[] = {"verb", "about", "unit", "gap", "hint", "article"};
    Words found;
    for (std::string_view lines = word_files().front().text; !lines.empty();) {
      std::string_view line = take(lines, '\n');
      if (line.empty() || line.front() == '#') continue;
      take(line, '\t');
      const auto kind = static_cast<std::size_t>(std::find(std::begin(kKinds), std::end(kKinds), take(line, '\t')) -
                                                 std::begin(kKinds));
      while (!line.empty()) {
        const std::string_view word = take(line, '|');
        (kind == 0 && is_unspaced(word) ? found.unspaced : found.sorted.at(kind)).push_back(word);
      }
    }
    for (std::size_t kind = 0; kind < found.sorted.size(); ++kind) {
      std::sort(found.sorted[kind].begin(), found.sorted[kind].end());
      for (const auto word : found.sorted[kind]) length_bits(found.lengths[kind], word) |= length_bit(word);
    }
    for (const auto gap : found.sorted[static_cast<std::size_t>(SentenceWord::kGap)]) {
      const auto first = gap.substr(0, gap.find(' '));
      length_bits(found.gap_lengths, first) |= length_bit(first);
    }
    return found;
  }();
  return all;
}

}  // namespace

bool is_sentence_word(SentenceWord kind, std::string_view word) {
  const auto& list = words().sorted[static_cast<std::size_t>(kind)];
  return has_length(words().lengths[static_cast<std::size_t>(kind)], word) &&
         std::binary_search(list.begin(), list.end(), word);
}

bool begins_gap(std::string_view word) {
  return has_length(words().gap_lengths, word);
}

bool begins_with_unspaced_verb(std::string_view text) {
  const auto& verbs = words().unspaced;
  return std::any_of(verbs.begin(), verbs.end(), [&](std::string_view verb) { return text.starts_with(verb); });
}

}  // namespace touchstone::collection::health
