#include "extractors/wikitext/inline/rule_text.hpp"

#include "extractors/wikitext/inline/conversion_rule.hpp"

#include <algorithm>
#include <utility>

namespace touchstone::extractors::wikitext::inlines::internal {
using namespace tokens;
namespace {

constexpr std::string_view kListMarks = "*#:;";

}  // namespace

/// The first byte of the line that byte `at` ends; a line end when it is empty.
char RuleText::line_mark(std::uint32_t at) const noexcept {
  const std::size_t line_end = text_.substr(0, at).rfind('\n');
  const std::size_t line = line_end == std::string_view::npos ? 0 : line_end + 1;
  return line < at ? text_[line] : '\n';
}

/// Writes a line end of a rule, and a tag behind it if MediaWiki begins or ends an element there: an item, a paragraph,
/// preformatted text.
void RuleText::append_newline(const Token& newline) {
  bytes_.push_back('\n');
  if (in_link_) return;
  if (newline.begin == newline.end) {  // between cells of a line
    bytes_.push_back(kTagByte);
    return;
  }
  const char before = line_mark(newline.begin);
  const char behind = newline.end < text_.size() ? text_[newline.end] : '\n';
  const bool ends = before == '\n' || behind == '\n' || kListMarks.find(before) != std::string_view::npos;
  if (ends || newline.value == kElementEnd || (before == ' ') != (behind == ' ')) bytes_.push_back(kTagByte);
}

/// Writes a line of a rule, behind its line end. The markers of a list item become tags.
void RuleText::append_line_start(const Token& token) {
  const std::size_t from = bytes_.size();
  bytes_.append(token.in(text_));
  const std::size_t marks = std::min(token.in(text_).find_first_not_of(kListMarks), bytes_.size() - from);
  const bool term = marks > 0 && bytes_[from + marks - 1] == ';';
  for (std::size_t i = from; i < from + marks; ++i) bytes_[i] = kTagByte;
  const std::size_t colon = term ? bytes_.find(':', from) : std::string::npos;
  if (colon != std::string::npos) bytes_[colon] = kTagByte;
}

/// Writes a tag. MediaWiki takes the signs in its attributes for those of the rule.
void RuleText::append_tag(const Token& token) {
  bytes_.push_back(kTagByte);
  if (token.kind != TokenKind::kOpenTag) return;
  for (const char c : token.in(text_)) {
    if (c == ':' || c == ';' || c == '|') bytes_.push_back(c);
  }
  if (bytes_.back() != kTagByte) bytes_.push_back(kTagByte);
}

void RuleText::write(std::string_view text, const Tokens& inner, bool in_link) {
  text_ = text;
  in_link_ = in_link;
  bytes_.clear();
  extents_.clear();
  extents_.reserve(inner.size());
  bool line_start = false;
  for (const Token& token : inner) {
    const std::size_t begin = bytes_.size();
    const bool after_newline = std::exchange(line_start, token.kind == TokenKind::kNewline);
    if (token.kind == TokenKind::kText && after_newline && !in_link_) {
      append_line_start(token);
    } else if (token.kind == TokenKind::kText || is_sign(token.kind)) {
      bytes_.append(token.in(text_));
    } else if (token.kind == TokenKind::kOwnedText) {
      bytes_.append(owned_texts_[token.value]);
    } else if (token.kind == TokenKind::kNewline) {
      append_newline(token);
    } else if (token.kind != TokenKind::kBehaviorSwitch) {
      append_tag(token);
    }
    extents_.push_back({static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(bytes_.size())});
  }
}

}  // namespace touchstone::extractors::wikitext::inlines::internal
