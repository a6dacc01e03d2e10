#pragma once

#include "extractors/wikitext/tokens/tokens.hpp"

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <vector>

namespace touchstone::extractors::wikitext::tokens::internal {

/// The line-wise markup of tables (`{|`, `|-`, `|`, `!`, `|+`, `|}`), turned into table tags.
class TableLines {
 public:
  /// \param text  the text that tokens point into
  explicit TableLines(std::string_view text) noexcept : text_(text) {}

  /// Looks at the line that the tokens from `first` on make up and rewrites them when it is table markup. True when it
  /// did.
  bool process_line(Tokens& tokens, std::size_t first);

  /// True when `text` may hold a mark that parts cells where it is.
  bool may_cut(std::string_view text) const noexcept {
    if (open_.empty()) return false;
    const auto mark =
        std::adjacent_find(text.begin(), text.end(), [](char a, char b) { return a == b && (a == '|' || a == '!'); });
    return mark != text.end();
  }

  /// Closes what the text left open.
  void close_all(Tokens& tokens);

 private:
  struct OpenTable {
    Tag cell = Tag::kNone;  ///< kTd, kTh or kCaption while one is open
    bool row = false;       ///< a row is open
    bool had_row = false;
    std::uint32_t indent = 0;                                ///< colons in front of "{|"
    std::uint32_t attributes_begin = 0, attributes_end = 0;  ///< of the row that the next cell opens
  };

  void open_table(Tokens& tokens, std::size_t first, std::uint32_t indent, std::size_t skip);
  void close_table(Tokens& tokens, std::size_t first, std::size_t skip);
  void start_row(Tokens& tokens, std::size_t first, std::size_t skip);
  void add_cells(Tokens& tokens, std::size_t first, std::size_t skip, char kind);
  void add_cell(Tokens& tokens, const Token* begin, const Token* end, char kind);
  void take_line(Tokens& tokens, std::size_t first, std::size_t skip);
  std::uint32_t attributes_end(std::uint32_t from) const noexcept;

  std::string_view text_;
  std::vector<OpenTable> open_;
  std::uint32_t indent_ = 0;  ///< of the table that was opened last, whether it is still open or not
  Tokens line_, cell_;        ///< scratch
};

}  // namespace touchstone::extractors::wikitext::tokens::internal
