#include "extractors/wikitext/inline/image_options.hpp"

#include "extractors/scan/text_scan.hpp"
#include "extractors/scan/url_scan.hpp"
#include "extractors/site/language_words.hpp"
#include "extractors/site/link_target.hpp"
#include "extractors/wikitext/preprocessor/markers.hpp"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <string>

namespace touchstone::extractors::wikitext::inlines {
using preprocessor::kFirstUnknown;
using preprocessor::unknown_cause;
using namespace scan;
using namespace site;
using namespace tokens;
namespace {

/// "220", "220x100", "x100", with an optional second "px".
bool is_size(std::string_view text) {
  text = trim(text);
  if (text.size() > 2 && text.substr(text.size() - 2) == "px") text = trim(text.substr(0, text.size() - 2));
  bool digits = false;
  bool cross = false;
  for (const char c : text) {
    if (c >= '0' && c <= '9') {
      digits = true;
    } else if (c == 'x' && !cross) {
      cross = true;
    } else {
      return false;
    }
  }
  return digits;
}

bool is_number(std::string_view text) {
  const std::string number(trim(text));
  char* end = nullptr;
  std::strtod(number.c_str(), &end);
  return !number.empty() && end == number.c_str() + number.size() &&
         number.find_first_not_of("0123456789.+-eE") == std::string::npos;
}

bool is_language(std::string_view text) {
  return std::all_of(text.begin(), text.end(),
                     [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '-'; });
}

struct Part {
  std::size_t begin, end;
};

/// Where the last address ends that begins in `text` in front of `bar` and is written without brackets; 0 when there is
/// none.
std::size_t bare_url_end(std::string_view text, std::size_t bar) {
  std::size_t end = 0;
  const std::string_view head = text.substr(0, bar);
  for (std::size_t colon = head.find(':'); colon < bar; colon = head.find(':', colon + 1)) {
    std::size_t begin = colon;
    while (begin > end && std::isalnum(static_cast<unsigned char>(text[begin - 1]))) --begin;
    if (begin == colon || !has_protocol(text.substr(begin))) continue;
    end = begin + url_length(text.substr(begin));
  }
  return end;
}

/// Finds the pipes between options, not those in language conversion rules ("-{a|b}-"). Each byte is looked at once.
class PipeFinder {
 public:
  PipeFinder(std::string_view text, const Tokens& tokens, std::size_t first) : text_(text) {
    const auto is_text = [](const Token& token) { return token.kind == TokenKind::kText; };
    const auto begin = std::find_if(tokens.begin() + static_cast<std::ptrdiff_t>(first), tokens.end(), is_text);
    if (begin == tokens.end()) return;
    const auto last = std::find_if(tokens.rbegin(), tokens.rend(), is_text);
    const std::string_view options = text.substr(begin->begin, last->end - begin->begin);
    may_have_forms_ = options.find('{') != std::string_view::npos || options.find('}') != std::string_view::npos;
  }

  /// The next in [begin, end) at or behind byte `from`, or `end`.
  std::uint32_t next(std::uint32_t begin, std::uint32_t end, std::uint32_t from) {
    if (!may_have_forms_) {
      const std::size_t bar = text_.substr(0, end).find('|', std::max(begin, from));
      return bar == std::string_view::npos ? end : static_cast<std::uint32_t>(bar);
    }
    for (looked_at_ = std::max(looked_at_, begin); looked_at_ < end; ++looked_at_) {
      const std::string_view two = text_.substr(looked_at_, std::min<std::size_t>(2, end - looked_at_));
      if (two[0] == '|' && open_ == 0 && looked_at_ >= from) return looked_at_++;
      if (two != "-{" && two != "}-") continue;
      open_ += two == "-{" ? 1 : -1;
      ++looked_at_;
    }
    return end;
  }

 private:
  std::string_view text_;
  bool may_have_forms_ = false;
  int open_ = 0;  // below 0, where more are closed than opened, MediaWiki finds no pipes either
  std::uint32_t looked_at_ = 0;
};

/// Cuts text tokens at pipes outside of links; the pipes go. \param bare_urls  those in addresses without brackets stay
std::vector<Part> split_at_pipes(std::string_view text, Tokens& tokens, std::size_t first, bool bare_urls) {
  Tokens cut;
  cut.reserve(tokens.size() - first + 8);
  std::vector<Part> parts{{first, first}};
  PipeFinder pipes(text, tokens, first);
  std::size_t depth = 0;
  std::uint32_t url_end = 0;  // pipes in the address of an external link are part of it
  for (std::size_t i = first; i < tokens.size(); ++i) {
    Token token = tokens[i];
    if (token.kind == TokenKind::kBracketOpen && i + 1 < tokens.size() && tokens[i + 1].kind == TokenKind::kText) {
      const std::string_view address = tokens[i + 1].in(text);
      if (has_protocol(address))
        url_end = tokens[i + 1].begin + static_cast<std::uint32_t>(std::min(address.find(' '), address.size()));
    }
    if (token.kind == TokenKind::kLinkBegin || token.kind == TokenKind::kImageBegin) ++depth;
    if (token.kind == TokenKind::kLinkEnd || token.kind == TokenKind::kImageEnd) --depth;
    if (depth == 0 && token.kind == TokenKind::kText) {
      while (true) {
        const std::uint32_t bar = pipes.next(token.begin, token.end, url_end);
        if (bar == token.end) break;
        const std::string_view piece = token.in(text);
        const std::size_t bare_end = bare_urls ? bare_url_end(piece, bar - token.begin) : 0;
        if (bare_end > bar - token.begin) {
          url_end = token.begin + static_cast<std::uint32_t>(bare_end);
          continue;
        }
        Token head = token;
        head.end = bar;
        if (head.begin < head.end) cut.push_back(head);
        token.begin = head.end + 1;
        parts.back().end = first + cut.size();
        parts.push_back({first + cut.size(), first + cut.size()});
      }
      if (token.begin >= token.end) continue;
    }
    cut.push_back(token);
  }
  parts.back().end = first + cut.size();
  tokens.resize(first);
  tokens.insert(tokens.end(), cut.begin(), cut.end());
  return parts;
}

/// The part of an option's text that may name the option.
struct OptionText {
  std::string_view text;
  bool whole = true;       ///< false: markup follows
  std::uint32_t mark = 0;  ///< number of an unknown value behind it; 0 if there is none
};

/// The start of a part up to its first link or tag; all of it when it is text alone. Only options with a value may hold
/// more than text.
OptionText option_text(std::string_view text, const Tokens& tokens, const Part& part) {
  std::size_t from = part.begin;
  while (from < part.end && tokens[from].kind == TokenKind::kNewline) ++from;
  if (from == part.end || tokens[from].kind != TokenKind::kText) return {};
  std::uint32_t end = tokens[from].end, mark = 0;
  bool whole = true;
  for (std::size_t i = from + 1; i < part.end && whole; ++i) {
    const TokenKind kind = tokens[i].kind;
    whole = tokens[i].begin == end && (kind == TokenKind::kText || kind == TokenKind::kNewline ||
                                       kind == TokenKind::kBracketOpen || kind == TokenKind::kBracketClose);
    if (whole) end = tokens[i].end;
    if (kind == TokenKind::kMarker && tokens[i].value >= kFirstUnknown) mark = tokens[i].value;
  }
  const std::string_view plain = trim(text.substr(tokens[from].begin, end - tokens[from].begin));
  if (!whole && plain.find('=') == std::string_view::npos) return {};
  return {plain, whole, mark};
}

void hide_links(const TokenContext& context, const Tokens& tokens, const Part& part, LinkFindings& findings) {
  for (std::size_t i = part.begin; i < part.end; ++i) {
    if (shows_link(tokens[i])) {
      findings.hidden_links.push_back(context.links[tokens[i].value]);
    }
  }
}

/// Records the target of `link=`. Returns false if the text is not a target; the caller then treats it as the caption.
bool add_link_option(TokenContext& context, std::string_view value, LinkFindings& findings) {
  if (value.empty() || has_protocol(value)) return true;
  LinkTarget target;
  if (!read_link_target(context.site, context.page, value, false, target)) return false;
  if (target.names_page()) findings.hidden_links.emplace_back(std::move(target), false);
  return true;
}

/// The same for an option whose target may not be known; such a one names no page.
bool add_link_option(TokenContext& context, const OptionText& option, std::string_view value, LinkFindings& findings) {
  if (option.mark == 0) return add_link_option(context, value, findings);
  if (const auto cause = unknown_cause(option.mark)) ++context.counters.unknown[static_cast<std::size_t>(*cause)];
  return true;
}

/// True if the text is an option for size, place or the like, and not a caption.
bool is_image_option(const LanguageWords& words, const OptionText& written, ImageOption& kind,
                     std::string_view& value) {
  const std::string_view option = written.text;
  const auto plain = words.plain_image_words.find(std::string(option));
  if (plain != words.plain_image_words.end()) {
    kind = plain->second;
    value = {};
    return true;
  }
  for (const LanguageWords::ImageWord& word : words.image_words_with_value) {
    if (option.size() < word.text.size() + word.suffix.size() || !starts_with(option, word.text)) continue;
    if (option.substr(option.size() - word.suffix.size()) != word.suffix) continue;
    const std::string_view found =
        option.substr(word.text.size(), option.size() - word.text.size() - word.suffix.size());
    using Value = LanguageWords::ImageWord::Value;
    if (word.value != Value::kAny && !written.whole) continue;
    if (word.value == Value::kSize && !is_size(found)) continue;
    if (word.value == Value::kNumber && !is_number(found)) continue;
    if (word.value == Value::kLanguage && !is_language(found)) continue;
    kind = word.option;
    value = trim(found);
    return true;
  }
  return false;
}

}  // namespace

ImageCaption find_caption(TokenContext& context, std::string_view text, Tokens& tokens, std::size_t first,
                          CaptionPlace place, LinkFindings& findings) {
  const bool gallery = place == CaptionPlace::kGallery;
  const std::vector<Part> parts = split_at_pipes(text, tokens, first, gallery);
  ImageCaption caption;
  bool found = false;
  bool format_seen = false;
  std::vector<Part> others;
  for (const Part& part : parts) {
    ImageOption kind = ImageOption::kOther;
    std::string_view value;
    const OptionText option = option_text(text, tokens, part);
    bool is_option = !option.text.empty() && is_image_option(context.site.words(), option, kind, value);
    if (gallery && kind != ImageOption::kAlt && kind != ImageOption::kLink) is_option = false;
    if (is_option && (kind == ImageOption::kFrame || kind == ImageOption::kFrameless)) {
      is_option = !format_seen;  // the first one counts
      format_seen = true;
    }
    if (is_option && kind == ImageOption::kLink)
      is_option = add_link_option(context, option, value, findings) || gallery;
    if (is_option) {
      caption.figure = caption.figure || kind == ImageOption::kFrame || kind == ImageOption::kAligned;
      hide_links(context, tokens, part, findings);
      continue;
    }
    if (found) others.push_back({caption.begin, caption.end});
    caption.begin = part.begin;
    caption.end = part.end;
    found = true;
  }
  caption.figure = caption.figure || gallery;
  caption.shown = found && caption.figure && caption.begin < caption.end;
  if (found && !caption.shown) others.push_back({caption.begin, caption.end});
  for (const Part& part : others) hide_links(context, tokens, part, findings);
  return caption;
}

Tokens hidden_caption(const TokenContext& context, std::string_view text, const Tokens& tokens,
                      const ImageCaption& caption) {
  if (caption.begin >= caption.end) return {};
  const auto begin = tokens.begin() + static_cast<std::ptrdiff_t>(caption.begin);
  const auto end = tokens.begin() + static_cast<std::ptrdiff_t>(caption.end);
  // Language conversion does not read it, so that what a rule would show is not known.
  const auto has_rule = [&](const Token& token) {
    return token.kind == TokenKind::kText && token.in(text).find("-{") != std::string_view::npos;
  };
  if (context.site.words().variants != nullptr && std::any_of(begin, end, has_rule)) return {};
  return {begin, end};
}

}  // namespace touchstone::extractors::wikitext::inlines
