#pragma once

#include "common/text_map.hpp"
#include "extractors/site/language_data.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace touchstone::extractors::wikitext::inlines::internal {

/// Stands for a tag or marker in the text of a conversion rule.
inline constexpr char kTagByte = '\x7F';

/// The effect of a language conversion rule such as `-{zh-hans:a;zh-hant:b}-` for a reader who chose no variant.
struct ConversionRule {
  enum class Action : std::uint8_t { kNone, kDefine, kForget };

  /// Bytes of the rule's text that are shown. In a description of the rule, names of variants are around them.
  struct Part {
    std::size_t begin = 0, end = 0;
    std::string before = {}, behind = {};
  };
  std::vector<Part> shown;  ///< ascending, disjoint
  bool is_wrong = false;    ///< MediaWiki shows a message; nothing is shown here
  bool converts = false;    ///< the page's definitions apply to what is shown
  Action action = Action::kNone;
  /// Words of other variants, each with the word of the wiki's own code. Views into the text; later ones win.
  std::vector<std::pair<std::string_view, std::string_view>> definitions;
};

/// Reads the text between `-{` and `}-`, in which inner rules are resolved and kTagByte represents each tag.
///
/// \note  Linear in the length of the text.
/// Source: mediawiki.org Writing systems/Syntax (read 2025-01), checked against MediaWiki 1.39.
ConversionRule read_conversion_rule(const site::VariantLanguage& language, std::string_view text);

/// The words that a page defines for its remaining text, for example by `-{H|sr-ec:а;sr-el:a}-`.
class ConversionTable {
 public:
  /// \param max_bytes  most bytes of replacements; beyond that the table gives up
  explicit ConversionTable(std::size_t max_bytes) : bytes_left_(max_bytes) {}

  bool empty() const noexcept { return words_.empty(); }
  /// True if a bound was reached. The table is then empty.
  bool given_up() const noexcept { return given_up_; }

  /// From now on `from` is shown as `to`. Does nothing if `from` is empty.
  void define(std::string_view from, std::string_view to);
  void forget(std::string_view from);

  struct Match {
    std::size_t begin = 0, end = 0;
    std::string_view shown;  ///< valid until the table changes
  };
  /// The first word in `text` from byte `from` on; of several that begin at one place the longest. At the end of the
  /// text if there is no word.
  Match find(std::string_view text, std::size_t from);

 private:
  static constexpr std::size_t kMaxBytesLookedAt = std::size_t{16} << 20;  // a few hundredths of a second

  void give_up();

  TextMap<std::string> words_;
  /// By first byte: how many words there are of each length, the longest first.
  std::array<std::map<std::size_t, std::size_t, std::greater<>>, 256> lengths_;
  std::size_t looked_at_ = 0;
  std::size_t bytes_left_;
  bool given_up_ = false;
};

}  // namespace touchstone::extractors::wikitext::inlines::internal
