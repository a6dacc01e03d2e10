#include "retrieval/tokenizer.hpp"

#include "common/unicode.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <unordered_map>

#include <xapian.h>

namespace touchstone::retrieval {
namespace {

constexpr std::size_t kMaxTermBytes = 64;
constexpr std::size_t kMaxCachedStems = 200'000;
constexpr std::size_t kQuarters = 4;  ///< of a word; a character of a script without blanks counts as one
constexpr std::size_t kMostWords = std::size_t{1} << 40;

struct Range {
  char32_t first, last;
};

// Ideographs, kana and Hangul: a single character is a word as well.
constexpr std::array<Range, 9> kSyllables{{{0x1100, 0x11FF},
                                           {0x3005, 0x3007},
                                           {0x3040, 0x312F},
                                           {0x31F0, 0x31FF},
                                           {0x3400, 0x4DBF},
                                           {0x4E00, 0x9FFF},
                                           {0xAC00, 0xD7A3},
                                           {0xF900, 0xFAFF},
                                           {0x20000, 0x3134F}}};
// Thai and Lao, Burmese, Khmer.
constexpr std::array<Range, 3> kAlphabetsWithoutBlanks{{{0x0E01, 0x0EFF}, {0x1000, 0x109F}, {0x1780, 0x17FF}}};

bool is_in(std::span<const Range> ranges, char32_t c) {
  return std::any_of(ranges.begin(), ranges.end(),
                     [c](const Range& range) { return c >= range.first && c <= range.last; });
}

bool is_syllable(char32_t c) {
  return c >= 0x1100 && is_in(kSyllables, c);
}

bool is_without_blanks(char32_t c) {
  return c >= 0x0E01 && (is_syllable(c) || is_in(kAlphabetsWithoutBlanks, c));
}

/// 0: no part of a word; else the lower-case letter or digit.
constexpr std::array<char, 128> ascii_letters() {
  std::array<char, 128> letters{};
  for (char c = '0'; c <= '9'; ++c) letters[static_cast<std::size_t>(c)] = c;
  for (char c = 'a'; c <= 'z'; ++c) letters[static_cast<std::size_t>(c)] = c;
  for (char c = 'A'; c <= 'Z'; ++c) letters[static_cast<std::size_t>(c)] = static_cast<char>(c - 'A' + 'a');
  return letters;
}
constexpr auto kAsciiLetters = ascii_letters();

/// Where a term that is too long is cut: not inside a character.
std::size_t cut(std::string_view word) {
  if (word.size() <= kMaxTermBytes) return word.size();
  std::size_t end = kMaxTermBytes;
  while (end > 0 && (static_cast<unsigned char>(word[end]) & 0xC0U) == 0x80) --end;
  return end;
}

struct TextHash {
  using is_transparent = void;
  std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>{}(text); }
};

std::vector<TermCount> counted(std::vector<std::string_view>& terms) {
  std::sort(terms.begin(), terms.end());
  std::vector<TermCount> counts;
  counts.reserve(terms.size());
  for (const auto term : terms) {
    if (!counts.empty() && counts.back().first == term) {
      ++counts.back().second;
    } else {
      counts.emplace_back(term, 1);
    }
  }
  return counts;
}

}  // namespace

std::string stemmer_of(std::string_view language) {
  try {
    const std::string name(language.substr(0, language.find('-')));
    if (name.empty() || name == "none") return "";
    const Xapian::Stem stem(name);
    return name;
  } catch (const Xapian::InvalidArgumentError&) {
    return "";
  }
}

struct Tokenizer::Impl {
  explicit Impl(const std::string& stemmer) {
    if (!stemmer.empty()) stem = Xapian::Stem(stemmer);
  }

  Xapian::Stem stem;
  std::string words;         ///< one after the other
  std::size_t quarters = 0;  ///< of words, taken from this text
  std::vector<std::uint32_t> ends;
  std::string word;    ///< that is being read
  std::string before;  ///< the character before, in a script without blanks
  std::unordered_map<std::string, std::string, TextHash, std::equal_to<>> stems;

  void push(std::string_view text) {
    words.append(text.substr(0, cut(text)));
    ends.push_back(static_cast<std::uint32_t>(words.size()));
  }

  void end_word() {
    if (word.empty()) return;
    push(word);
    quarters += kQuarters;
    word.clear();
  }

  /// Ends a run of a script without blanks; one character alone is a word, whatever its script.
  void end_run(bool single, bool was_pushed) {
    if (single && !was_pushed) push(before);
    before.clear();
  }

  void add(std::string_view text, std::size_t most) {
    quarters = 0;
    const auto limit = std::min(most, kMostWords) * kQuarters;
    bool single = false, pushed = false;
    for (std::size_t at = 0; at < text.size() && quarters < limit;) {
      const auto byte = static_cast<unsigned char>(text[at]);
      if (byte < 0x80) {
        if (!before.empty()) end_run(single, pushed);
        if (const char letter = kAsciiLetters[byte]; letter != 0) {
          word += letter;
        } else {
          end_word();
        }
        ++at;
        continue;
      }
      const auto c = next_code_point(text, at);
      const bool is_word = c != kReplacementCharacter && Xapian::Unicode::is_wordchar(c);
      if (is_word && is_without_blanks(c)) {
        end_word();
        std::string letter;
        append_utf8(letter, c);
        ++quarters;
        single = before.empty();
        pushed = is_syllable(c);
        if (pushed) push(letter);
        if (!single) push(before + letter);
        before = std::move(letter);
        continue;
      }
      if (!before.empty()) end_run(single, pushed);
      if (is_word) {
        append_utf8(word, Xapian::Unicode::tolower(c));
      } else {
        end_word();
      }
    }
    if (!before.empty()) end_run(single, pushed);
    end_word();
  }

  std::string_view stemmed(std::string_view text) {
    const auto found = stems.find(text);
    if (found != stems.end()) return found->second;
    std::string key(text);
    auto result = stem(key);
    return stems.emplace(std::move(key), std::move(result)).first->second;
  }

  std::vector<TermCount> take(bool stemming, bool keep) {
    if (stems.size() > kMaxCachedStems) stems.clear();
    std::vector<std::string_view> terms;
    terms.reserve(ends.size());
    std::uint32_t begin = 0;
    for (const auto end : ends) {
      const auto text = std::string_view(words).substr(begin, end - begin);
      terms.push_back(stemming && !stem.is_none() ? stemmed(text) : text);
      begin = end;
    }
    auto counts = counted(terms);
    if (!keep) {
      words.clear();
      ends.clear();
    }
    return counts;
  }
};

Tokenizer::Tokenizer(const std::string& stemmer) : impl_(std::make_unique<Impl>(stemmer)) {}
Tokenizer::~Tokenizer() = default;
Tokenizer::Tokenizer(Tokenizer&&) noexcept = default;

void Tokenizer::add(std::string_view text, std::size_t most_words) {
  if (is_trivially_nfc(text)) return impl_->add(text, most_words);
  impl_->add(nfc(text), most_words);
}

std::vector<TermCount> Tokenizer::take_words(bool keep) {
  return impl_->take(false, keep);
}

std::vector<TermCount> Tokenizer::take_stems(bool keep) {
  return impl_->take(true, keep);
}

}  // namespace touchstone::retrieval
