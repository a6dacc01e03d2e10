#include "extractors/wikitext/inline/conversion_pass.hpp"

#include "common/unicode.hpp"
#include "extractors/scan/text_scan.hpp"
#include "extractors/scan/url_scan.hpp"
#include "extractors/wikitext/inline/apostrophe_runs.hpp"
#include "extractors/wikitext/inline/external_links.hpp"
#include "extractors/wikitext/preprocessor/markers.hpp"

#include <algorithm>
#include <span>
#include <utility>

namespace touchstone::extractors::wikitext::inlines {
using namespace internal;
using namespace scan;
using namespace tokens;
namespace {

constexpr std::size_t kMaxDepth = 10;         // MediaWiki's
constexpr std::size_t kMaxSwitchBytes = 128;  // of a word such as __NOCONTENTCONVERT__

bool begins_part(const Token& token) noexcept {
  return token.kind == TokenKind::kLinkBegin || token.kind == TokenKind::kImageBegin;
}

bool ends_part(const Token& token) noexcept {
  return token.kind == TokenKind::kLinkEnd || token.kind == TokenKind::kImageEnd;
}

/// Appends a token; text that goes on where the last token ends joins it.
void push(Tokens& out, const Token& token) {
  if (token.kind == TokenKind::kText && !out.empty()) {
    Token& last = out.back();
    if (last.kind == TokenKind::kText && last.end == token.begin && last.value == token.value) {
      last.end = token.end;
      return;
    }
  }
  out.push_back(token);
}

/// Replaces plain links by tokens like those of links with markup, since rules may be in or around their text.
void split_plain_links(Tokens& tokens) {
  const auto is_plain = [](const Token& token) { return token.kind == TokenKind::kPlainLink; };
  if (std::none_of(tokens.begin(), tokens.end(), is_plain)) return;
  Tokens out;
  out.reserve(tokens.size() + tokens.size() / 2);
  for (const Token& token : tokens) {
    if (!is_plain(token)) {
      out.push_back(token);
      continue;
    }
    const std::uint32_t behind = token.end + 2;
    out.push_back({TokenKind::kLinkBegin, Tag::kNone, 0, 0, token.value});
    out.push_back({TokenKind::kText, Tag::kNone, token.begin, token.end, 0});
    out.push_back({TokenKind::kLinkEnd, Tag::kNone, behind, behind + token.trail, 0});
  }
  tokens.swap(out);
}

/// Prepares lines as MediaWiki does before it looks for conversion rules: resolves apostrophes, and marks the line ends
/// at which paragraphs begin and end, those between a line with a cell or the like and one without.
void prepare_lines(std::string_view text, Tokens& tokens) {
  std::size_t line_begin = 0;
  int parts = 0;
  bool block_before = false, block = false;
  for (std::size_t i = 0; i <= tokens.size(); ++i) {
    if (i < tokens.size()) {
      const bool is_tag = tokens[i].kind == TokenKind::kOpenTag || tokens[i].kind == TokenKind::kCloseTag;
      block = block || (is_tag && tokens[i].tag > Tag::kInline);
      parts += begins_part(tokens[i]) ? 1 : ends_part(tokens[i]) ? -1 : 0;
      if (tokens[i].kind != TokenKind::kNewline || parts > 0) continue;
    }
    balance_apostrophes(text, std::span(tokens).subspan(line_begin, i - line_begin));
    if (line_begin > 0) tokens[line_begin - 1].value = block != block_before ? kElementEnd : 0;
    block_before = std::exchange(block, false);
    line_begin = i + 1;
  }
}

/// The length of a character reference at the start of the text, or 1.
std::size_t reference_length(std::string_view text) noexcept {
  constexpr std::size_t kMostBytes = 40;
  const std::size_t end = text.substr(0, kMostBytes).find(';');
  if (end == std::string_view::npos || end < 2) return 1;
  const bool good = std::all_of(text.begin() + 1, text.begin() + static_cast<std::ptrdiff_t>(end),
                                [](char c) { return c == '#' || is_alphanumeric(c); });
  return good ? end + 1 : 1;
}

}  // namespace

void ConversionPass::note_behavior_switches(std::string_view text) {
  if (switched_off_ || text.find("-{") == std::string_view::npos) return;
  for (std::size_t at = text.find("__"); at != std::string_view::npos && !switched_off_; at = text.find("__", at + 1)) {
    const std::string word = lower_case(text.substr(at, kMaxSwitchBytes));
    const auto begins_with = [&](std::string_view switch_word) {
      switched_off_ = switched_off_ || starts_with(word, switch_word);
    };
    for_each_part("__nocontentconvert__|__nocc__", '|', begins_with);
    for_each_part(language_.own_switches, '|', begins_with);
  }
}

void ConversionPass::run(std::string_view text, Tokens& tokens, LinkFindings& findings,
                         std::vector<std::uint32_t>& hidden_markers) {
  if (switched_off_ || (conversions_.empty() && text.find("-{") == std::string_view::npos)) return;
  text_ = text;
  findings_ = &findings;
  hidden_markers_ = &hidden_markers;
  parts_ = 0;
  in_later_line_ = false;
  tokens_left_ = tokens.size() + text.size() / 2;  // most tokens are far longer than 2 bytes
  const bool had_given_up = conversions_.given_up();
  split_plain_links(tokens);
  prepare_lines(text, tokens);
  Tokens out, between;
  out.reserve(tokens.size());
  Place place;
  while (true) {
    between.clear();
    const Mark mark = next_mark(tokens, place, false, between);
    convert(between, out);
    if (mark == Mark::kNone) break;
    const Tokens shown = read_rule(tokens, place, 1);
    out.insert(out.end(), shown.begin(), shown.end());
  }
  tokens.swap(out);
  context_.counters.limits_hit += conversions_.given_up() && !had_given_up;
}

/// Appends what is in front of the next `-{`, or with `closes` also `}-`, to `out`; `place` is then behind it.
ConversionPass::Mark ConversionPass::next_mark(const Tokens& tokens, Place& place, bool closes, Tokens& out) {
  for (; place.token < tokens.size(); ++place.token) {
    Token token = tokens[place.token];
    if (token.kind != TokenKind::kText) {
      parts_ += begins_part(token) ? 1 : ends_part(token) ? -1 : 0;
      if (token.kind == TokenKind::kNewline) in_later_line_ = closes;
      push(out, token);
      continue;
    }
    const bool begun = token.begin < place.byte;
    if (begun) token.begin = place.byte;
    if (in_later_line_) token.value = kInConversionRule;
    std::uint32_t at = token.begin;
    // A rule in the address of an external link is part of it.
    const bool in_brackets = !begun && place.token > 0 && tokens[place.token - 1].kind == TokenKind::kBracketOpen;
    if (in_brackets && has_protocol(token.in(text_))) at += static_cast<std::uint32_t>(url_length(token.in(text_)));
    for (; at + 1 < token.end; ++at) {
      const bool opens = text_[at] == '-' && text_[at + 1] == '{';
      if (!opens && !(closes && text_[at] == '}' && text_[at + 1] == '-')) continue;
      place.byte = at + 2;
      token.end = at;
      if (token.begin < token.end) push(out, token);
      return opens ? Mark::kOpen : Mark::kClose;
    }
    if (token.begin < token.end) push(out, token);
  }
  return Mark::kNone;
}

/// Reads a rule from behind its `-{` on and returns what is shown of it.
Tokens ConversionPass::read_rule(const Tokens& tokens, Place& place, std::size_t depth) {
  const Token open{TokenKind::kText, Tag::kNone, place.byte - 2, place.byte, 0};
  Tokens inner, rest;
  while (true) {
    const Mark mark = next_mark(tokens, place, true, inner);
    if (mark == Mark::kClose) return choose(std::move(inner));
    if (mark == Mark::kNone) break;
    if (depth >= kMaxDepth) {
      push(inner, {TokenKind::kText, Tag::kNone, place.byte - 2, place.byte, 0});
      continue;
    }
    Tokens nested = read_rule(tokens, place, depth + 1);
    if (place.token == tokens.size()) {
      rest = std::move(nested);
      break;
    }
    if (inner.empty()) {
      inner = std::move(nested);
    } else {
      for (const Token& token : nested) push(inner, token);
    }
  }
  // It never ends: the rest of the text stays as it is, but for rules in it.
  Tokens out{open};
  convert(inner, out);
  out.insert(out.end(), rest.begin(), rest.end());
  return out;
}

/// What is shown of a rule that contains these tokens.
Tokens ConversionPass::choose(Tokens&& inner) {
  if (inner.size() > tokens_left_) {
    ++context_.counters.limits_hit;
    return std::move(inner);
  }
  tokens_left_ -= inner.size();
  // The line has something in it, and does not begin with what is shown.
  Tokens out{own({})};
  out.reserve(inner.size() + 1);
  rule_text_.write(text_, inner, parts_ > 0);
  const ConversionRule rule = read_conversion_rule(language_, rule_text_.bytes());
  if (rule.is_wrong) {  // a rule around it has something in this place
    out.push_back({TokenKind::kOpenTag, Tag::kInline, 0, 0, 0});
    out.push_back({TokenKind::kCloseTag, Tag::kInline, 0, 0, 0});
  }
  keep_parts(inner, rule, out);
  if (rule.converts) {
    Tokens converted;
    convert(out, converted);
    out.swap(converted);
  }
  apply(rule);
  return out;
}

/// Decides which tokens of a rule are shown, at least in part. Links and images are shown if their beginnings are. If
/// they continue outside of the rule, both ends stay.
std::vector<bool> ConversionPass::find_kept(const Tokens& inner, const ConversionRule& rule) {
  std::vector<bool> kept(inner.size());
  auto part = rule.shown.begin();
  std::vector<std::size_t> opened;
  for (std::size_t i = 0; i < inner.size(); ++i) {
    while (part != rule.shown.end() && part->end <= rule_text_.extents()[i].begin) ++part;
    kept[i] = part != rule.shown.end() && part->begin < rule_text_.extents()[i].end;
    if (begins_part(inner[i])) opened.push_back(i);
    if (!ends_part(inner[i])) continue;
    kept[i] = opened.empty() || kept[opened.back()];
    if (!kept[i]) hide(inner[opened.back()]);
    if (!opened.empty()) opened.pop_back();
  }
  for (const std::size_t i : opened) kept[i] = true;
  return kept;
}

/// Appends the tokens of what is shown of a rule.
void ConversionPass::keep_parts(const Tokens& inner, const ConversionRule& rule, Tokens& out) {
  const std::vector<bool> kept = find_kept(inner, rule);
  std::size_t i = 0;
  const auto keep_to = [&](std::size_t begin, std::size_t end) {
    for (; i < inner.size() && rule_text_.extents()[i].begin < end; ++i) {
      if (kept[i]) {
        const auto from = static_cast<std::uint32_t>(std::max<std::size_t>(begin, rule_text_.extents()[i].begin));
        const auto to = static_cast<std::uint32_t>(std::min<std::size_t>(end, rule_text_.extents()[i].end));
        push_cut(inner[i], rule_text_.extents()[i], {from, to}, out);
      } else if (inner[i].kind == TokenKind::kMarker) {
        hidden_markers_->push_back(inner[i].value);
      }
      const bool is_text = inner[i].kind == TokenKind::kText || inner[i].kind == TokenKind::kOwnedText;
      if (is_text && rule_text_.extents()[i].end > end) break;  // the next part may begin in it
    }
  };
  for (const ConversionRule::Part& part : rule.shown) {
    keep_to(part.begin, part.begin);
    if (!part.before.empty()) out.push_back(own(part.before));
    keep_to(part.begin, part.end);
    if (!part.behind.empty()) out.push_back(own(part.behind));
  }
  keep_to(rule_text_.bytes().size(), rule_text_.bytes().size() + 1);
}

/// Appends the bytes `shown` of a token that represents `extent` of the rule's text.
void ConversionPass::push_cut(const Token& token, const Extent& extent, const Extent& shown, Tokens& out) {
  Token cut = token;
  const bool is_cut = shown.begin > extent.begin || shown.end < extent.end;
  if (token.kind == TokenKind::kText || (token.kind == TokenKind::kOwnedText && is_cut)) {
    if (shown.begin >= shown.end) return;
    if (token.kind == TokenKind::kOwnedText) {
      cut = own(rule_text_.bytes().substr(shown.begin, shown.end - shown.begin));
    } else {
      cut.begin = token.begin + shown.begin - extent.begin;
      cut.end = token.begin + shown.end - extent.begin;
      cut.value = kInConversionRule;
    }
  }
  push(out, cut);
}

/// A link that is not shown still counts.
void ConversionPass::hide(const Token& begin) {
  if (begin.kind == TokenKind::kLinkBegin && begin.value != kNoLink)
    findings_->hidden_links.push_back(context_.links[begin.value]);
}

void ConversionPass::apply(const ConversionRule& rule) {
  const auto plain = [](std::string_view text) {
    std::string out(text);
    out.erase(std::remove(out.begin(), out.end(), kTagByte), out.end());
    return out;
  };
  for (const auto& [from, to] : rule.definitions) {
    // Words with tags in them are nowhere in the text between tags.
    if (from.find(kTagByte) != std::string_view::npos) continue;
    if (rule.action == ConversionRule::Action::kDefine) {
      conversions_.define(from, plain(to));
    } else {
      conversions_.forget(from);
    }
  }
}

/// Appends the tokens, with the words replaced that the page defined others for.
void ConversionPass::convert(const Tokens& tokens, Tokens& out) {
  for (const Token& token : tokens) {
    if (token.kind != TokenKind::kText || conversions_.empty()) {
      push(out, token);
      continue;
    }
    const std::string_view text = token.in(text_);
    std::size_t from = 0;
    const Token* before = out.empty() ? nullptr : &out.back();
    if (before == nullptr || before->kind == TokenKind::kNewline) {
      from = std::min(text.find_first_not_of("*#:; "), text.size());
    } else if (before->kind == TokenKind::kBracketOpen && has_protocol(text)) {
      from = url_length(text);
    }
    convert_text(token, token.begin + static_cast<std::uint32_t>(from), out);
  }
}

/// The same for one text from byte `from` on. Words neither reach into addresses nor over character references.
void ConversionPass::convert_text(const Token& token, std::uint32_t from, Tokens& out) {
  std::uint32_t done = token.begin;
  bool continues = false;  // the last token is a word put in here, right in front of `done`
  const auto keep_to = [&](std::uint32_t end) {
    if (done < end) push(out, {TokenKind::kText, Tag::kNone, done, end, token.value});
    continues = continues && done == end;
    done = std::max(done, end);
  };
  const auto convert_piece = [&](std::uint32_t begin, std::uint32_t end) {
    const std::string_view piece = text_.substr(begin, end - begin);
    for (std::size_t at = 0; at < piece.size();) {
      const ConversionTable::Match match = conversions_.find(piece, at);
      if (match.begin == piece.size()) break;
      keep_to(begin + static_cast<std::uint32_t>(match.begin));
      if (continues) {
        context_.owned_texts[out.back().value].append(match.shown);
      } else {
        out.push_back(own(std::string(match.shown)));
      }
      continues = true;
      at = match.end;
      done = begin + static_cast<std::uint32_t>(at);
    }
  };
  std::uint32_t piece = from;
  for (std::uint32_t at = from; at < token.end;) {
    std::size_t skipped = 0;
    if (text_[at] == '&') skipped = reference_length(text_.substr(at, token.end - at));
    if (text_[at] == ':') {
      std::uint32_t scheme = at;
      while (scheme > piece && is_letter(text_[scheme - 1])) --scheme;
      const std::size_t url = scheme < at ? bare_url_length(text_.substr(0, token.end), scheme) : 0;
      if (url > 0) {
        at = scheme;
        skipped = url;
      }
    }
    if (skipped == 0) {
      ++at;
      continue;
    }
    convert_piece(piece, at);
    at += static_cast<std::uint32_t>(skipped);
    piece = at;
  }
  if (piece < token.end) convert_piece(piece, token.end);
  keep_to(token.end);
}

Token ConversionPass::own(std::string text) {
  const auto number = static_cast<std::uint32_t>(context_.owned_texts.size());
  context_.owned_texts.push_back(std::move(text));
  return {TokenKind::kOwnedText, Tag::kNone, 0, 0, number};
}

}  // namespace touchstone::extractors::wikitext::inlines
