#include "extractors/wikitext/templates/pattern.hpp"

namespace touchstone::extractors::wikitext::templates::internal {
namespace {

/// Reads `{a/b:text}` behind its brace; `i` ends behind the closing one.
bool read_hole(std::string_view text, std::size_t& i, Pattern::Piece& piece) {
  const std::size_t end = text.find('}', i);
  if (end == std::string_view::npos) return false;
  std::string_view inside = text.substr(i, end - i);
  const std::size_t colon = inside.find(':');
  if (colon != std::string_view::npos) {
    piece.has_default = true;
    piece.text = std::string(inside.substr(colon + 1));
    inside = inside.substr(0, colon);
  }
  while (true) {
    const std::size_t slash = inside.find('/');
    if (inside.substr(0, slash).empty()) return false;
    piece.names.emplace_back(inside.substr(0, slash));
    if (slash == std::string_view::npos) break;
    inside.remove_prefix(slash + 1);
  }
  i = end + 1;
  return true;
}

}  // namespace

Pattern read_pattern(std::string_view text, std::string& problem) {
  using Kind = Pattern::Piece::Kind;
  Pattern pattern;
  std::vector<std::size_t> groups;
  const auto literal = [&](char c) {
    if (pattern.pieces.empty() || pattern.pieces.back().kind != Kind::kText) pattern.pieces.emplace_back();
    pattern.pieces.back().text.push_back(c);
  };
  for (std::size_t i = 0; i < text.size();) {
    const char c = text[i++];
    if (c == '\\' && i < text.size()) {
      literal(text[i++]);
    } else if (c == '{') {
      Pattern::Piece piece;
      piece.kind = Kind::kArgument;
      if (!read_hole(text, i, piece)) {
        problem = "a hole without end or name";
        return {};
      }
      pattern.pieces.push_back(std::move(piece));
    } else if (c == '[') {
      groups.push_back(pattern.pieces.size());
      pattern.pieces.emplace_back();
      pattern.pieces.back().kind = Kind::kGroupBegin;
    } else if (c == ']') {
      if (groups.empty()) {
        problem = "a ']' without '['";
        return {};
      }
      pattern.pieces[groups.back()].group_end = pattern.pieces.size();
      groups.pop_back();
      pattern.pieces.emplace_back();
      pattern.pieces.back().kind = Kind::kGroupEnd;
    } else {
      literal(c);
    }
  }
  if (!groups.empty()) problem = "a '[' without ']'";
  return groups.empty() ? pattern : Pattern{};
}

}  // namespace touchstone::extractors::wikitext::templates::internal
