#include "retrieval/tokenizer.hpp"

#include "common/unicode.hpp"
#include "text/characters.hpp"
#include "text/words.hpp"

#include <algorithm>

namespace touchstone::retrieval {
namespace {

constexpr std::size_t kMaxTermBytes = 64;
constexpr std::size_t kMaxCachedStems = 200'000;
constexpr std::size_t kQuarters = 4;  ///< of a word; a character of a script without blanks counts as one
constexpr std::size_t kMostWords = std::size_t{1} << 40;

/// Ideographs, kana and Hangul: a single character is a word as well.
bool is_syllable(char32_t c) {
  static const text::CharacterSet kSyllables(
      "[\\u1100-\\u11FF\\u3005-\\u3007\\u3040-\\u312F\\u31F0-\\u31FF\\u3400-\\u4DBF\\u4E00-\\u9FFF\\uAC00-\\uD7A3"
      "\\uF900-\\uFAFF\\U00020000-\\U0003134F]");
  return c >= 0x1100 && kSyllables.contains(c);
}

text::Role role_of(char32_t c) {
  static const text::CharacterSet kAlphabetsWithoutBlanks("[\\u0E01-\\u0EFF\\u1000-\\u109F\\u1780-\\u17FF]");
  if (c < 0x80 || c == kReplacementCharacter || !Xapian::Unicode::is_wordchar(c)) return text::Role::kGap;
  return is_syllable(c) || kAlphabetsWithoutBlanks.contains(c) ? text::Role::kAlone : text::Role::kPart;
}

/// Where a term that is too long is cut: not inside a character.
std::size_t cut(std::string_view word) {
  if (word.size() <= kMaxTermBytes) return word.size();
  std::size_t end = kMaxTermBytes;
  while (end > 0 && (static_cast<unsigned char>(word[end]) & 0xC0U) == 0x80) --end;
  return end;
}

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

Tokenizer::Tokenizer(const std::string& stemmer) {
  if (!stemmer.empty()) stem_ = Xapian::Stem(stemmer);
}

void Tokenizer::push(std::string_view text) {
  words_.append(text.substr(0, cut(text)));
  ends_.push_back(static_cast<std::uint32_t>(words_.size()));
}

void Tokenizer::add(std::string_view text, std::size_t most_words) {
  if (is_trivially_nfc(text)) return add_nfc(text, most_words);
  add_nfc(nfc(text), most_words);
}

void Tokenizer::add_nfc(std::string_view text, std::size_t most) {
  const auto limit = std::min(most, kMostWords) * kQuarters;
  std::size_t quarters = 0;
  text::Word before{0, std::string_view::npos};
  bool single = false;  // it is the first of its run, and no term yet
  text::for_each_word(text, role_of, [&](const text::Word& word) {
    const bool follows = word.alone && before.end == word.begin;
    // A character that ends the last word is taken too.
    if (quarters >= limit && (!follows || before.alone)) return false;
    const bool joined = follows && before.alone;
    if (single && !joined) push(before.of(text));
    single = false;
    quarters += word.alone ? 1 : kQuarters;
    if (!word.alone) {
      const auto begin = words_.size();
      text::append_folded(words_, word.of(text), [](char32_t c) { return Xapian::Unicode::tolower(c); });
      words_.resize(begin + cut(std::string_view(words_).substr(begin)));
      ends_.push_back(static_cast<std::uint32_t>(words_.size()));
    } else if (std::size_t at = word.begin; is_syllable(next_code_point(text, at))) {
      push(word.of(text));
    } else {
      single = !joined;
    }
    if (joined) push(text.substr(before.begin, word.end - before.begin));
    before = word;
    return true;
  });
  if (single) push(before.of(text));
}

std::string_view Tokenizer::stemmed(std::string_view text) {
  const auto found = stems_.find(text);
  if (found != stems_.end()) return found->second;
  std::string key(text);
  auto result = stem_(key);
  return stems_.emplace(std::move(key), std::move(result)).first->second;
}

std::vector<TermCount> Tokenizer::take(bool stemming, bool keep, const TermSet* wanted) {
  if (stems_.size() > kMaxCachedStems) stems_.clear();
  std::vector<std::string_view> terms;
  terms.reserve(ends_.size());
  std::uint32_t begin = 0, others = 0;
  for (const auto end : ends_) {
    const auto text = std::string_view(words_).substr(begin, end - begin);
    const auto term = stemming && !stem_.is_none() ? stemmed(text) : text;
    if (wanted == nullptr || wanted->contains(term))
      terms.push_back(term);
    else
      ++others;
    begin = end;
  }
  auto counts = counted(terms);
  if (others > 0) counts.emplace(counts.begin(), kOtherTerm, others);
  if (!keep) {
    words_.clear();
    ends_.clear();
  }
  return counts;
}

}  // namespace touchstone::retrieval
