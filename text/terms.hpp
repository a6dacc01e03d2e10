#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

struct sb_stemmer;

namespace touchstone::text {

/// A word of a text, reduced to what is compared.
struct Term {
  std::string stem;                  ///< lower case, accents removed, stemmed
  std::uint32_t begin = 0, end = 0;  ///< code points in the text
  std::uint32_t sentence = 0;        ///< number of its sentence
  bool letter = false;               ///< a Han, Hiragana or Katakana letter, which is a word of its own
  bool capital = false;              ///< it begins with an upper-case letter in the text
};

/// Splits texts into comparable words: runs of letters and digits (a Han, Hiragana or Katakana letter is a word of its
/// own), lower case, without accents, stemmed by Snowball where the language has a stemmer.
/// One object for one thread.
class TermSplitter {
 public:
  /// \param stemmer  Snowball's name ("english"), or empty for none
  explicit TermSplitter(std::string_view stemmer);
  ~TermSplitter();
  TermSplitter(TermSplitter&&) noexcept;

  /// Words in order. Sentences end at '.', '!' or '?' before a blank and an upper-case letter, digit or end.
  std::vector<Term> split(std::string_view text);

  /// True for words that carry no topic ("of", "the", "list", "name", ...), after reduction.
  bool is_stop_word(const std::string& stem) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace touchstone::text
