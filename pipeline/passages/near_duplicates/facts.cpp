#include "pipeline/passages/near_duplicates/facts.hpp"

#include "common/digest.hpp"
#include "common/unicode.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include <unicode/uchar.h>

namespace touchstone::pipeline::passages::near_duplicates {
namespace {

constexpr std::uint64_t kNumber = 1, kTitleWord = 2, kTarget = 3;  // seeds, so that kinds do not meet
constexpr std::size_t kShortWord = 3;

/// Appends a hash of each run of decimal digits, by their values.
void add_numbers(std::string_view text, std::vector<std::uint64_t>& facts) {
  std::string run;
  const auto end_run = [&] {
    if (!run.empty()) facts.push_back(xxh3_64(run, kNumber));
    run.clear();
  };
  for (std::size_t position = 0; position < text.size();) {
    const auto digit = u_charDigitValue(static_cast<UChar32>(next_code_point(text, position)));
    if (digit >= 0) {
      run.push_back(static_cast<char>('0' + digit));
    } else {
      end_run();
    }
  }
  end_run();
}

bool is_short_word(std::string_view piece) {
  return piece.size() <= kShortWord &&
         std::all_of(piece.begin(), piece.end(), [](char c) { return c >= 'a' && c <= 'z'; });
}

/// Hashes of the words of a title that may tell it from others, ascending.
std::vector<std::uint64_t> telling_words(std::string_view title, WordHasher& hasher) {
  std::vector<std::uint64_t> words;
  while (!title.empty()) {
    const auto piece = title.substr(0, title.find(' '));
    title.remove_prefix(std::min(piece.size() + 1, title.size()));
    if (is_short_word(piece)) continue;
    const auto& found = hasher.words(piece);
    words.insert(words.end(), found.begin(), found.end());
  }
  std::sort(words.begin(), words.end());
  return words;
}

}  // namespace

std::uint64_t digest_of_facts(std::string_view text, std::string_view page_title,
                              std::span<const std::string_view> link_targets, WordHasher& hasher) {
  std::vector<std::uint64_t> facts;
  add_numbers(text, facts);
  for (const auto target : link_targets) facts.push_back(xxh3_64(target, kTarget));
  const auto title = telling_words(page_title, hasher);
  for (const auto word : hasher.words(text)) {
    if (std::binary_search(title.begin(), title.end(), word))
      facts.push_back(xxh3_64({reinterpret_cast<const char*>(&word), sizeof word}, kTitleWord));
  }
  std::sort(facts.begin(), facts.end());
  facts.erase(std::unique(facts.begin(), facts.end()), facts.end());
  if (facts.empty()) return 0;
  return xxh3_64({reinterpret_cast<const char*>(facts.data()), facts.size() * sizeof(std::uint64_t)});
}

}  // namespace touchstone::pipeline::passages::near_duplicates
