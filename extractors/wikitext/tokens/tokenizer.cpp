#include "extractors/wikitext/tokens/tokenizer.hpp"

#include "common/unicode.hpp"
#include "extractors/scan/byte_scan.hpp"
#include "extractors/scan/text_scan.hpp"
#include "extractors/site/language_words.hpp"
#include "extractors/wikitext/preprocessor/markers.hpp"
#include "extractors/wikitext/tokens/table_lines.hpp"

#include <algorithm>
#include <limits>
#include <span>

namespace touchstone::extractors::wikitext::tokens {
using namespace internal;
using namespace preprocessor;
using namespace scan;
using site::LanguageWords;
namespace {

/// The element that an extension tag makes where that matters to the lines around it.
Tag block_of(const Extension& extension) {
  switch (extension.kind) {
    case ExtensionKind::kPre:
      return Tag::kPre;
    case ExtensionKind::kCode:
      return has_attribute(extension.attributes, "inline") ? Tag::kNone : Tag::kPre;
    case ExtensionKind::kPoem:
    case ExtensionKind::kTabber:
      return Tag::kDiv;
    case ExtensionKind::kReferences:
      return Tag::kOl;
    case ExtensionKind::kGallery:
      return Tag::kUl;
    default:
      return Tag::kNone;
  }
}

class Tokenizer {
 public:
  Tokenizer(const Expander& expander, TokenContext& context, const ExpandedText& expanded,
            std::vector<std::uint64_t>& memory, Tokens& out)
      : expander_(expander),
        context_(context),
        text_(expanded.text),
        stops_(text_, memory),
        words_(context_.site.words()),
        out_(out),
        tables_(text_),
        made_(expanded.made) {}

  void run() {
    std::size_t line = 0;
    while (i_ <= text_.size()) {
      scan_line();
      finish_line(line);
      if (i_ >= text_.size()) break;
      ++i_;  // the line end
      out_.push_back({TokenKind::kNewline, Tag::kNone, at(i_ - 1), at(i_), 0});
      line = out_.size();
    }
    tables_.close_all(out_);
  }

 private:
  static std::uint32_t at(std::size_t offset) noexcept { return static_cast<std::uint32_t>(offset); }

  void add(TokenKind kind, std::size_t begin, std::size_t end, Tag tag = Tag::kNone, std::uint32_t value = 0) {
    out_.push_back({kind, tag, at(begin), at(end), value});
  }

  /// Tokens up to the next line end that is in no tag; `i_` stops there.
  void scan_line();
  bool scan_tag(std::size_t& text_begin);
  void add_marker();
  void scan_apostrophes();
  bool scan_behavior_switch(std::size_t& text_begin);
  bool scan_plain_link(std::size_t text_begin);
  bool is_made(std::size_t offset) noexcept;
  void finish_line(std::size_t first);
  void find_heading(std::size_t first);

  const Expander& expander_;
  TokenContext& context_;
  std::string_view text_;
  TokenStops stops_;
  const LanguageWords& words_;
  Tokens& out_;
  TableLines tables_;
  std::span<const MadeRange> made_;  // without those in front of the last link
  std::size_t i_ = 0;
};

void Tokenizer::scan_line() {
  std::size_t text_begin = i_;
  const auto flush = [&] {
    if (text_begin < i_) add(TokenKind::kText, text_begin, i_);
  };
  while (true) {
    i_ = stops_.next(i_);
    if (i_ >= text_.size() || text_[i_] == '\n') {
      flush();
      return;
    }
    const char c = text_[i_];
    const char next = i_ + 1 < text_.size() ? text_[i_ + 1] : '\0';
    switch (c) {
      case '<':
        if (!scan_tag(text_begin)) ++i_;
        break;
      case '[':
        if (next == '[' && scan_plain_link(text_begin)) {
          text_begin = i_;
          break;
        }
        [[fallthrough]];
      case ']': {
        flush();
        const bool twice = next == c;
        const TokenKind kind = c == '[' ? (twice ? TokenKind::kLinkOpen : TokenKind::kBracketOpen)
                                        : (twice ? TokenKind::kLinkClose : TokenKind::kBracketClose);
        add(kind, i_, i_ + (twice ? 2 : 1));
        i_ += twice ? 2 : 1;
        text_begin = i_;
        break;
      }
      case '\'':
        if (next != '\'') {
          ++i_;
          break;
        }
        flush();
        scan_apostrophes();
        text_begin = i_;
        break;
      case '_':
        if (next != '_' || !scan_behavior_switch(text_begin)) ++i_;
        break;
      default:
        if (!is_marker(text_.substr(i_))) {
          ++i_;
          break;
        }
        flush();
        add_marker();
        text_begin = i_;
        break;
    }
  }
}

/// Adds the token of the marker that is here and moves behind it.
void Tokenizer::add_marker() {
  const std::uint32_t number = marker_number(text_.substr(i_));
  add(TokenKind::kMarker, i_, i_ + kMarkerSize, block_of(expander_.extension(number)), number);
  i_ += kMarkerSize;
}

/// At '<': adds the token of an allowed tag and moves behind it. Returns false for text that is not an allowed tag.
bool Tokenizer::scan_tag(std::size_t& text_begin) {
  std::size_t name_begin = i_ + 1;
  const bool closing = name_begin < text_.size() && text_[name_begin] == '/';
  if (closing) ++name_begin;
  if (name_begin >= text_.size() || !is_letter(text_[name_begin])) return false;
  std::size_t name_end = name_begin;
  const auto ends_name = [](char c) {
    return c == '\t' || c == '\n' || c == '\v' || c == ' ' || c == '/' || c == '>' || c == '\0' || c == '<';
  };
  const std::size_t limit = std::min(text_.size(), name_begin + 12);
  while (name_end < limit && !ends_name(text_[name_end])) ++name_end;
  const TagInfo info = find_tag(text_.substr(name_begin, name_end - name_begin));
  if (info.tag == Tag::kNone) return false;
  // Attributes hold neither '<' nor '>'.
  std::size_t end = name_end;
  while (end < text_.size() && text_[end] != '>' && text_[end] != '<') ++end;
  if (end >= text_.size() || text_[end] != '>') return false;
  const bool slash = end > name_end && text_[end - 1] == '/';
  const std::size_t attributes_end = slash ? end - 1 : end;
  if (info.needs_attributes && !has_attribute(text_.substr(name_end, attributes_end - name_end), "itemprop"))
    return false;
  if (text_begin < i_) add(TokenKind::kText, text_begin, i_);
  if (closing && info.tag != Tag::kBreak) {
    add(TokenKind::kCloseTag, name_end, attributes_end, info.tag);
  } else {
    add(TokenKind::kOpenTag, name_end, attributes_end, info.tag);
    if (slash && info.self_closing && !info.empty_element)
      add(TokenKind::kCloseTag, attributes_end, attributes_end, info.tag);
  }
  i_ = end + 1;
  text_begin = i_;
  return true;
}

/// At "[[": adds the token of a link whose target is plain and whose text has no markup, and moves behind it and the
/// letters that belong to it. Returns false, with nothing added, for other links.
bool Tokenizer::scan_plain_link(std::size_t text_begin) {
  const std::size_t begin = i_ + 2;
  const std::size_t close = stops_.next(begin);
  // "/" in front may be a subpage or an address.
  if (close == begin || close + 1 >= text_.size() || text_[close] != ']' || text_[close + 1] != ']' ||
      text_[begin] == '/')
    return false;
  // The brackets behind it stop the search at the latest.
  std::size_t bar = std::min(find_stop(Stop::kTitle, text_, begin), close);
  const bool plain_words = bar == close || text_[bar] == '|';
  if (!plain_words) bar = std::min(find_stop(Stop::kTarget, text_, bar), close);
  const bool has_text = bar < close;
  if (has_text && (text_[bar] != '|' || bar + 1 == close)) return false;
  const std::string_view title = text_.substr(begin, bar - begin);
  const std::string_view text = text_.substr(has_text ? bar + 1 : begin, close - (has_text ? bar + 1 : begin));
  if (tables_.may_cut(text_.substr(begin, close - begin))) return false;
  const std::string_view behind = text_.substr(close + 2, stops_.next(close + 2) - close - 2);
  const std::uint32_t trail = words_.trail_length(behind);
  if (trail > std::numeric_limits<std::uint16_t>::max()) return false;
  const auto first = plain_words ? context_.site.first_of_plain_words(title, kNamespaceMain)
                                 : context_.site.first_of_plain_title(title, kNamespaceMain);
  if (!first) return false;
  auto number = at(context_.links.size());
  if (context_.links.emplace_back(kNamespaceMain, title, *first, !made_.empty() && is_made(i_)).target ==
      context_.page) {
    context_.links.pop_back();
    number = kNoLink;
  }
  if (text_begin < i_) add(TokenKind::kText, text_begin, i_);
  add(TokenKind::kPlainLink, close - text.size(), close, Tag::kNone, number);
  out_.back().trail = static_cast<std::uint16_t>(trail);
  i_ = close + 2 + trail;
  return true;
}

/// True for text that a rule made. Must be called from left to right.
bool Tokenizer::is_made(std::size_t offset) noexcept {
  while (!made_.empty() && made_.front().end <= offset) made_ = made_.subspan(1);
  return !made_.empty() && made_.front().begin <= offset;
}

void Tokenizer::scan_apostrophes() {
  const std::size_t begin = i_;
  while (i_ < text_.size() && text_[i_] == '\'') ++i_;
  add(TokenKind::kApostrophes, begin, i_);
}

/// At "__": adds the token of a behavior switch. Returns false if the word is not a behavior switch.
bool Tokenizer::scan_behavior_switch(std::size_t& text_begin) {
  constexpr std::size_t kMaxBytes = 64;
  const std::size_t close = text_.substr(0, std::min(text_.size(), i_ + kMaxBytes)).find("__", i_ + 2);
  if (close == std::string_view::npos) return false;
  const std::string_view word = text_.substr(i_, close + 2 - i_);
  if (words_.behavior_switches.find(lower_case(word)) == words_.behavior_switches.end()) return false;
  if (text_begin < i_) add(TokenKind::kText, text_begin, i_);
  add(TokenKind::kBehaviorSwitch, i_, close + 2);
  i_ = close + 2;
  text_begin = i_;
  return true;
}

void Tokenizer::finish_line(std::size_t first) {
  if (first == out_.size()) return;
  const bool changed = tables_.process_line(out_, first);
  if (changed) return;
  Token& head = out_[first];
  if (head.kind != TokenKind::kText) {
    if (head.kind == TokenKind::kBehaviorSwitch) find_heading(first);
    return;
  }
  const std::string_view start = head.in(text_);
  if (start.front() == '=') {
    find_heading(first);
  } else if (start.front() == '-' && starts_with(start, "----")) {
    std::size_t dashes = 4;
    while (dashes < start.size() && start[dashes] == '-') ++dashes;
    head.begin += at(dashes);
    const Token rule{TokenKind::kOpenTag, Tag::kRule, head.begin, head.begin, 0};
    if (head.begin == head.end) {
      head = rule;
    } else {
      out_.insert(out_.begin() + static_cast<std::ptrdiff_t>(first), rule);
    }
  }
}

/// Turns `== text ==` into heading tags around the text.
void Tokenizer::find_heading(std::size_t first) {
  while (first < out_.size() && out_[first].kind == TokenKind::kBehaviorSwitch) ++first;
  if (first >= out_.size() || out_[first].kind != TokenKind::kText) return;
  std::size_t last = out_.size() - 1;
  // Blanks at the line's end are no text.
  while (last > first && (out_[last].kind == TokenKind::kBehaviorSwitch ||
                          (out_[last].kind == TokenKind::kText && trim(out_[last].in(text_)).empty()))) {
    --last;
  }
  if (out_[last].kind != TokenKind::kText) return;
  const std::string_view start = out_[first].in(text_);
  const std::string_view stop = trim_right(out_[last].in(text_));
  std::size_t lead = 0;
  while (lead < start.size() && start[lead] == '=') ++lead;
  std::size_t tail = 0;
  while (tail < stop.size() && stop[stop.size() - 1 - tail] == '=') ++tail;
  std::size_t level = std::min<std::size_t>({6, lead, tail});
  if (first == last) {
    while (level > 0 && stop.size() < 2 * level + 1) --level;
  }
  if (level == 0) return;
  const Tag tag = heading_tag(static_cast<int>(level));
  const std::uint32_t text_end = out_[last].begin + at(stop.size() - level);
  out_.resize(last + 1);
  out_[last].end = text_end;
  out_[first].begin += at(level);
  const std::uint32_t begin = out_[first].begin;
  out_.insert(out_.begin() + static_cast<std::ptrdiff_t>(first), {TokenKind::kOpenTag, tag, begin, begin, 0});
  out_.push_back({TokenKind::kCloseTag, tag, text_end, text_end, 0});
}

/// True for a text that is only the start of a table, without an attribute that counts. It shows nothing.
bool is_empty_table(std::string_view text) noexcept {
  constexpr std::string_view kAttributes[] = {
      "id",    "class", "style",  "lang",    "dir",         "title",       "role",     "align",   "border", "bgcolor",
      "width", "frame", "rules",  "summary", "cellspacing", "cellpadding", "tabindex", "itemid",  "about",  "property",
      "rel",   "rev",   "typeof", "itemref", "itemscope",   "itemtype",    "itemprop", "datatype"};
  if (!starts_with(text, "{|") || text.find('\n') != std::string_view::npos ||
      text.find(kMarkerByte) != std::string_view::npos)
    return false;
  return std::none_of(std::begin(kAttributes), std::end(kAttributes),
                      [&](std::string_view name) { return has_attribute(text.substr(2), name); });
}

}  // namespace

void tokenize(const Expander& expander, TokenContext& context, const ExpandedText& expanded,
              std::vector<std::uint64_t>& memory, Tokens& out) {
  out.clear();
  if (is_empty_table(expanded.text)) return;
  out.reserve(expanded.text.size() / 12 + 16);
  Tokenizer(expander, context, expanded, memory, out).run();
}

}  // namespace touchstone::extractors::wikitext::tokens
