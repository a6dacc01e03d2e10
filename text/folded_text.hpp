#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace touchstone::text {

/// A text as names are looked for in it: letter by letter as it is, and folded. Both have the code points of the text,
/// so that an offset means the same in all three.
struct FoldedText {
  std::u32string letters;
  std::u32string folded;  ///< simple case folding; full-width letters, blanks and apostrophes as their plain forms

  /// \param text  UTF-8
  explicit FoldedText(std::string_view text);
};

/// Where words of a text begin and end.
///
/// Between two letters, digits or marks there is no bound, and neither at a hyphen with a letter before it or a capital
/// letter behind it ("Jean-Paul"), nor behind a colon that joins letters ("Category:Light"). In scripts without blanks
/// between words (Han, Kana, Thai, Lao, Khmer, Burmese) ICU's dictionaries decide, which are looked at when the first
/// question needs them; a run of Katakana is one word. Not thread-safe.
class WordBounds {
 public:
  /// \param letters  outlives this object
  explicit WordBounds(std::u32string_view letters) : letters_(letters) {}

  /// True if the letters from `begin` to `end` are whole words.
  bool encloses(std::uint32_t begin, std::uint32_t end);

 private:
  bool begins(std::uint32_t at);
  bool ends(std::uint32_t at);
  bool is_bound(std::uint32_t at);
  bool dictionary_bound(std::uint32_t at);

  std::u32string_view letters_;
  std::optional<std::vector<bool>> dictionary_;  ///< by code point: a word begins or the text ends here
};

}  // namespace touchstone::text
