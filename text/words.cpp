#include "text/words.hpp"

#include "text/characters.hpp"

#include <algorithm>

namespace touchstone::text {

Role WordCounter::role_of(char32_t character) {
  return is_written_without_blanks(character) ? Role::kAlone : between_spaces(character);
}

void WordCounter::add(const Word& word) {
  if (word.begin > end_) {
    words_ = count();
    letters_ = 0;
  }
  if (word.alone) {
    ++letters_;
  } else if (letters_ == 0) {
    ++words_;  // otherwise it goes on where letters ended, and is counted with them
  }
  end_ = word.end;
}

std::size_t count_words(std::string_view text) {
  WordCounter counter;
  for_each_word(text, WordCounter::role_of, [&](const Word& word) { counter.add(word); });
  return counter.count();
}

std::vector<std::string_view> parts_of(std::string_view text, std::string_view separators) {
  std::vector<std::string_view> parts;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find_first_of(separators, at), text.size());
    if (end > at) parts.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return parts;
}

std::string_view trimmed(std::string_view text, std::string_view blanks) {
  text.remove_prefix(std::min(text.find_first_not_of(blanks), text.size()));
  return text.substr(0, text.find_last_not_of(blanks) + 1);
}

}  // namespace touchstone::text
