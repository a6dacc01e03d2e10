#include "pipeline/headings/phrase_set.hpp"

#include "common/unicode.hpp"
#include "pipeline/headings/title_text.hpp"

#include <algorithm>
#include <functional>

#include <unicode/uchar.h>

namespace touchstone::pipeline::headings {
namespace {

/// Headings are short; longer texts match no pattern with placeholders.
constexpr std::size_t kMaxPatternText = 2000;

constexpr std::string_view kPlaceholders = "*#%";

bool is_roman_letter(char c) {
  return std::string_view("ivxlcdm").find(c) != std::string_view::npos;
}

/// Places of the pattern that a text may have reached: the usual simulation of a nondeterministic automaton, in
/// O(pattern x text) whatever the pattern is.
class PatternPlaces {
 public:
  explicit PatternPlaces(std::string_view pattern) : pattern_(pattern), reached_(pattern.size() + 1), next_(reached_) {
    reach(reached_, 0);
  }

  /// \param bytes  one code point
  void step(std::string_view bytes, bool digit) {
    const bool roman = bytes.size() == 1 && is_roman_letter(bytes.front());
    std::fill(next_.begin(), next_.end(), false);
    for (std::size_t place = 0; place < pattern_.size(); ++place) {
      if (!reached_[place]) continue;
      if (pattern_[place] == '*')
        reach(next_, place);
      else if ((pattern_[place] == '#' && digit) || (pattern_[place] == '%' && roman))
        reach_numeral(place);
      else if (pattern_.substr(place).starts_with(bytes))
        reach(next_, place + bytes.size());
    }
    reached_.swap(next_);
  }
  bool finished() const { return reached_[pattern_.size()]; }

 private:
  /// A `*` may represent nothing.
  void reach(std::vector<bool>& places, std::size_t place) const {
    places[place] = true;
    while (place < pattern_.size() && pattern_[place] == '*') places[++place] = true;
  }
  void reach_numeral(std::size_t place) {
    next_[place] = true;
    reach(next_, place + 1);
  }

  std::string_view pattern_;
  std::vector<bool> reached_, next_;
};

/// Whether a placeholder excludes a byte of a text. Digits beyond ASCII are left to PatternPlaces.
bool excludes(char placeholder, char there) {
  const bool is_ascii_byte = static_cast<unsigned char>(there) < 0x80;
  if (placeholder == '#') return is_ascii_byte && (there < '0' || there > '9');
  return placeholder == '%' && !is_roman_letter(there);
}

/// Whether the text differs from what is in front of the first placeholder and behind the last one, or from these:
/// most texts are told apart by this look. \pre the text is not empty
bool ends_differ(std::string_view pattern, std::size_t first, std::size_t last, std::string_view text) {
  const auto front = pattern.substr(0, first), back = pattern.substr(last + 1);
  if (text.size() < front.size() + back.size() || !text.starts_with(front) || !text.ends_with(back)) return true;
  const auto between = text.substr(front.size(), text.size() - front.size() - back.size());
  if (between.empty()) return pattern[first] != '*' || pattern[last] != '*';
  return excludes(pattern[first], between.front()) || excludes(pattern[last], between.back());
}

}  // namespace

bool PhraseSet::matches_pattern(const Pattern& pattern, std::string_view text) {
  if (ends_differ(pattern.text, pattern.first, pattern.last, text)) return false;
  PatternPlaces places(pattern.text);
  for (std::size_t at = 0; at < text.size();) {
    const auto start = at;
    const bool digit = u_isdigit(static_cast<UChar32>(next_code_point(text, at))) != 0;
    places.step(text.substr(start, at - start), digit);
  }
  return places.finished();
}

void PhraseSet::add(std::string_view phrase) {
  std::string comparable = comparable_heading(phrase);
  if (comparable.empty()) return;
  const auto first = comparable.find_first_of(kPlaceholders);
  if (first == std::string::npos) {
    const auto place = std::lower_bound(words_.begin(), words_.end(), comparable);
    if (place == words_.end() || *place != comparable) words_.insert(place, std::move(comparable));
  } else if (std::find(patterns_.begin(), patterns_.end(), comparable) == patterns_.end()) {
    const auto last = comparable.find_last_of(kPlaceholders);
    patterns_.push_back({std::move(comparable), first, last});
  }
}

void PhraseSet::add(const PhraseSet& other) {
  for (const auto& phrase : other.words_) add(phrase);
  for (const auto& pattern : other.patterns_) add(pattern.text);
}

void PhraseSet::remove(std::string_view phrase) {
  const std::string comparable = comparable_heading(phrase);
  std::erase(words_, comparable);
  std::erase(patterns_, comparable);
}

bool PhraseSet::matches(std::string_view text) const {
  const std::string comparable = comparable_heading(text);
  if (comparable.empty()) return false;
  if (std::binary_search(words_.begin(), words_.end(), comparable)) return true;
  return comparable.size() <= kMaxPatternText &&
         std::any_of(patterns_.begin(), patterns_.end(),
                     [&](const Pattern& pattern) { return matches_pattern(pattern, comparable); });
}

}  // namespace touchstone::pipeline::headings
