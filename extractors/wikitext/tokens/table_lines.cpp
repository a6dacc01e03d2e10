#include "extractors/wikitext/tokens/table_lines.hpp"

#include "extractors/scan/text_scan.hpp"

namespace touchstone::extractors::wikitext::tokens::internal {
using namespace scan;
namespace {

constexpr std::size_t kMaxOpenTables = 1'000;  // deeper ones are read as text

Token make_tag(TokenKind kind, Tag tag, std::uint32_t begin, std::uint32_t end) {
  return {kind, tag, begin, end, 0};
}

void add_close(Tokens& tokens, Tag tag, std::uint32_t at) {
  tokens.push_back(make_tag(TokenKind::kCloseTag, tag, at, at));
}

void add_newline(Tokens& tokens, std::uint32_t at) {
  tokens.push_back(make_tag(TokenKind::kNewline, Tag::kNone, at, at));
}

/// A table without rows has one with an empty cell.
void add_empty_row(Tokens& tokens, std::uint32_t at) {
  tokens.push_back(make_tag(TokenKind::kOpenTag, Tag::kTr, at, at));
  tokens.push_back(make_tag(TokenKind::kOpenTag, Tag::kTd, at, at));
  add_close(tokens, Tag::kTd, at);
  add_close(tokens, Tag::kTr, at);
}

/// Where the next header cell ends, and the bytes that part it from the one behind.
struct HeaderEnd {
  std::size_t at = std::string_view::npos, size = 2;
};

/// The next "||", "!!", or "|!!", whose pipe parts cells since MediaWiki reads the marks as pipes.
HeaderEnd find_header_end(std::string_view text) noexcept {
  for (std::size_t i = 0; i + 1 < text.size(); ++i) {
    if (text[i] != '|' && text[i] != '!') continue;
    if (text[i] == text[i + 1]) return {i, 2};
    if (text.substr(i).starts_with("|!!")) return {i, 3};
  }
  return {};
}

}  // namespace

bool TableLines::process_line(Tokens& tokens, std::size_t first) {
  const Token& head = tokens[first];
  if (head.kind != TokenKind::kText) return false;
  const std::string_view whole = head.in(text_);
  const std::string_view line = trim_left(whole);
  if (line.empty()) return false;
  const std::size_t blanks = whole.size() - line.size();
  if (line[0] == ':' || line[0] == '{') {
    std::size_t colons = 0;
    while (colons < line.size() && line[colons] == ':') ++colons;
    const std::string_view behind = trim_left(line.substr(colons));
    if (starts_with(behind, "{|") && open_.size() < kMaxOpenTables) {
      open_table(tokens, first, static_cast<std::uint32_t>(colons), whole.size() - behind.size() + 2);
      return true;
    }
  }
  if (open_.empty() || (line[0] != '|' && line[0] != '!')) return false;
  const char second = line.size() > 1 ? line[1] : '\0';
  if (line[0] == '|' && second == '}') {
    close_table(tokens, first, blanks + 2);
  } else if (line[0] == '|' && second == '-') {
    std::size_t dashes = 1;
    while (dashes < line.size() && line[dashes] == '-') ++dashes;
    start_row(tokens, first, blanks + dashes);
  } else if (line[0] == '|' && second == '+') {
    add_cells(tokens, first, blanks + 2, '+');
  } else {
    add_cells(tokens, first, blanks + 1, line[0]);
  }
  return true;
}

/// Moves the line's tokens, without the first `skip` bytes and without blanks at its end, to `line_`.
void TableLines::take_line(Tokens& tokens, std::size_t first, std::size_t skip) {
  line_.assign(tokens.begin() + static_cast<std::ptrdiff_t>(first), tokens.end());
  tokens.resize(first);
  line_.front().begin += static_cast<std::uint32_t>(skip);
  while (!line_.empty() && line_.back().kind == TokenKind::kText) {
    Token& last = line_.back();
    last.trim_end(text_);
    if (last.end > last.begin || line_.size() == 1) break;
    line_.pop_back();
  }
}

/// Where the line of `line_` ends, at least `from`.
std::uint32_t TableLines::attributes_end(std::uint32_t from) const noexcept {
  return std::max(from, line_.back().written_end());
}

void TableLines::open_table(Tokens& tokens, std::size_t first, std::uint32_t indent, std::size_t skip) {
  take_line(tokens, first, skip);
  const std::uint32_t at = line_.front().begin;
  indent_ = indent;
  for (std::uint32_t i = 0; i < indent; ++i) {
    tokens.push_back(make_tag(TokenKind::kOpenTag, Tag::kDl, at, at));
    tokens.push_back(make_tag(TokenKind::kOpenTag, Tag::kDd, at, at));
  }
  tokens.push_back(make_tag(TokenKind::kOpenTag, Tag::kTable, at, attributes_end(at)));
  open_.push_back({});
  open_.back().indent = indent;
}

void TableLines::close_table(Tokens& tokens, std::size_t first, std::size_t skip) {
  take_line(tokens, first, skip);
  const std::uint32_t at = line_.front().begin;
  const OpenTable table = open_.back();
  open_.pop_back();
  if (table.cell != Tag::kNone) add_close(tokens, table.cell, at);
  if (table.row) add_close(tokens, Tag::kTr, at);
  if (!table.had_row) add_empty_row(tokens, at);
  add_close(tokens, Tag::kTable, at);
  for (const Token& token : line_) {
    if (token.kind != TokenKind::kText || token.begin < token.end) tokens.push_back(token);
  }
  for (std::uint32_t i = 0; i < indent_; ++i) {
    add_close(tokens, Tag::kDd, at);
    add_close(tokens, Tag::kDl, at);
  }
}

void TableLines::start_row(Tokens& tokens, std::size_t first, std::size_t skip) {
  take_line(tokens, first, skip);
  const std::uint32_t at = line_.front().begin;
  OpenTable& table = open_.back();
  if (table.cell != Tag::kNone) add_close(tokens, table.cell, at);
  if (table.row) add_close(tokens, Tag::kTr, at);
  table.cell = Tag::kNone;
  table.row = false;
  table.had_row = true;
  table.attributes_begin = at;
  table.attributes_end = attributes_end(at);
}

void TableLines::add_cells(Tokens& tokens, std::size_t first, std::size_t skip, char kind) {
  take_line(tokens, first, skip);
  cell_.clear();
  const auto finish = [&] { add_cell(tokens, cell_.data(), cell_.data() + cell_.size(), kind); };
  for (const Token& token : line_) {
    if (token.kind != TokenKind::kText) {
      cell_.push_back(token);
      continue;
    }
    Token rest = token;
    while (true) {
      const std::string_view text = text_.substr(rest.begin, token.end - rest.begin);
      const HeaderEnd bars = kind == '!' ? find_header_end(text) : HeaderEnd{text.find("||")};
      if (bars.at == std::string_view::npos) break;
      Token part = rest;
      part.end = rest.begin + static_cast<std::uint32_t>(bars.at);
      if (part.begin < part.end || cell_.empty()) cell_.push_back(part);
      finish();
      cell_.clear();
      rest.begin = part.end + static_cast<std::uint32_t>(bars.size);
    }
    if (rest.begin < rest.end || cell_.empty()) cell_.push_back(rest);
  }
  finish();
}

void TableLines::add_cell(Tokens& tokens, const Token* begin, const Token* end, char kind) {
  OpenTable& table = open_.back();
  const std::uint32_t at = begin < end ? begin->begin : (line_.empty() ? 0 : line_.back().written_end());
  if (table.cell != Tag::kNone) {
    add_close(tokens, table.cell, at);
    add_newline(tokens, at);
  }
  if (kind != '+') {
    if (!table.row) {
      tokens.push_back(make_tag(TokenKind::kOpenTag, Tag::kTr, table.attributes_begin, table.attributes_end));
      add_newline(tokens, at);
    }
    table.row = table.had_row = true;
    table.attributes_begin = table.attributes_end = 0;
  }
  table.cell = kind == '|' ? Tag::kTd : kind == '!' ? Tag::kTh : Tag::kCaption;

  // What is before the first '|' are attributes, unless a link or language markup begins there.
  const Token* content = begin;
  std::uint32_t content_begin = at;
  std::uint32_t attributes_to = at;
  for (const Token* token = begin; token < end; ++token) {
    if (token->kind == TokenKind::kLinkOpen || token->kind == TokenKind::kPlainLink) break;
    if (token->kind != TokenKind::kText) continue;
    const std::string_view piece = token->in(text_);
    const std::size_t bar = piece.find('|');
    if (piece.substr(0, bar).find("-{") != std::string_view::npos) break;
    if (bar != std::string_view::npos) {
      content = token;
      attributes_to = token->begin + static_cast<std::uint32_t>(bar);
      content_begin = attributes_to + 1;
      break;
    }
  }
  tokens.push_back(make_tag(TokenKind::kOpenTag, table.cell, at, attributes_to));
  // Blanks around the content go.
  bool leading = true;
  const std::size_t first_content = tokens.size();
  for (const Token* token = content; token < end; ++token) {
    Token copy = *token;
    if (token == content && copy.kind == TokenKind::kText) copy.begin = content_begin;
    if (leading && copy.kind == TokenKind::kText) {
      const std::string_view piece = copy.in(text_);
      copy.begin += static_cast<std::uint32_t>(piece.size() - trim_left(piece).size());
      if (copy.begin == copy.end) continue;
    }
    leading = false;
    tokens.push_back(copy);
  }
  while (tokens.size() > first_content && tokens.back().kind == TokenKind::kText) {
    Token& last = tokens.back();
    last.trim_end(text_);
    if (last.begin < last.end) break;
    tokens.pop_back();
  }
}

void TableLines::close_all(Tokens& tokens) {
  const auto at = static_cast<std::uint32_t>(text_.size());
  while (!open_.empty()) {
    const OpenTable table = open_.back();
    open_.pop_back();
    add_newline(tokens, at);
    if (table.cell != Tag::kNone) {
      add_close(tokens, Tag::kTd, at);
      add_newline(tokens, at);
    }
    if (table.row) {
      add_close(tokens, Tag::kTr, at);
      add_newline(tokens, at);
    }
    if (!table.had_row) {
      add_empty_row(tokens, at);
      add_newline(tokens, at);
    }
    add_close(tokens, Tag::kTable, at);
  }
}

}  // namespace touchstone::extractors::wikitext::tokens::internal
