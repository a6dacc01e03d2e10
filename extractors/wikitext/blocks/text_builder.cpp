#include "extractors/wikitext/blocks/text_builder.hpp"

#include "common/unicode.hpp"
#include "extractors/scan/byte_scan.hpp"
#include "extractors/scan/entities.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace touchstone::extractors::wikitext::blocks::internal {
using namespace scan;
using tokens::FoundLink;
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

Link& add_link(std::vector<Link>& links, FoundLink& found) {
  Link& link = links.emplace_back();
  link.target = std::move(found.target);
  // Most have none, and moving a short string is a call.
  if (!found.fragment.empty()) link.fragment = std::move(found.fragment);
  link.origin = found.made ? LinkOrigin::kTemplate : LinkOrigin::kText;
  return link;
}

/// Where text of at most `bytes` bytes can be written, with some bytes to spare.
inline char* TextBuilder::make_room(std::size_t bytes) {
  const std::size_t needed = size_ + bytes + kCopyPadding;
  if (needed > memory_.size()) memory_.resize(2 * needed);
  return memory_.data() + size_;
}

/// The same, behind the white space that waits; the open link begins here if it has no text yet.
inline char* TextBuilder::start_words(std::size_t bytes) {
  char* out = make_room(bytes + 1);
  if (pending_) {
    *out++ = pending_line_ ? '\n' : ' ';
    ++size_;
    pending_ = false;
  }
  pending_line_ = false;
  if (link_open_ && !link_started_) {
    link_started_ = true;
    link_begin_ = static_cast<std::uint32_t>(size_);
  }
  return out;
}

void TextBuilder::put(std::string_view chunk) {
  if (chunk.empty()) return;
  chunk.copy(start_words(chunk.size()), chunk.size());
  size_ += chunk.size();
  other_than_ascii_ = true;  // not looked at
}

/// Appends the white space or character reference at the start of `text`. Gives the bytes that were read, 0 when none
/// is there.
std::size_t TextBuilder::put_special(std::string_view text) {
  switch (kind_of(text.front())) {
    case kBlank:
      pending_line_ = pending_line_ || (keep_lines_ && text.front() == '\n');
      space();
      return 1;
    case kLead:
      if (text.size() < 2 || static_cast<unsigned char>(text[1]) != 0xA0) return 0;
      space();
      return 2;
    case kAmpersand: {
      std::string decoded;
      const std::size_t read = decode_reference(text, decoded);
      if (read != 0) append_literal(decoded);
      return read;
    }
    default:
      return 0;
  }
}

void TextBuilder::append(std::string_view text) {
  while (!text.empty()) {
    std::size_t read = kind_of(text.front()) == kOther ? 0 : put_special(text);
    if (read == 0) {
      char* out = start_words(text.size());
      read = copy_words(text, out, other_than_ascii_);
      size_ += read;
      if (out[read - 1] == ' ') {
        --size_;
        space();
      }
    }
    text.remove_prefix(read);
  }
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

void TextBuilder::end_link(std::uint32_t number) {
  const auto end = static_cast<std::uint32_t>(size_);
  links_.push_back({number, link_started_ ? link_begin_ : end, end});
  link_open_ = link_started_ = false;
}

void TextBuilder::append_rich(const RichText& part, std::vector<FoundLink>& found) {
  space();
  if (part.text.empty() && part.links.empty()) return;
  if (!part.text.empty()) put(part.text);
  const auto base = static_cast<std::uint32_t>(size_ - part.text.size());
  ByteCounter bytes(part.text);
  for (const Link& link : part.links) {
    const std::uint32_t begin = base + static_cast<std::uint32_t>(bytes.at_code_point(link.begin));
    const std::uint32_t end = base + static_cast<std::uint32_t>(bytes.at_code_point(link.end));
    links_.push_back({static_cast<std::uint32_t>(found.size()), begin, end});
    FoundLink& again = found.emplace_back();
    again.target = link.target;
    again.fragment = link.fragment;
    again.made = link.origin == LinkOrigin::kTemplate;
  }
  space();
}

RichText TextBuilder::take(std::vector<FoundLink>& found) {
  RichText result{std::string(text()), {}};  // a copy, so that the memory serves the next text, too
  if (!links_.empty()) {
    result.links.reserve(links_.size());
    for (const ShownLink& shown : links_) {
      Link& link = add_link(result.links, found[shown.number]);
      link.begin = shown.begin;
      link.end = shown.end;
    }
    if (other_than_ascii_ && !is_ascii(result.text)) {
      CodePointCounter counter(result.text);
      for (Link& link : result.links) {
        link.begin = counter.at_byte(link.begin);
        link.end = counter.at_byte(link.end);
      }
    }
  }
  clear();
  return result;
}

std::vector<std::uint32_t> TextBuilder::gaps() const {
  std::vector<std::uint32_t> places;
  CodePointCounter counter(text());
  for (const std::uint32_t gap : gaps_) places.push_back(counter.at_byte(std::min<std::size_t>(gap, size_)));
  return places;
}

void TextBuilder::clear() {
  size_ = 0;
  gaps_.clear();
  links_.clear();
  pending_ = pending_line_ = link_open_ = link_started_ = other_than_ascii_ = false;
}

}  // namespace touchstone::extractors::wikitext::blocks::internal
