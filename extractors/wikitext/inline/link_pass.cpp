#include "extractors/wikitext/inline/link_pass.hpp"

#include "extractors/scan/text_scan.hpp"
#include "extractors/site/language_words.hpp"
#include "extractors/site/link_target.hpp"
#include "extractors/wikitext/inline/apostrophe_runs.hpp"
#include "extractors/wikitext/inline/external_links.hpp"
#include "extractors/wikitext/inline/image_options.hpp"
#include "extractors/wikitext/inline/link_syntax.hpp"
#include "extractors/wikitext/preprocessor/markers.hpp"

#include <algorithm>
#include <span>
#include <utility>

namespace touchstone::extractors::wikitext::inlines {
using namespace preprocessor;
using scan::trim_right;
using namespace site;
using namespace internal;
using namespace tokens;
namespace {

constexpr std::size_t kMaxImageDepth = 20;

class LinkPass {
 public:
  LinkPass(TokenContext& context, const ExpandedText& expanded, Tokens& in, Tokens& out, LinkFindings& findings)
      : context_(context),
        expanded_(expanded),
        text_(expanded.text),
        in_(in),
        out_(out),
        findings_(findings),
        syntax_(expanded, in, context.options.templates != TemplateMode::kExpand) {}

  /// Reads tokens [begin, end); tokens of `out` before `barrier` are left alone.
  void process(std::size_t begin, std::size_t end, std::size_t barrier);

 private:
  std::size_t handle(std::size_t open, std::size_t end, std::size_t barrier);
  void emit_link(const WrittenLink& written, LinkTarget&& target, std::size_t next, std::size_t end);
  void show_unknown(const WrittenLink& written);
  void end_link(std::size_t next, std::size_t end);
  bool is_made(std::size_t open) const {
    return !expanded_.made.empty() && expanded_.find_made(in_[open].begin) != nullptr;
  }
  void emit_image(const WrittenLink& written, std::string&& file, std::size_t barrier);
  void show_broken(const WrittenLink& written);
  void emit_text(const WrittenLink& written);
  std::size_t emit_made_text(std::size_t open, std::size_t end);
  void drop_with_blanks(std::size_t barrier);
  void push(Token token);
  void push_literally(const Token& token);
  void push_as_written(const Token& token);
  void look_for_address(std::size_t i, std::size_t end);
  bool ends_address(std::size_t i, std::size_t end);
  Token text_token(std::uint32_t begin, std::uint32_t end) const {
    return {TokenKind::kText, Tag::kNone, begin, end, 0};
  }

  TokenContext& context_;
  const ExpandedText& expanded_;
  std::string_view text_;
  Tokens& in_;  // only the apostrophes of captions change
  Tokens& out_;
  LinkFindings& findings_;
  LinkSyntax syntax_;
  std::uint32_t skip_to_ = 0;  // text before this byte was used up as letters of a link
  std::size_t image_depth_ = 0;
  bool in_address_ = false;  // of a caption: in the brackets of an external link
};

void LinkPass::push(Token token) {
  if (token.kind == TokenKind::kText) {
    token.begin = std::max(token.begin, skip_to_);
    if (token.begin >= token.end) return;
  }
  out_.push_back(token);
}

/// Brackets that do not open or close a link stay brackets, which may belong to an external link.
void LinkPass::push_literally(const Token& token) {
  if (token.kind != TokenKind::kLinkOpen && token.kind != TokenKind::kLinkClose) return push(token);
  const TokenKind kind = token.kind == TokenKind::kLinkOpen ? TokenKind::kBracketOpen : TokenKind::kBracketClose;
  out_.push_back({kind, Tag::kNone, token.begin, token.begin + 1, 0});
  out_.push_back({kind, Tag::kNone, token.begin + 1, token.begin + 2, 0});
}

void LinkPass::process(std::size_t begin, std::size_t end, std::size_t barrier) {
  for (std::size_t i = begin; i < end;) {
    if (image_depth_ > 0) {
      look_for_address(i, end);
      if (ends_address(i, end)) {
        push_as_written(in_[i++]);
        continue;
      }
    }
    if (in_[i].kind == TokenKind::kLinkOpen) {
      i = handle(i, end, barrier);
      continue;
    }
    push_literally(in_[i++]);
    if (image_depth_ > 0) continue;
    // What follows up to the next link stays as it is; letters of a link can be in the first token only.
    const std::size_t first = i;
    while (i < end && in_[i].kind != TokenKind::kLinkOpen && in_[i].kind != TokenKind::kLinkClose &&
           in_[i].begin >= skip_to_ && (in_[i].kind != TokenKind::kText || in_[i].begin < in_[i].end)) {
      ++i;
    }
    out_.insert(out_.end(), in_.begin() + static_cast<std::ptrdiff_t>(first),
                in_.begin() + static_cast<std::ptrdiff_t>(i));
  }
}

/// In a caption, notes whether token `i` is in the brackets of an external link.
void LinkPass::look_for_address(std::size_t i, std::size_t end) {
  switch (in_[i].kind) {
    case TokenKind::kBracketOpen:
      in_address_ = in_address_ || (i + 1 < end && in_[i + 1].kind == TokenKind::kText &&
                                    in_[i + 1].begin == in_[i].end && begins_with_address(in_[i + 1].in(text_)));
      break;
    case TokenKind::kBracketClose:
    case TokenKind::kLinkClose:
    case TokenKind::kNewline:
      in_address_ = false;
      break;
    default:
      break;
  }
}

/// MediaWiki looks for external links in captions first. The first bracket of "]]" in their text ends them, so that the
/// link in there is not a link. With a text it still is a link if a third bracket follows.
bool LinkPass::ends_address(std::size_t i, std::size_t end) {
  if (!in_address_ || !opens_link(in_[i])) return false;
  std::size_t close = i;
  bool has_pipe = text_[in_[i].begin - 1] == '|';
  if (in_[i].kind == TokenKind::kLinkOpen) {
    WrittenLink written;
    if (!syntax_.read(i, end, written) || written.close == end) return false;
    close = written.close;
    has_pipe = written.has_pipe;
  }
  in_address_ = in_[i].kind == TokenKind::kLinkOpen;  // for what it holds, up to its brackets
  const std::uint32_t behind = in_[close].kind == TokenKind::kPlainLink ? in_[close].end + 2 : in_[close].end;
  return !has_pipe || text_.substr(behind, 1) != "]";
}

/// Writes a link that turned out not to be one, as brackets and text.
void LinkPass::push_as_written(const Token& token) {
  if (token.kind != TokenKind::kPlainLink) return push_literally(token);
  const auto open = static_cast<std::uint32_t>(text_.rfind("[[", token.begin));
  push_literally({TokenKind::kLinkOpen, Tag::kNone, open, open + 2, 0});
  push(text_token(open + 2, token.end));
  push_literally({TokenKind::kLinkClose, Tag::kNone, token.end, token.end + 2, 0});
  push(text_token(token.end + 2, token.written_end()));
}

std::size_t LinkPass::handle(std::size_t open, std::size_t end, std::size_t barrier) {
  const auto literal = [&] {
    push_literally(in_[open]);
    return open + 1;
  };
  WrittenLink written;
  if (!syntax_.read(open, end, written)) return literal();
  std::string_view raw = text_.substr(written.target_begin, written.target_end - written.target_begin);
  const KnownTarget known = known_target(raw, written);
  if (written.mark != 0) raw = known.text;
  LinkTarget target;
  const bool is_title = read_link_target(context_.site, context_.page, raw, !written.has_pipe, target);
  if (!is_title && (!known.unknown || written.close == end)) return literal();
  if (written.mark != 0 && !known.unknown) target.shown = known.text.substr(known.text.front() == ':' ? 1 : 0);
  const bool embeds = !target.parsed.leading_colon && !target.parsed.local_interwiki;
  const bool is_file = embeds && target.parsed.title.ns == kNamespaceFile && target.parsed.interwiki.empty();
  if (written.has_pipe && written.close == end) {
    if (!is_file || image_depth_ >= kMaxImageDepth) {
      show_broken(written);
      return open + 1;
    }
    std::size_t limit = end;
    written.close = syntax_.find_image_close(written.text_token + 1, end, limit);
    if (written.close == end) {
      // The caption never ends; what was looked at is read again, and its links must close within it.
      show_broken(written);
      process(open + 1, limit, barrier);
      return limit;
    }
  }
  const std::size_t next = written.close + 1 + (written.extra_bracket ? 1 : 0);
  if (embeds && target.parsed.interlanguage && context_.page.ns % 2 == 0) {
    drop_with_blanks(barrier);
  } else if (context_.page.ns % 2 == 0 && names_language_edition(context_.site, target, raw)) {
    if (!known.unknown && (target.parsed.title != context_.page || target.parsed.has_fragment))
      findings_.hidden_links.emplace_back(std::move(target), is_made(open));
    drop_with_blanks(barrier);
  } else if (is_file) {
    emit_image(written, known.unknown ? std::string() : std::move(target.parsed.title.text), barrier);
  } else if (embeds && target.parsed.interwiki.empty() && target.parsed.title.ns == kNamespaceCategory) {
    if (!known.unknown) findings_.categories.push_back(std::move(target.parsed.title));
    drop_with_blanks(barrier);
  } else if (known.unknown) {
    show_unknown(written);
  } else {
    emit_link(written, std::move(target), next, end);
  }
  if (written.bracket_text)
    push({TokenKind::kBracketClose, Tag::kNone, in_[written.close].end - 1, in_[written.close].end, 0});
  if (const auto cause = written.mark != 0 && !is_file ? unknown_cause(written.mark) : std::nullopt)
    ++context_.counters.unknown[static_cast<std::size_t>(*cause)];
  return next;
}

/// Shows the start of a link that never ends: without blanks in front of its target, and with the target decoded.
void LinkPass::show_broken(const WrittenLink& written) {
  push_literally(in_[written.open]);
  if (written.text_token != written.open + 1) return;
  std::uint32_t begin = written.target_begin;
  while (begin < written.target_end && text_[begin] == ' ') ++begin;
  skip_to_ = std::max(skip_to_, begin);
  const std::string_view target = text_.substr(begin, written.target_end - begin);
  if (target.find('%') == std::string_view::npos || written.mark != 0) return;
  out_.push_back({TokenKind::kOwnedText, Tag::kNone, 0, 0, static_cast<std::uint32_t>(context_.owned_texts.size())});
  context_.owned_texts.push_back(shown_target(target));
  skip_to_ = std::max(skip_to_, written.target_end);
}

/// Categories and links to other languages are removed together with the blanks and line ends in front of them.
void LinkPass::drop_with_blanks(std::size_t barrier) {
  while (out_.size() > barrier) {
    Token& last = out_.back();
    if (last.kind == TokenKind::kText) {
      last.trim_end(text_);
      if (last.end > last.begin) break;
    } else if (last.kind != TokenKind::kNewline && last.kind != TokenKind::kBehaviorSwitch) {
      break;
    }
    out_.pop_back();
  }
}

/// The tokens between pipe and close.
void LinkPass::emit_text(const WrittenLink& written) {
  const Token& head = in_[written.text_token];
  if (written.text_begin < head.end) push(text_token(written.text_begin, head.end));
  for (std::size_t i = written.text_token + 1; i < written.close; ++i) {
    Token token = in_[i];
    if (opens_link(token)) {
      i = emit_made_text(i, written.close);
      continue;
    }
    if (written.bracket_text) --token.end;
    if (is_sign(token.kind) && token.kind != TokenKind::kApostrophes) token.kind = TokenKind::kText;
    push(token);
  }
  if (written.extra_bracket) push(text_token(in_[written.close].begin, in_[written.close].begin + 1));
}

/// Writes the text of a made link inside of another link, and records the link as hidden. Returns its last token.
std::size_t LinkPass::emit_made_text(std::size_t open, std::size_t end) {
  if (const Token& link = in_[open]; link.kind == TokenKind::kPlainLink) {
    if (link.value != kNoLink) findings_.hidden_links.push_back(context_.links[link.value]);
    push(text_token(link.begin, link.end));
    push(text_token(link.end + 2, link.written_end()));
    return open;
  }
  WrittenLink inner;
  if (!syntax_.read(open, end, inner) || inner.close >= end) {
    push({TokenKind::kText, Tag::kNone, in_[open].begin, in_[open].end, 0});
    return open;
  }
  LinkTarget target;
  const std::string_view written = text_.substr(inner.target_begin, inner.target_end - inner.target_begin);
  if (inner.mark == 0 && read_link_target(context_.site, context_.page, written, false, target) && target.names_page())
    findings_.hidden_links.emplace_back(std::move(target), true);
  if (inner.has_pipe) {
    emit_text(inner);
  } else if (inner.mark == 0) {
    push(text_token(inner.target_begin, inner.target_end));
  }
  return inner.close;
}

void LinkPass::emit_link(const WrittenLink& written, LinkTarget&& target, std::size_t next, std::size_t end) {
  const bool self = target.parsed.title == context_.page && !target.parsed.has_fragment;
  const bool recorded = target.names_page() && !self;
  const auto number = recorded ? static_cast<std::uint32_t>(context_.links.size()) : kNoLink;
  if (recorded) context_.links.emplace_back(std::move(target), is_made(written.open));
  out_.push_back({TokenKind::kLinkBegin, Tag::kNone, 0, 0, number});
  if (written.has_pipe) {
    const std::size_t first = out_.size();
    emit_text(written);
    balance_apostrophes(text_, std::span(out_).subspan(first));
  } else if (!target.shown.empty()) {
    const auto owned = static_cast<std::uint32_t>(context_.owned_texts.size());
    out_.push_back({TokenKind::kOwnedText, Tag::kNone, 0, 0, owned});
    context_.owned_texts.push_back(std::move(target.shown));
  } else {
    std::uint32_t begin = written.target_begin;
    while (begin < written.target_end && text_[begin] == ' ') ++begin;
    if (begin < written.target_end && text_[begin] == ':') ++begin;
    // Apostrophes in what leads to a place in the page itself are still markup.
    if (target.parsed.interwiki.empty() && !recorded && !self && in_[written.open + 1].end > begin) {
      push(text_token(begin, in_[written.open + 1].end));
      for (std::size_t i = written.open + 2; i < written.close; ++i) push(in_[i]);
    } else {
      push(text_token(begin, written.target_end));
    }
  }
  end_link(next, end);
}

/// Shows the text of a link whose target is not known. Without a text it shows nothing.
void LinkPass::show_unknown(const WrittenLink& written) {
  if (!written.has_pipe) return;
  const std::size_t first = out_.size();
  emit_text(written);
  balance_apostrophes(text_, std::span(out_).subspan(first));
}

/// Ends a link. The letters right behind it, in token `next`, belong to its text.
void LinkPass::end_link(std::size_t next, std::size_t end) {
  std::uint32_t trail_begin = 0;
  std::uint32_t trail_end = 0;
  if (next < end && in_[next].kind == TokenKind::kText) {
    trail_begin = in_[next].begin;
    trail_end =
        trail_begin + context_.site.words().trail_length(text_.substr(trail_begin, in_[next].end - trail_begin));
    skip_to_ = std::max(skip_to_, trail_end);
  }
  out_.push_back({TokenKind::kLinkEnd, Tag::kNone, trail_begin, trail_end, 0});
}

void LinkPass::emit_image(const WrittenLink& written, std::string&& file, std::size_t barrier) {
  if (!written.has_pipe) {
    const std::uint32_t number = context_.add_image(std::move(file));
    out_.push_back({TokenKind::kImageBegin, Tag::kNone, 0, 0, number});
    out_.push_back({TokenKind::kImageEnd, Tag::kNone, 0, 0, 0});
    return;
  }
  // The options are read into `out_` first, their links included; then what is not a caption is taken out again.
  // Apostrophes come first: a link inside of the caption cannot have any in its target.
  const std::size_t first = out_.size();
  balance_apostrophes(text_, std::span(in_).subspan(written.text_token, written.close - written.text_token),
                      Leftovers::kMarkup);
  ++image_depth_;
  in_address_ = false;
  const Token& head = in_[written.text_token];
  if (written.text_begin < head.end) push(text_token(written.text_begin, head.end));
  process(written.text_token + 1, written.close, std::max(barrier, first));
  if (written.extra_bracket) {
    const std::uint32_t at = in_[written.close].begin;
    out_.push_back({TokenKind::kBracketClose, Tag::kNone, at, at + 1, 0});
  }
  --image_depth_;
  const std::size_t hidden_before = findings_.hidden_links.size();
  const ImageCaption caption = find_caption(context_, text_, out_, first, CaptionPlace::kImage, findings_);
  if (!expanded_.made.empty() && expanded_.find_made(written.target_begin) != nullptr) {
    for (std::size_t i = hidden_before; i < findings_.hidden_links.size(); ++i) findings_.hidden_links[i].made = true;
  }
  const Tag tag = caption.figure ? Tag::kFigure : Tag::kNone;
  const std::uint32_t number = context_.add_image(std::move(file));
  if (!caption.shown) {
    context_.images.back().caption = hidden_caption(context_, text_, out_, caption);
    out_.resize(first);
    out_.push_back({TokenKind::kImageBegin, tag, 0, 0, number});
  } else {
    std::rotate(out_.begin() + static_cast<std::ptrdiff_t>(first),
                out_.begin() + static_cast<std::ptrdiff_t>(caption.begin), out_.end());
    out_.resize(first + caption.end - caption.begin);
    out_.insert(out_.begin() + static_cast<std::ptrdiff_t>(first), {TokenKind::kImageBegin, tag, 0, 0, number});
  }
  out_.push_back({TokenKind::kImageEnd, tag, 0, 0, 0});
}

}  // namespace

void find_links(TokenContext& context, const ExpandedText& expanded, Tokens& tokens, Tokens& out,
                LinkFindings& findings) {
  out.clear();
  out.reserve(tokens.size() + tokens.size() / 8);
  LinkPass(context, expanded, tokens, out, findings).process(0, tokens.size(), 0);
}

}  // namespace touchstone::extractors::wikitext::inlines
