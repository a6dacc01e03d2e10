#include "extractors/wikitext/inline/link_syntax.hpp"

#include "extractors/scan/byte_scan.hpp"
#include "extractors/scan/url_scan.hpp"
#include "extractors/wikitext/preprocessor/markers.hpp"

namespace touchstone::extractors::wikitext::inlines::internal {
using namespace preprocessor;
using scan::decode_percent;
using scan::find_stop;
using scan::Stop;
using tokens::Token;
using tokens::TokenKind;

KnownTarget known_target(std::string_view target, const WrittenLink& written) {
  if (written.mark == 0) return {};
  const std::size_t hash = target.find('#');
  if (hash > 0 && hash < find_mark(target, 0)) return {std::string(target.substr(0, hash)), false};
  return {without_marks(target), true};
}

std::string shown_target(std::string_view target) {
  std::string shown;
  for (const char c : decode_percent(target)) {
    if (c == '<' || c == '>') {
      shown.append(c == '<' ? "&lt;" : "&gt;");
    } else {
      shown.push_back(c);
    }
  }
  return shown;
}

bool LinkSyntax::read(std::size_t open, std::size_t end, WrittenLink& written) const {
  written.open = open;
  written.target_begin = tokens_[open].end;
  std::uint32_t stop = written.target_begin;
  std::size_t i = open + 1;
  for (; i < end; ++i) {
    const Token& token = tokens_[i];
    if (token.kind == TokenKind::kLinkClose) {
      written.target_end = stop;
      written.close = i;
      return stop > written.target_begin;
    }
    if (token.begin != stop) return false;
    if (token.kind == TokenKind::kText) {
      stop = static_cast<std::uint32_t>(find_stop(Stop::kTarget, text_.substr(0, token.end), stop));
      if (stop < token.end) break;
    } else if (token.kind == TokenKind::kApostrophes) {
      stop = token.end;
    } else if (token.kind == TokenKind::kMarker && token.value >= kFirstUnknown) {
      if (written.mark == 0) written.mark = token.value;
      stop = token.end;
    } else {
      return false;
    }
  }
  if (i >= end || text_[stop] != '|' || stop == written.target_begin) return false;
  written.target_end = stop;
  written.has_pipe = true;
  written.text_token = i;
  written.text_begin = stop + 1;
  written.close = end;
  bool bracket = false;
  for (++i; i < end; ++i) {
    if (opens_link(tokens_[i])) {
      const std::size_t behind = behind_made(i, end);
      if (behind == i) break;
      i = behind - 1;
      continue;
    }
    bracket = bracket || tokens_[i].kind == TokenKind::kBracketOpen;
    if (tokens_[i].kind != TokenKind::kLinkClose) continue;
    const bool empty =
        tokens_[i].begin == written.text_begin;  // a text has one character at least: that of "|]]]" is "]"
    const bool adjacent = i + 1 < end && tokens_[i + 1].begin == tokens_[i].end;
    if (empty && adjacent && tokens_[i + 1].kind == TokenKind::kLinkClose) {
      written.close = i + 1;
      written.bracket_text = true;
      break;
    }
    if (empty && !(adjacent && tokens_[i + 1].kind == TokenKind::kBracketClose)) continue;
    written.close = i;
    written.extra_bracket = (bracket || empty) && adjacent && tokens_[i + 1].kind == TokenKind::kBracketClose;
    break;
  }
  return true;
}

/// A link that a template rule made does not break the link around it that the page's own text has.
std::size_t LinkSyntax::behind_made(std::size_t open, std::size_t end) const {
  if (expanded_.made.empty() || !made_links_nest_) return open;
  const MadeRange* range = expanded_.find_made(tokens_[open].begin);
  if (range == nullptr) return open;
  std::size_t i = open;
  while (i < end && tokens_[i].begin < range->end) ++i;
  return i;
}

std::size_t LinkSyntax::find_image_close(std::size_t from, std::size_t end, std::size_t& limit) const {
  std::size_t i = from;
  while (i < end && !opens_link(tokens_[i])) ++i;
  while (i < end) {
    std::size_t closes = tokens_[i].kind == TokenKind::kPlainLink ? 1 : 0;
    for (++i; i < end && !opens_link(tokens_[i]); ++i) {
      if (tokens_[i].kind == TokenKind::kLinkClose && ++closes == 2) return i;
    }
    if (closes == 0) break;
  }
  limit = i;
  return end;
}

}  // namespace touchstone::extractors::wikitext::inlines::internal
