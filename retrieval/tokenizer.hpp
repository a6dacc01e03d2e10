#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include <xapian.h>

namespace touchstone::retrieval {

/// A term and how often it occurs.
using TermCount = std::pair<std::string, std::uint32_t>;

namespace internal {

struct TextHash {
  using is_transparent = void;
  std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>{}(text); }
};

}  // namespace internal

using TermSet = std::unordered_set<std::string, internal::TextHash, std::equal_to<>>;

/// What all terms that are not wanted count as; no text has it.
inline constexpr std::string_view kOtherTerm = " ";

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

  /// Takes the words of `text`, at most `most_words` of them; four characters of a script without blanks count as a
  /// word.
  void add(std::string_view text, std::size_t most_words = static_cast<std::size_t>(-1));
  /// The distinct words since the last call in byte order, as they are; then forgets them if `keep` is false.
  /// \param wanted  all others count as one, kOtherTerm; null: all are wanted
  std::vector<TermCount> take_words(bool keep, const TermSet* wanted = nullptr) { return take(false, keep, wanted); }
  /// The same, stemmed.
  std::vector<TermCount> take_stems(bool keep, const TermSet* wanted = nullptr) { return take(true, keep, wanted); }

 private:
  void push(std::string_view text);
  void add_nfc(std::string_view text, std::size_t most);
  std::string_view stemmed(std::string_view text);
  std::vector<TermCount> take(bool stemming, bool keep, const TermSet* wanted);

  Xapian::Stem stem_;
  std::string words_;  ///< one after the other
  std::vector<std::uint32_t> ends_;
  std::unordered_map<std::string, std::string, internal::TextHash, std::equal_to<>> stems_;
};

}  // namespace touchstone::retrieval
