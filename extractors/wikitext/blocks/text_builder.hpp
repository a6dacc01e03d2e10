#pragma once

#include "extractors/document.hpp"
#include "extractors/wikitext/tokens/tokens.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace touchstone::extractors::wikitext::blocks::internal {

/// The place of a link's text.
struct ShownLink {
  std::uint32_t number = 0;  ///< among the page's links
  std::uint32_t begin = 0, end = 0;
};

/// Appends the link in the form of a document, without its place. The strings are moved out of `found`.
Link& add_link(std::vector<Link>& links, tokens::FoundLink& found);

/// Collects the text of one paragraph, cell or heading. White space is folded on the way, and the places of links are
/// recorded.
class TextBuilder {
 public:
  /// Appends wikitext; character references are decoded.
  void append(std::string_view text);

  /// Appends text without character references: '&' is an ampersand.
  void append_literal(std::string_view text);

  /// White space; it is shown only between text.
  void space() noexcept { pending_ = pending_ || size_ != 0; }

  /// A line end: white space, unless lines are kept.
  void newline() noexcept {
    pending_line_ = pending_line_ || keep_lines_;
    space();
  }

  /// Keeps line ends (preformatted text), or folds them.
  void keep_lines(bool keep) noexcept { keep_lines_ = keep; }

  /// Words are missing here.
  void note_gap() { gaps_.push_back(static_cast<std::uint32_t>(size_ + (pending_ ? 1 : 0))); }
  /// The places of missing words, as code points of the text, ascending; its size for one at the end.
  std::vector<std::uint32_t> gaps() const;

  bool empty() const noexcept { return size_ == 0; }
  bool has_links() const noexcept { return !links_.empty(); }
  std::string_view text() const noexcept { return {memory_.data(), size_}; }
  const std::vector<ShownLink>& links() const noexcept { return links_; }

  /// Opens a link; its text is what is appended until `end_link`. \pre no link is open
  void begin_link();
  void end_link(std::uint32_t number);
  bool in_link() const noexcept { return link_open_; }
  /// True if text was appended since the link opened.
  bool link_has_text() const noexcept { return link_started_; }
  void cancel_link() noexcept { link_open_ = link_started_ = false; }

  /// Adds the text and links of a finished part, with white space around. \param found  the page's links; grows
  void append_rich(const RichText& part, std::vector<tokens::FoundLink>& found);

  /// Moves text and links out, with offsets in code points, and empties the builder. \param found  the page's links
  RichText take(std::vector<tokens::FoundLink>& found);
  void clear();

 private:
  char* make_room(std::size_t bytes);
  char* start_words(std::size_t bytes);
  void put(std::string_view chunk);
  std::size_t put_special(std::string_view text);

  std::string memory_;  // the text is its first `size_` bytes
  std::size_t size_ = 0;
  std::vector<ShownLink> links_;     // offsets are bytes
  std::vector<std::uint32_t> gaps_;  // offsets are bytes
  bool pending_ = false;             // white space that is shown when more text comes
  bool pending_line_ = false;        // ... and holds a line end that is kept
  bool keep_lines_ = false;
  bool other_than_ascii_ = false;  // false: all bytes are ASCII
  bool link_open_ = false;
  bool link_started_ = false;
  std::uint32_t link_begin_ = 0;
};

}  // namespace touchstone::extractors::wikitext::blocks::internal
