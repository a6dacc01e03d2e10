#include "extractors/wikitext/blocks/token_writer.hpp"

#include "extractors/wikitext/inline/external_links.hpp"

namespace touchstone::extractors::wikitext::blocks::internal {
using namespace inlines;
using namespace preprocessor;
using namespace tokens;

Token TokenWriter::add_raw(std::string_view text, bool literal) {
  raw_.push_back(text);
  raw_literal_.push_back(literal);
  return {TokenKind::kRaw, Tag::kNone, 0, 0, static_cast<std::uint32_t>(raw_.size() - 1)};
}

std::string_view TokenWriter::as_it_stands(std::string_view content) {
  if (content.find(kMarkerByte) == std::string_view::npos) return content;
  return kept_.emplace_back(expander_.without_markers(content));
}

/// False for text without an address. Tokens come in ascending order, so that the text is searched only once.
inline bool TokenWriter::may_hold_url(const Token& token) {
  if (next_url_ < token.begin) next_url_ = std::min(text_.find("://", token.begin), text_.size());
  return next_url_ < token.end;
}

/// The text that a token shows. Addresses without brackets may be shown otherwise than written.
inline std::string_view TokenWriter::shown_text(const Token& token) {
  const std::string_view text = token.in(text_);
  if (!may_hold_url(token) || !may_change_urls(text)) return text;
  return kept_.emplace_back(show_bare_urls(text));
}

void TokenWriter::write(std::span<const Token> line) {
  for (const Token& token : line) {
    if (!gaps_.empty() && (token.kind == TokenKind::kText || token.kind == TokenKind::kPlainLink) &&
        gaps_.front() <= token.end) {
      write_around_gaps(token);
    } else if (token.kind == TokenKind::kText) {
      builder_.text(shown_text(token));
    } else if (token.kind == TokenKind::kPlainLink) {
      builder_.plain_link(token.value, shown_text(token), text_.substr(token.end + 2, token.trail));
    } else {
      write_token(token);
    }
  }
}

/// Writes the token of a text or link and tells the builder of the gaps in front of it and in it.
void TokenWriter::write_around_gaps(const Token& token) {
  Token rest = token;
  for (; !gaps_.empty() && gaps_.front() <= token.end; gaps_ = gaps_.subspan(1)) {
    const auto gap = static_cast<std::uint32_t>(gaps_.front());
    if (token.kind == TokenKind::kText && gap > rest.begin) {
      Token head = rest;
      rest.begin = head.end = gap;
      builder_.text(shown_text(head));
    }
    builder_.note_gap();
  }
  if (token.kind == TokenKind::kPlainLink) {
    builder_.plain_link(token.value, shown_text(token), text_.substr(token.end + 2, token.trail));
  } else if (rest.begin < rest.end) {
    builder_.text(shown_text(rest));
  }
}

/// Footnotes in the attributes of an element are footnotes of the page as well.
void TokenWriter::find_footnotes(std::string_view attributes) {
  for (std::size_t at = attributes.find(kMarkerByte); at != std::string_view::npos;
       at = attributes.find(kMarkerByte, at + 1)) {
    const Extension& extension = expander_.extension(marker_number(attributes.substr(at)));
    if (extension.kind == ExtensionKind::kRef) handler_(extension);
  }
}

void TokenWriter::write_tag(const Token& token) {
  const bool opens = token.kind == TokenKind::kOpenTag;
  if (token.tag == Tag::kInline) {
    if (opens && token.value != 0) {
      builder_.apostrophes(token.value);
    } else {
      builder_.formatting(opens);
    }
  } else if (opens) {
    if (token.begin < token.end) find_footnotes(token.in(text_));
    builder_.open(token.tag, token.in(text_));
  } else {
    builder_.close(token.tag);
  }
}

void TokenWriter::write_marker(const Extension& extension) {
  switch (extension.kind) {
    case ExtensionKind::kNowiki:
      builder_.text(as_it_stands(extension.content));
      break;
    case ExtensionKind::kMath:
    case ExtensionKind::kCode:
      builder_.literal(as_it_stands(extension.content));
      break;
    default:
      builder_.formatting(true);  // the mark of a footnote
      builder_.formatting(false);
      handler_(extension);
      break;
  }
}

void TokenWriter::begin_image(const Token& token) {
  if (token.tag == Tag::kFigure) builder_.open(Tag::kFigure, {});
  builder_.begin_image(token.value);
  const Tokens& hidden = builder_.found_image(token.value).caption;
  if (!hidden.empty()) write_hidden_caption(hidden);
}

/// Writes a caption that is not part of the page. Images inside of it are not shown.
void TokenWriter::write_hidden_caption(const Tokens& caption) {
  Tokens written(caption);
  Tokens resolved;
  std::uint32_t numbers = 0;
  resolve_external_links(text_, written, numbers, resolved);
  std::size_t images = 0;
  for (const Token& token : resolved) {
    if (token.kind == TokenKind::kImageBegin) ++images;
    if (images == 0) write_hidden_token(token);
    if (token.kind == TokenKind::kImageEnd && images > 0) --images;
  }
}

void TokenWriter::write_hidden_token(const Token& token) {
  ImageRecorder& images = builder_.open_images();
  TextBuilder& caption = images.caption();
  if (token.kind == TokenKind::kText || is_sign(token.kind)) return caption.append(token.in(text_));
  switch (token.kind) {
    case TokenKind::kPlainLink:
      if (token.value != kNoLink) images.begin_link(builder_.found_link(token.value));
      caption.append(token.in(text_));
      caption.append(text_.substr(token.end + 2, token.trail));
      images.end_link();
      break;
    case TokenKind::kLinkBegin:
      if (token.value != kNoLink) images.begin_link(builder_.found_link(token.value));
      break;
    case TokenKind::kLinkEnd:
      caption.append(token.in(text_));
      images.end_link();
      break;
    case TokenKind::kOwnedText:
      caption.append(builder_.owned_text(token.value));
      break;
    case TokenKind::kAutoNumber:
      caption.append_literal("[" + std::to_string(token.value) + "]");
      break;
    case TokenKind::kNewline:
      caption.space();
      break;
    case TokenKind::kOpenTag:
    case TokenKind::kCloseTag:
      if (token.tag != Tag::kInline) caption.space();
      break;
    case TokenKind::kMarker:
      if (const Extension& extension = expander_.extension(token.value); extension.kind == ExtensionKind::kNowiki) {
        caption.append(as_it_stands(extension.content));
      } else if (extension.kind == ExtensionKind::kMath || extension.kind == ExtensionKind::kCode) {
        caption.append_literal(as_it_stands(extension.content));
      }
      break;
    default:
      break;
  }
}

void TokenWriter::write_token(const Token& token) {
  if (is_sign(token.kind)) return builder_.text(token.in(text_));
  switch (token.kind) {
    case TokenKind::kNewline:
      builder_.newline();
      break;
    case TokenKind::kOpenTag:
    case TokenKind::kCloseTag:
      write_tag(token);
      break;
    case TokenKind::kLinkBegin:
      builder_.formatting(true);
      if (token.value != kNoLink) builder_.begin_link(token.value);
      break;
    case TokenKind::kLinkEnd:
      if (token.begin < token.end) builder_.text(token.in(text_));
      builder_.end_link();
      builder_.formatting(false);
      break;
    case TokenKind::kOwnedText:
      builder_.text(builder_.owned_text(token.value));
      break;
    case TokenKind::kAutoNumber:
      builder_.literal("[" + std::to_string(token.value) + "]");
      break;
    case TokenKind::kRaw:
      if (raw_literal_[token.value]) {
        builder_.literal(raw_[token.value]);
      } else {
        builder_.text(raw_[token.value]);
      }
      break;
    case TokenKind::kMarker:
      write_marker(expander_.extension(token.value));
      break;
    case TokenKind::kImageBegin:
      begin_image(token);
      break;
    case TokenKind::kImageEnd:
      builder_.end_image();
      if (token.tag == Tag::kFigure) builder_.close(Tag::kFigure);
      break;
    default:  // texts and plain links are of `write`, and behavior switches show nothing
      break;
  }
}

}  // namespace touchstone::extractors::wikitext::blocks::internal
