#include "extractors/wikitext/blocks/block_pass.hpp"

#include "extractors/scan/text_scan.hpp"
#include "extractors/wikitext/inline/apostrophe_runs.hpp"
#include "extractors/wikitext/inline/external_links.hpp"

#include <algorithm>
#include <cctype>

namespace touchstone::extractors::wikitext::blocks::internal {
using inlines::bare_url_length;
using namespace tokens;
namespace {

Tag list_of(char marker) noexcept {
  return marker == '*' ? Tag::kUl : marker == '#' ? Tag::kOl : Tag::kDl;
}

Tag item_of(char marker) noexcept {
  return marker == ':' ? Tag::kDd : marker == ';' ? Tag::kDt : Tag::kLi;
}

/// True for `<br/>`; to MediaWiki, `<br>` is a tag that never ends when it looks for the colon behind a term.
bool ends_itself(std::string_view text, const Token& tag) noexcept {
  return (tag.tag == Tag::kBreak || tag.tag == Tag::kRule) && tag.end < text.size() && text[tag.end] == '/';
}

/// The number of language conversion rules ("-{zh-hans:...}-") that a text opens, minus those that it closes.
int variants_opened(std::string_view text) noexcept {
  int opened = 0;
  for (std::size_t i = 0; i + 1 < text.size(); ++i) {
    if (text[i] == '-' && text[i + 1] == '{') ++opened;
    if (text[i] == '}' && text[i + 1] == '-') --opened;
  }
  return opened;
}

/// The first colon outside of URLs and language conversion rules; `variants` counts the open rules from text to text.
std::size_t find_colon(std::string_view text, int& variants) {
  std::size_t looked = 0;
  for (std::size_t at = text.find(':'); at != std::string_view::npos; at = text.find(':', at + 1)) {
    variants += variants_opened(text.substr(looked, at - looked));
    looked = at;
    if (variants > 0) continue;
    std::size_t scheme = at;
    while (scheme > 0 && std::isalpha(static_cast<unsigned char>(text[scheme - 1]))) --scheme;
    const std::size_t url = scheme < at ? bare_url_length(text, scheme) : 0;
    if (url == 0) return at;
    at = scheme + url - 1;
  }
  variants += variants_opened(text.substr(looked));
  return std::string_view::npos;
}

}  // namespace

void ListElements::open(char marker) {
  builder_.open(list_of(marker), {});
  builder_.open(item_of(marker), {});
  if (marker == ';') in_term_ = true;
}

void ListElements::next(char marker) {
  builder_.close(open_item(marker));
  if (item_of(marker) != Tag::kLi) in_term_ = marker == ';';
  builder_.open(item_of(marker), {});
}

void ListElements::close(char marker) {
  builder_.close(open_item(marker));
  if (item_of(marker) != Tag::kLi) in_term_ = false;
  builder_.close(list_of(marker));
}

/// The item that is open in a list of this marker.
Tag ListElements::open_item(char marker) const noexcept {
  const Tag item = item_of(marker);
  return item == Tag::kLi ? item : in_term_ ? Tag::kDt : Tag::kDd;
}

std::optional<TermEnd> find_term_end(std::string_view text, std::span<const Token> line, std::size_t from) {
  std::size_t depth = 0;
  int variants = 0;
  bool bold = false;
  bool italic = false;
  for (std::size_t i = from; i < line.size(); ++i) {
    const Token& t = line[i];
    switch (t.kind) {
      case TokenKind::kLinkBegin:
      case TokenKind::kImageBegin:
        ++depth;
        break;
      case TokenKind::kLinkEnd:
      case TokenKind::kImageEnd:
        --depth;
        break;
      case TokenKind::kOpenTag:
        if (t.value == 2 || t.value == 5) italic = !italic;
        if (t.value == 3 || t.value == 5) bold = !bold;
        if (t.value == 0 && !ends_itself(text, t)) ++depth;
        break;
      case TokenKind::kCloseTag:
        if (depth > 0) --depth;
        break;
      case TokenKind::kText: {
        if (depth > 0 || bold || italic || t.value == kInConversionRule) break;
        const std::size_t colon = find_colon(t.in(text), variants);
        if (colon != std::string_view::npos) return TermEnd{i, t.begin + static_cast<std::uint32_t>(colon)};
        break;
      }
      default:
        break;
    }
  }
  return std::nullopt;
}

}  // namespace touchstone::extractors::wikitext::blocks::internal

namespace touchstone::extractors::wikitext::blocks {
using namespace inlines;
using namespace internal;
using preprocessor::Extension;
using preprocessor::ExtensionKind;
using scan::trim;
using scan::trim_right;
using namespace tokens;
namespace {

bool is_list_marker(char c) noexcept {
  return c == '*' || c == '#' || c == ':' || c == ';';
}

/// True for the marker of a tag that makes preformatted text.
bool is_preformatted(const Token& token) noexcept {
  return token.kind == TokenKind::kMarker && token.tag == Tag::kPre;
}

Token make_tag(TokenKind kind, Tag tag) {
  return {kind, tag, 0, 0, 0};
}

/// The text without pairs of <nowiki> tags, which have no effect inside of <pre>.
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

void BlockPass::run(std::string_view text, Tokens& tokens, std::span<const std::size_t> gaps) {
  text_ = text;
  writer_.start_text(text, gaps);
  Token* const end = tokens.data() + tokens.size();
  LineReader reader;
  for (Token* token = tokens.data();; ++token) {
    Token* const begin = token;
    reader.start_line();
    for (; token != end; ++token) {
      reader.add(*token);
      if (token->kind == TokenKind::kNewline && !reader.in_link_or_caption()) break;
    }
    line_ = std::span(begin, token);
    bits_ = reader.bits();
    if ((bits_ & kHasApostrophes) != 0) balance_apostrophes(text_, line_);
    if ((bits_ & kHasChange) != 0) change_line();
    end_line(token == end);
    if (token == end) break;
  }
  while (!last_prefix_.empty()) {
    lists_.close(last_prefix_.back());
    last_prefix_.pop_back();
  }
  close_paragraph();
  if (in_pre_) builder_.close(Tag::kPre);
}

/// Removes behavior switches from the line, and splits it at preformatted text.
void BlockPass::change_line() {
  const std::span<Token> written = line_;
  made_line_.clear();
  for (const Token& token : written) {
    if (is_preformatted(token)) {
      add_pre(expander_.extension(token.value));
    } else if (token.kind != TokenKind::kBehaviorSwitch) {
      made_line_.push_back(token);
    }
  }
  take_made_line();
}

/// Makes `made_line_` the current line.
void BlockPass::take_made_line() {
  line_ = made_line_;
  LineReader reader;
  for (const Token& token : line_) reader.add(token);
  bits_ = reader.bits();
}

void BlockPass::add_pre(const Extension& extension) {
  const bool literal = extension.kind == ExtensionKind::kCode;
  made_line_.push_back(make_tag(TokenKind::kOpenTag, Tag::kPre));
  std::string_view content = writer_.as_it_stands(extension.content);
  if (!content.empty() && content.front() == '\n') content.remove_prefix(1);
  if (literal) {
    content = trim_right(content);
  } else if (content.find("<nowiki>") != std::string_view::npos) {
    content = writer_.keep(without_nowiki(content));
  }
  while (true) {
    const std::size_t end = content.find('\n');
    made_line_.push_back(writer_.add_raw(content.substr(0, end), literal));
    if (end == std::string_view::npos) break;
    take_made_line();
    end_line(false);
    made_line_.clear();
    content.remove_prefix(end + 1);
  }
  made_line_.push_back(make_tag(TokenKind::kCloseTag, Tag::kPre));
}

bool BlockPass::is_blank(std::size_t from) const {
  for (std::size_t i = from; i < line_.size(); ++i) {
    if (line_[i].kind != TokenKind::kText || !trim(line_[i].in(text_)).empty()) return false;
  }
  return true;
}

void BlockPass::close_paragraph() {
  if (paragraph_ == Paragraph::kParagraph) builder_.close(Tag::kParagraph);
  if (paragraph_ == Paragraph::kPre) builder_.close(Tag::kPre);
  paragraph_ = Paragraph::kNone;
  in_pre_ = false;
}

/// `[http://example.org text]` shows its text, or a number.
void BlockPass::replace_external_links() {
  only_addresses_ = false;
  if ((bits_ & kHasBracket) == 0) return;
  scratch_.assign(line_.begin(), line_.end());
  only_addresses_ = has_only_external_links(text_, scratch_);
  resolve_external_links(text_, scratch_, auto_numbers_, made_line_);
  line_ = made_line_;
}

/// Opens, continues and closes lists for a line with the given markers ("" for a line without markers).
void BlockPass::list_line(std::string_view prefix, std::size_t& from) {
  if (prefix.empty() && last_prefix_.empty()) return;
  std::string same(prefix);
  std::replace(same.begin(), same.end(), ';', ':');
  const auto term = [&] {
    const auto end = find_term_end(text_, line_, from);
    if (!end) return;
    Token& token = line_[end->token];
    const Token rest{TokenKind::kText, Tag::kNone, end->byte + 1, token.end, 0};
    token.end = end->byte;
    writer_.write(line_.subspan(from, end->token + 1 - from));
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
std::string BlockPass::take_markers(std::size_t first) {
  std::string taken;
  for (std::size_t i = first; i < line_.size() && line_[i].kind == TokenKind::kText; ++i) {
    const std::string_view text = line_[i].in(text_);
    std::size_t markers = 0;
    while (markers < text.size() && is_list_marker(text[markers])) ++markers;
    taken.append(text.substr(0, markers));
    line_[i].begin += static_cast<std::uint32_t>(markers);
    if (markers < text.size()) break;
  }
  return taken;
}

void BlockPass::end_line(bool last) {
  replace_external_links();
  std::size_t from = 0;
  std::size_t markers = 0;
  std::string_view prefix;
  if (!in_pre_) {
    if (!line_.empty() && line_.front().kind == TokenKind::kText) {
      const std::string_view head = line_.front().in(text_);
      while (markers < head.size() && is_list_marker(head[markers])) ++markers;
      prefix = head.substr(0, markers);
      line_.front().begin += static_cast<std::uint32_t>(markers);
      // Where a category was between them, markers join.
      if (markers > 0 && markers == head.size()) prefix = writer_.keep(std::string(prefix) + take_markers(1));
    }
    in_pre_ = (bits_ & kOpensPre) != 0;
  }
  list_line(prefix, from);
  if (prefix.empty()) {
    const bool starts_with_blank = !line_.empty() && line_.front().kind == TokenKind::kText &&
                                   line_.front().begin < line_.front().end && text_[line_.front().begin] == ' ';
    paragraph_line(from, is_blank(from), starts_with_blank);
  }
  if ((bits_ & kClosesPre) != 0) in_pre_ = false;
  if (pending_ == Pending::kNone || !is_blank(from)) {
    builder_.item_of_addresses(!prefix.empty() && only_addresses_);
    writer_.write(line_.subspan(from));
    builder_.item_of_addresses(false);
    if (prefix.empty() && !last) builder_.newline();
  }
  writer_.clear_raw();
}

/// The last <blockquote> tag of a line decides whether the following lines are in a quotation.
void BlockPass::find_quotation() {
  for (const Token& token : line_) {
    if (token.tag == Tag::kBlockquote) in_blockquote_ = token.kind == TokenKind::kOpenTag;
  }
}

void BlockPass::paragraph_line(std::size_t from, bool blank, bool starts_with_blank) {
  const auto open_paragraph = [&] {
    builder_.open(Tag::kParagraph, {});
    paragraph_ = Paragraph::kParagraph;
  };
  if ((bits_ & (kOpensBlock | kClosesBlock)) != 0) {
    pending_ = Pending::kNone;
    const bool was_pre = in_pre_;
    if (!in_pre_ || (bits_ & kOpensPre) != 0) close_paragraph();
    in_pre_ = was_pre;
    if ((bits_ & kHasQuotation) != 0) find_quotation();
    in_block_ = (bits_ & kClosesBlock) == 0;
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

}  // namespace touchstone::extractors::wikitext::blocks
