#pragma once

#include "extractors/wikitext/tokens/tokens.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace touchstone::extractors::wikitext::inlines::internal {

/// Value of a line end at which a paragraph begins or ends.
inline constexpr std::uint32_t kElementEnd = 1;

/// The text of a language conversion rule as `read_conversion_rule` takes it, and where each token is in it.
class RuleText {
 public:
  /// Bytes that a token represents.
  struct Extent {
    std::uint32_t begin = 0, end = 0;
  };

  /// \param owned_texts  see TokenContext; outlives this object
  explicit RuleText(const std::vector<std::string>& owned_texts) : owned_texts_(owned_texts) {}

  /// Writes the text of a rule that holds `inner`.
  ///
  /// \param text     what the tokens point into
  /// \param in_link  the rule is in a link or image, in which line ends are blanks
  void write(std::string_view text, const tokens::Tokens& inner, bool in_link);

  const std::string& bytes() const noexcept { return bytes_; }
  const std::vector<Extent>& extents() const noexcept { return extents_; }  ///< of the tokens, in their order

 private:
  char line_mark(std::uint32_t at) const noexcept;
  void append_newline(const tokens::Token& newline);
  void append_line_start(const tokens::Token& token);
  void append_tag(const tokens::Token& token);

  const std::vector<std::string>& owned_texts_;
  std::string_view text_;
  bool in_link_ = false;
  std::string bytes_;
  std::vector<Extent> extents_;
};

}  // namespace touchstone::extractors::wikitext::inlines::internal
