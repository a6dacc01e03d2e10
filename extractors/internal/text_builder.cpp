#include "extractors/internal/text_builder.hpp"

#include "common/unicode.hpp"
#include "extractors/internal/byte_scan.hpp"
#include "extractors/internal/entities.hpp"

#include <array>
#include <utility>

namespace touchstone::extractors::internal {
namespace {

enum CharKind : unsigned char { kOther, kBlank, kLead, kAmpersand };

constexpr std::array<unsigned char, 256> make_kinds() {
  std::array<unsigned char, 256> kinds{};
  for (const char c : {' ', '\t', '\n', '\r', '\f'}) kinds[static_cast<unsigned char>(c)] = kBlank;
  kinds[0xC2] = kLead;  // of U+00A0, no-break space
  kinds['&'] = kAmpersand;
  return kinds;
}
constexpr auto kKinds = make_kinds();

unsigned char kind_of(char c) noexcept {
  return kKinds[static_cast<unsigned char>(c)];
}

}  // namespace

void TextBuilder::flush_pending() {
  if (pending_) {
    text_.push_back(pending_line_ ? '\n' : ' ');
    pending_ = false;
  }
  pending_line_ = false;
  if (link_open_ && !link_started_) {
    link_started_ = true;
    link_begin_ = static_cast<std::uint32_t>(text_.size());
  }
}

void TextBuilder::put(std::string_view chunk) {
  if (chunk.empty()) return;
  flush_pending();
  text_.append(chunk);
}

void TextBuilder::put_words(std::string_view words) {
  const bool leading = !words.empty() && words.front() == ' ';
  const bool trailing = !words.empty() && words.back() == ' ';
  if (leading) {
    space();
    words.remove_prefix(1);
  }
  if (!words.empty() && words.back() == ' ') words.remove_suffix(1);
  put(words);
  if (trailing) space();
}

void TextBuilder::append(std::string_view text) {
  std::size_t begin = 0;
  std::size_t i = 0;
  while ((i = find_text_stop(text, i)) < text.size()) {
    const unsigned char kind = kind_of(text[i]);
    if (kind == kBlank) {
      put_words(text.substr(begin, i - begin));
      while (i < text.size() && kind_of(text[i]) == kBlank) {
        pending_line_ = pending_line_ || (keep_lines_ && text[i] == '\n');
        ++i;
      }
      space();
      begin = i;
    } else if (kind == kLead) {
      if (i + 1 >= text.size() || static_cast<unsigned char>(text[i + 1]) != 0xA0) {
        ++i;
        continue;
      }
      put_words(text.substr(begin, i - begin));
      i += 2;
      space();
      begin = i;
    } else if (kind == kAmpersand) {
      std::string decoded;
      const std::size_t read = decode_reference(text.substr(i), decoded);
      if (read == 0) {
        ++i;
        continue;
      }
      put_words(text.substr(begin, i - begin));
      append_literal(decoded);
      i += read;
      begin = i;
    } else {
      ++i;
    }
  }
  put_words(text.substr(begin));
}

void TextBuilder::append_literal(std::string_view text) {
  std::size_t begin = 0;
  std::size_t i = 0;
  while (i < text.size()) {
    const unsigned char kind = kind_of(text[i]);
    const bool no_break = kind == kLead && i + 1 < text.size() && static_cast<unsigned char>(text[i + 1]) == 0xA0;
    if (kind != kBlank && !no_break) {
      ++i;
      continue;
    }
    put(text.substr(begin, i - begin));
    pending_line_ = pending_line_ || (keep_lines_ && text[i] == '\n');
    i += no_break ? 2 : 1;
    space();
    begin = i;
  }
  put(text.substr(begin));
}

void TextBuilder::begin_link() {
  link_open_ = true;
  link_started_ = false;
}

Link& TextBuilder::end_link() {
  constexpr std::size_t kFew = 4;
  if (links_.capacity() == 0) links_.reserve(kFew);
  Link& link = links_.emplace_back();
  link.end = static_cast<std::uint32_t>(text_.size());
  link.begin = link_started_ ? link_begin_ : link.end;
  link_open_ = link_started_ = false;
  return link;
}

void TextBuilder::append_rich(const RichText& part) {
  space();
  if (part.text.empty() && part.links.empty()) return;
  if (!part.text.empty()) flush_pending();
  const auto base = static_cast<std::uint32_t>(text_.size());
  text_.append(part.text);
  // Back from code points to bytes of this builder.
  std::size_t byte = 0;
  std::uint32_t count = 0;
  const auto byte_of = [&](std::uint32_t code_point) {
    while (count < code_point && byte < part.text.size()) {
      next_code_point(part.text, byte);
      ++count;
    }
    return base + static_cast<std::uint32_t>(byte);
  };
  for (Link link : part.links) {
    link.begin = byte_of(link.begin);
    link.end = link.end >= count ? byte_of(link.end) : link.begin;
    links_.push_back(std::move(link));
  }
  space();
}

RichText TextBuilder::take() {
  RichText result;
  result.text.assign(text_);  // a copy, so that the memory of `text_` serves the next text, too
  result.links = std::move(links_);
  if (!result.links.empty() && !is_ascii(result.text)) {
    CodePointCounter counter(result.text);
    for (Link& link : result.links) {
      link.begin = counter.at_byte(link.begin);
      link.end = counter.at_byte(link.end);
    }
  }
  clear();
  return result;
}

void TextBuilder::clear() {
  text_.clear();
  links_.clear();
  pending_ = pending_line_ = link_open_ = link_started_ = false;
}

}  // namespace touchstone::extractors::internal
