#include "collection/health/sentence_words.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

namespace touchstone::collection::health::internal {
namespace {

struct Words {
  std::array<std::vector<std::string_view>, 6> sorted;  ///< by SentenceWord
  std::vector<std::string_view> unspaced;               ///< verbs that no blank follows
};

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
    for (auto& list : found.sorted) std::sort(list.begin(), list.end());
    return found;
  }();
  return all;
}

}  // namespace

bool is_sentence_word(SentenceWord kind, std::string_view word) {
  const auto& list = words().sorted[static_cast<std::size_t>(kind)];
  return std::binary_search(list.begin(), list.end(), word);
}

bool begins_with_unspaced_verb(std::string_view text) {
  const auto& verbs = words().unspaced;
  return std::any_of(verbs.begin(), verbs.end(), [&](std::string_view verb) { return text.starts_with(verb); });
}

}  // namespace touchstone::collection::health::internal
