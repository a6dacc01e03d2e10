#include "extractors/internal/block_stage.hpp"

#include "extractors/internal/bare_urls.hpp"
#include "extractors/internal/external_links.hpp"
#include "extractors/internal/quotes.hpp"
#include "extractors/internal/text_scan.hpp"

#include <algorithm>
#include <array>

namespace touchstone::extractors::internal {
namespace {

constexpr std::uint32_t bit(TokenKind kind) noexcept {
  return 1U << static_cast<unsigned>(kind);
}
constexpr std::uint32_t kAllKinds = 0xFFFFFFFF;
constexpr std::uint32_t kBlockTag = 1U << 31U;  // of tags that are no formatting

/// What a token adds to what is known of its line: the bit of its kind, and the links and captions that it opens.
struct KindTraits {
  std::uint32_t kind_bit = 0;
  int opens = 0;
};

constexpr auto make_kind_traits() {
  std::array<KindTraits, static_cast<std::size_t>(TokenKind::kRaw) + 1> traits{};
  for (std::size_t kind = 0; kind < traits.size(); ++kind) traits[kind].kind_bit = bit(static_cast<TokenKind>(kind));
  for (const TokenKind kind : {TokenKind::kLinkBegin, TokenKind::kImageBegin})
    traits[static_cast<std::size_t>(kind)].opens = 1;
  for (const TokenKind kind : {TokenKind::kLinkEnd, TokenKind::kImageEnd})
    traits[static_cast<std::size_t>(kind)].opens = -1;
  return traits;
}
constexpr auto kKindTraits = make_kind_traits();

bool is_list_marker(char c) noexcept {
  return c == '*' || c == '#' || c == ':' || c == ';';
}

/// True where an image begins or ends that stands on its own.
bool is_figure(const Token& token) noexcept {
  return (token.kind == TokenKind::kImageBegin || token.kind == TokenKind::kImageEnd) && token.value == 1;
}

/// True for the marker of a tag that makes preformatted text.
bool is_preformatted(const Token& token) noexcept {
  return token.kind == TokenKind::kMarker && token.tag == Tag::kPre;
}

Token make_tag(TokenKind kind, Tag tag) {
  return {kind, tag, 0, 0, 0};
}

/// Pairs of <nowiki> tags inside of <pre> mean nothing.
std::string without_nowiki(std::string_view text) {
  constexpr std::string_view kOpen = "<nowiki>";
  constexpr std::string_view kClose = "</nowiki>";
  std::string out;
  while (true) {
    const std::size_t open = text.find(kOpen);
    const std::size_t close = open == std::string_view::npos ? open : text.find(kClose, open + kOpen.size());
    if (close == std::string_view::npos) break;
    out.append(text.substr(0, open));
    out.append(text.substr(open + kOpen.size(), close - open - kOpen.size()));
    text.remove_prefix(close + kClose.size());
  }
  return out.append(text);
}

}  // namespace

void BlockStage::run(std::string_view text, Tokens& tokens) {
  text_ = text;
  next_url_ = std::min(text_.find("://"), text_.size());
  std::size_t line_begin = 0;
  int links = 0;
  std::uint32_t kinds = 0;
  const std::size_t size = tokens.size();
  for (std::size_t i = 0; i <= size; ++i) {
    if (i < size) {
      const Token& token = tokens[i];
      const KindTraits& kind = kKindTraits[static_cast<std::size_t>(token.kind)];
      kinds |= kind.kind_bit | (token.tag > Tag::kInline ? kBlockTag : 0);
      // Line ends inside of links and captions are blanks.
      links += kind.opens;
      if (token.kind != TokenKind::kNewline || links > 0) continue;
    }
    kinds_ = kinds;
    kinds = 0;
    if ((kinds_ & bit(TokenKind::kQuotes)) != 0) balance_quotes(text_, tokens, line_begin, i);
    read_line(tokens, line_begin, i);
    end_line(i == size);
    line_begin = i + 1;
  }
  while (!last_prefix_.empty()) {
    lists_.close(last_prefix_.back());
    last_prefix_.pop_back();
  }
  close_paragraph();
  if (in_pre_) builder_.close(Tag::kPre);
}

/// Takes the tokens [begin, end) as the line. Switches leave it, and preformatted text breaks it into several.
void BlockStage::read_line(Tokens& tokens, std::size_t begin, std::size_t end) {
  const std::span<Token> written = std::span(tokens).subspan(begin, end - begin);
  line_ = written;
  constexpr std::uint32_t kBlockMarker = bit(TokenKind::kMarker) | kBlockTag;
  if ((kinds_ & bit(TokenKind::kSwitch)) == 0 && (kinds_ & kBlockMarker) != kBlockMarker) return;
  const auto changes = [](const Token& token) { return token.kind == TokenKind::kSwitch || is_preformatted(token); };
  if (std::none_of(written.begin(), written.end(), changes)) return;
  kinds_ = kAllKinds;  // some tokens become others
  made_line_.clear();
  for (const Token& token : written) {
    if (is_preformatted(token)) {
      add_pre(expander_.extension(token.value));
    } else if (token.kind != TokenKind::kSwitch) {
      made_line_.push_back(token);
    }
  }
  line_ = made_line_;
}

void BlockStage::add_pre(const Extension& extension) {
  const bool literal = extension.kind == ExtensionKind::kCode;
  made_line_.push_back(make_tag(TokenKind::kOpenTag, Tag::kPre));
  std::string_view content = as_it_stands(extension.content);
  if (!content.empty() && content.front() == '\n') content.remove_prefix(1);
  if (literal) {
    content = trim_right(content);
  } else if (content.find("<nowiki>") != std::string_view::npos) {
    content = kept_.emplace_back(without_nowiki(content));
  }
  while (true) {
    const std::size_t end = content.find('\n');
    made_line_.push_back({TokenKind::kRaw, Tag::kNone, 0, 0, static_cast<std::uint32_t>(raw_.size())});
    raw_.push_back(content.substr(0, end));
    raw_literal_.push_back(literal);
    if (end == std::string_view::npos) break;
    line_ = made_line_;
    end_line(false);
    made_line_.clear();
    content.remove_prefix(end + 1);
  }
  made_line_.push_back(make_tag(TokenKind::kCloseTag, Tag::kPre));
}

/// Content of a tag that is shown as it stands; only #tag makes such that hold markers.
std::string_view BlockStage::as_it_stands(std::string_view content) {
  if (content.find(kMarkerByte) == std::string_view::npos) return content;
  return kept_.emplace_back(expander_.without_markers(content));
}

BlockStage::LineTraits BlockStage::traits() const {
  LineTraits line;
  constexpr std::uint32_t kBlocks = bit(TokenKind::kImageBegin) | bit(TokenKind::kImageEnd) | kBlockTag;
  if ((kinds_ & kBlocks) == 0) return line;
  std::size_t links = 0;
  for (const Token& token : line_) {
    if (token.kind == TokenKind::kMarker) {
      if (token.tag != Tag::kNone) line.closes_block = true;
      if (token.tag == Tag::kUl) line.opens_block = true;
      continue;
    }
    const bool open = token.kind == TokenKind::kOpenTag;
    if (token.tag == Tag::kBlockquote) {
      line.opens_quotation = open;
      line.closes_quotation = !open;
    }
    // What stands in the text of a link is put in later, when lines mean nothing any more.
    links += token.kind == TokenKind::kLinkBegin;
    links -= token.kind == TokenKind::kLinkEnd;
    if (links > 0) continue;
    if (is_figure(token)) line.closes_block = true;
    if (!open && token.kind != TokenKind::kCloseTag) continue;
    switch (token.tag) {
      case Tag::kPre:
        (open ? line.opens_pre : line.closes_pre) = true;
        [[fallthrough]];
      case Tag::kTable:
      case Tag::kH1:
      case Tag::kH2:
      case Tag::kH3:
      case Tag::kH4:
      case Tag::kH5:
      case Tag::kH6:
      case Tag::kParagraph:
      case Tag::kUl:
      case Tag::kOl:
      case Tag::kDl:
        (open ? line.opens_block : line.closes_block) = true;
        break;
      case Tag::kTd:
      case Tag::kTh:
        (open ? line.closes_block : line.opens_block) = true;
        break;
      case Tag::kTr:
      case Tag::kCaption:
      case Tag::kDt:
      case Tag::kDd:
      case Tag::kLi:
        line.opens_block = true;
        break;
      case Tag::kCenter:
      case Tag::kBlockquote:
      case Tag::kDiv:
      case Tag::kRule:
        line.closes_block = true;
        break;
      default:
        break;
    }
  }
  return line;
}

bool BlockStage::is_blank(std::size_t from) const {
  for (std::size_t i = from; i < line_.size(); ++i) {
    if (line_[i].kind != TokenKind::kText || !trim(content(line_[i])).empty()) return false;
  }
  return true;
}

void BlockStage::close_paragraph() {
  if (paragraph_ == Paragraph::kParagraph) builder_.close(Tag::kParagraph);
  if (paragraph_ == Paragraph::kPre) builder_.close(Tag::kPre);
  paragraph_ = Paragraph::kNone;
  in_pre_ = false;
}

/// `[http://example.org text]` shows its text, or a number.
void BlockStage::replace_external_links() {
  if ((kinds_ & bit(TokenKind::kBracketOpen)) == 0) return;
  scratch_.assign(line_.begin(), line_.end());
  resolve_external_links(text_, scratch_, auto_numbers_, made_line_);
  line_ = made_line_;
}

/// Opens, goes on with and closes lists for a line with the given markers ("" for a line without).
void BlockStage::list_line(std::string_view prefix, std::size_t& from) {
  if (prefix.empty() && last_prefix_.empty()) return;
  std::string same(prefix);
  std::replace(same.begin(), same.end(), ';', ':');
  const auto term = [&] {
    const auto end = find_term_end(text_, line_, from);
    if (!end) return;
    Token& token = line_[end->token];
    const Token rest{TokenKind::kText, Tag::kNone, end->byte + 1, token.end, 0};
    token.end = end->byte;
    emit(from, end->token + 1);
    token = rest;
    from = end->token;
    lists_.next(':');
  };
  if (!prefix.empty() && last_prefix_ == same) {
    lists_.next(prefix.back());
    pending_ = Pending::kNone;
    if (prefix.back() == ';') term();
    return;
  }
  pending_ = Pending::kNone;
  std::size_t common = 0;
  while (common < prefix.size() && common < last_prefix_.size() && prefix[common] == last_prefix_[common]) ++common;
  while (last_prefix_.size() > common) {
    lists_.close(last_prefix_.back());
    last_prefix_.pop_back();
  }
  if (prefix.size() <= common && common > 0) lists_.next(prefix[common - 1]);
  if (lists_.in_term() && common > 0 && prefix[common - 1] == ':') lists_.next(':');
  for (; common < prefix.size(); ++common) {
    close_paragraph();
    lists_.open(prefix[common]);
    if (prefix[common] == ';') term();
  }
  last_prefix_ = same;
}

/// Takes the list markers off the text tokens from `first` on.
std::string BlockStage::take_markers(std::size_t first) {
  std::string taken;
  for (std::size_t i = first; i < line_.size() && line_[i].kind == TokenKind::kText; ++i) {
    const std::string_view text = content(line_[i]);
    std::size_t markers = 0;
    while (markers < text.size() && is_list_marker(text[markers])) ++markers;
    taken.append(text.substr(0, markers));
    line_[i].begin += static_cast<std::uint32_t>(markers);
    if (markers < text.size()) break;
  }
  return taken;
}

void BlockStage::end_line(bool last) {
  replace_external_links();
  std::size_t from = 0;
  std::size_t markers = 0;
  const LineTraits line = traits();
  std::string_view prefix;
  if (!in_pre_) {
    if (!line_.empty() && line_.front().kind == TokenKind::kText) {
      const std::string_view head = content(line_.front());
      while (markers < head.size() && is_list_marker(head[markers])) ++markers;
      prefix = head.substr(0, markers);
      line_.front().begin += static_cast<std::uint32_t>(markers);
      // Where a category stood between them, markers join.
      if (markers > 0 && markers == head.size()) prefix = kept_.emplace_back(std::string(prefix) + take_markers(1));
    }
    in_pre_ = line.opens_pre;
  }
  list_line(prefix, from);
  if (prefix.empty()) {
    const bool starts_with_blank = !line_.empty() && line_.front().kind == TokenKind::kText &&
                                   line_.front().begin < line_.front().end && text_[line_.front().begin] == ' ';
    paragraph_line(from, is_blank(from), starts_with_blank, line);
  }
  if (line.closes_pre && in_pre_) in_pre_ = false;
  if (pending_ == Pending::kNone || !is_blank(from)) {
    emit(from, line_.size());
    if (prefix.empty() && !last) builder_.newline();
  }
  raw_.clear();
  raw_literal_.clear();
}

void BlockStage::paragraph_line(std::size_t from, bool blank, bool starts_with_blank, const LineTraits& line) {
  const auto open_paragraph = [&] {
    builder_.open(Tag::kParagraph, {});
    paragraph_ = Paragraph::kParagraph;
  };
  if (line.opens_block || line.closes_block) {
    pending_ = Pending::kNone;
    const bool was_pre = in_pre_;
    if (!in_pre_ || line.opens_pre) close_paragraph();
    in_pre_ = was_pre;
    if (line.opens_quotation) in_blockquote_ = true;
    if (line.closes_quotation) in_blockquote_ = false;
    in_block_ = !line.closes_block;
    return;
  }
  if (in_block_ || in_pre_) return;
  if (starts_with_blank && (paragraph_ == Paragraph::kPre || !blank) && !in_blockquote_) {
    if (paragraph_ != Paragraph::kPre) {
      pending_ = Pending::kNone;
      close_paragraph();
      builder_.open(Tag::kPre, {});
      paragraph_ = Paragraph::kPre;
    }
    ++line_[from].begin;
    return;
  }
  if (blank) {
    if (pending_ != Pending::kNone) {
      if (pending_ == Pending::kReopen) builder_.close(Tag::kParagraph);
      pending_ = Pending::kNone;
      open_paragraph();
      builder_.line_break();
    } else if (paragraph_ != Paragraph::kParagraph) {
      close_paragraph();
      pending_ = Pending::kOpen;
    } else {
      pending_ = Pending::kReopen;
    }
    return;
  }
  if (pending_ != Pending::kNone) {
    if (pending_ == Pending::kReopen) builder_.close(Tag::kParagraph);
    pending_ = Pending::kNone;
    open_paragraph();
  } else if (paragraph_ != Paragraph::kParagraph) {
    close_paragraph();
    open_paragraph();
  }
}

/// False for text that no address stands in. Tokens come in ascending order, so that the text is searched once.
inline bool BlockStage::may_hold_url(const Token& token) {
  if (next_url_ < token.begin) next_url_ = std::min(text_.find("://", token.begin), text_.size());
  return next_url_ < token.end;
}

/// What a token with text shows, where addresses that are not written in brackets may look otherwise.
inline std::string_view BlockStage::shown_text(const Token& token) {
  const std::string_view text = content(token);
  if (!may_hold_url(token) || !may_change_urls(text)) return text;
  return kept_.emplace_back(show_bare_urls(text));
}

void BlockStage::emit(std::size_t from, std::size_t to) {
  for (const Token& token : line_.subspan(from, to - from)) {
    if (token.kind == TokenKind::kText) {
      builder_.text(shown_text(token));
    } else if (token.kind == TokenKind::kPlainLink) {
      builder_.plain_link(token.value, shown_text(token), text_.substr(token.end + 2, token.trail));
    } else {
      emit_token(token);
    }
  }
}

/// Footnotes among the attributes of an element are footnotes of the page all the same.
void BlockStage::find_footnotes(std::string_view attributes) {
  for (std::size_t at = attributes.find(kMarkerByte); at != std::string_view::npos;
       at = attributes.find(kMarkerByte, at + 1)) {
    const Extension& extension = expander_.extension(marker_number(attributes.substr(at)));
    if (extension.kind == ExtensionKind::kRef) handler_.on_extension(extension);
  }
}

void BlockStage::emit_token(const Token& token) {
  switch (token.kind) {
    case TokenKind::kQuotes:
    case TokenKind::kBracketOpen:
    case TokenKind::kBracketClose:
    case TokenKind::kLinkOpen:
    case TokenKind::kLinkClose:
      builder_.text(content(token));
      break;
    case TokenKind::kNewline:
      builder_.newline();
      break;
    case TokenKind::kOpenTag:
      if (token.tag != Tag::kInline) {
        if (token.begin < token.end) find_footnotes(content(token));
        builder_.open(token.tag, content(token));
      } else if (token.value != 0) {
        builder_.quotes(token.value);
      } else {
        builder_.formatting(true);
      }
      break;
    case TokenKind::kCloseTag:
      if (token.tag != Tag::kInline) {
        builder_.close(token.tag);
      } else {
        builder_.formatting(false);
      }
      break;
    case TokenKind::kLinkBegin:
      builder_.formatting(true);
      if (token.value != kNoLink) builder_.begin_link(token.value);
      break;
    case TokenKind::kLinkEnd:
      if (token.begin < token.end) builder_.text(content(token));
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
    case TokenKind::kMarker: {
      const Extension& extension = expander_.extension(token.value);
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
          handler_.on_extension(extension);
          break;
      }
      break;
    }
    case TokenKind::kImageBegin:
      if (is_figure(token)) builder_.open(Tag::kFigure, {});
      break;
    case TokenKind::kImageEnd:
      if (is_figure(token)) builder_.close(Tag::kFigure);
      break;
    case TokenKind::kText:       // of `emit`
    case TokenKind::kPlainLink:  // of `emit`
    case TokenKind::kSwitch:
      break;
  }
}

}  // namespace touchstone::extractors::internal
