#include "collection/health/moulds.hpp"

#include "collection/health/words.hpp"
#include "common/unicode.hpp"

#include <algorithm>

#include <unicode/uchar.h>

namespace touchstone::collection::health {
namespace {

/// True for capitalised words and for numbers, in digits or in words of one numeral.
bool is_name_or_number(std::string_view word) {
  std::size_t at = 0;
  const auto first = static_cast<UChar32>(next_code_point(word, at));
  if (u_isupper(first) || u_istitle(first)) return true;
  for (at = 0; at < word.size();) {
    const auto letter = static_cast<UChar32>(next_code_point(word, at));
    if (u_isdigit(letter) || u_getNumericValue(letter) != U_NO_NUMERIC_VALUE) return true;
  }
  return false;
}

/// Ranges of bytes that are names, sorted.
std::vector<std::pair<std::size_t, std::size_t>> name_ranges(
    std::string_view text, const std::vector<std::string>& names,
    std::vector<std::pair<std::uint32_t, std::uint32_t>> spans) {
  std::vector<std::pair<std::size_t, std::size_t>> ranges;
  for (const auto& name : names) {
    if (name.empty()) continue;
    for (auto at = text.find(name); at != std::string_view::npos; at = text.find(name, at + name.size()))
      ranges.emplace_back(at, at + name.size());
  }
  std::sort(spans.begin(), spans.end());
  ByteCounter begins(text);
  for (const auto& [begin, end] : spans) {
    const auto first = begins.at_code_point(begin);
    auto last = first;
    for (auto left = end - std::min(begin, end); left > 0 && last < text.size(); --left) next_code_point(text, last);
    ranges.emplace_back(first, last);
  }
  std::sort(ranges.begin(), ranges.end());
  return ranges;
}

}  // namespace

std::string mould_of(std::string_view text, const std::vector<std::string>& names,
                     const std::vector<std::pair<std::uint32_t, std::uint32_t>>& spans) {
  const auto ranges = name_ranges(text, names, spans);
  std::vector<internal::Word> words;
  internal::split_words(text, words);
  std::string mould;
  bool after_name = false;
  std::size_t next = 0, named_to = 0;
  for (const auto& word : words) {
    for (; next < ranges.size() && ranges[next].first <= word.begin; ++next)
      named_to = std::max(named_to, ranges[next].second);
    const auto letters = text.substr(word.begin, word.end - word.begin);
    const bool name = word.begin < named_to || is_name_or_number(letters);
    if (name && after_name) continue;
    after_name = name;
    if (!mould.empty()) mould += ' ';
    mould += name ? "X" : lower_case(letters);
  }
  return mould;
}

}  // namespace touchstone::collection::health
