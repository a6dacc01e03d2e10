#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace touchstone::retrieval {

/// A term and how often it occurs.
using TermCount = std::pair<std::string, std::uint32_t>;

/// The languages that have a stemmer, by their code in wikis ("en"); empty if the language has none.
std::string stemmer_of(std::string_view language);

/// Cuts texts into terms: runs of letters, digits and marks, in lower case, in normalisation form C, and stemmed if
/// wanted. Runs of scripts that are written without blanks (Han, kana, Hangul, Thai, Lao, Khmer, Burmese) become
/// overlapping pairs of characters, and single characters of Han, kana and Hangul. Terms are cut at 64 bytes.
/// One object for one thread.
class Tokenizer {
 public:
  /// \param stemmer  Snowball's name or a language code; empty: words stay as they are
  explicit Tokenizer(const std::string& stemmer);
  ~Tokenizer();
  Tokenizer(Tokenizer&&) noexcept;

  /// Takes the words of `text`, at most `most_words` of them; four characters of a script without blanks count as a
  /// word.
  void add(std::string_view text, std::size_t most_words = static_cast<std::size_t>(-1));
  /// The distinct words since the last call in byte order, as they are; then forgets them if `keep` is false.
  std::vector<TermCount> take_words(bool keep);
  /// The same, stemmed.
  std::vector<TermCount> take_stems(bool keep);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace touchstone::retrieval
