#include "extractors/dump/page_scanner.hpp"

#include "common/unicode.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <utility>

namespace touchstone::extractors::dump::internal {
namespace {

constexpr std::size_t kMaxDepth = 8;       // an exporter's pages have four levels
constexpr std::size_t kMaxAttributes = 8;  // and at most five attributes

constexpr bool is_blank(char byte) noexcept {
  return byte == ' ' || byte == '\n' || byte == '\t';
}

constexpr bool is_letter(char byte) noexcept {
  return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z');
}

constexpr bool is_in_name(char byte) noexcept {
  return is_letter(byte) || (byte >= '0' && byte <= '9');
}

struct ByteKinds {
  unsigned char control = 0;  // not 0: a control character other than line feed and tab
  unsigned char all = 0;      // the bits that any byte has
};

template <std::size_t kSize>
void look_at(const char* bytes, ByteKinds& kinds) noexcept {
  ByteKinds found = kinds;
  for (std::size_t i = 0; i < kSize; ++i) {
    const auto byte = static_cast<unsigned char>(bytes[i]);
    found.control |= static_cast<unsigned char>((byte < 0x20) & (byte != '\n') & (byte != '\t'));
    found.all |= byte;
  }
  kinds = found;
}

/// In blocks, since compilers turn loops of a known length into instructions for many bytes at once.
ByteKinds byte_kinds(std::string_view text) noexcept {
  constexpr std::size_t kBlock = 128;
  ByteKinds kinds;
  std::size_t i = 0;
  for (; i + kBlock <= text.size(); i += kBlock) look_at<kBlock>(text.data() + i, kinds);
  for (; i < text.size(); ++i) look_at<1>(text.data() + i, kinds);
  return kinds;
}

/// True if there are only characters that XML allows, in UTF-8, and no carriage returns, which XML replaces.
bool is_plain(std::string_view text) noexcept {
  const ByteKinds kinds = byte_kinds(text);
  if (kinds.control != 0) return false;
  if (kinds.all < 0x80) return true;
  return is_valid_utf8(text) && text.find("\xEF\xBF\xBE") == std::string_view::npos &&
         text.find("\xEF\xBF\xBF") == std::string_view::npos;
}

/// Takes a text apart from its begin to its end. Each function returns false where the text is not what it expects.
class PageScanner {
 public:
  PageScanner(std::string_view xml, SaxHandler& handler) noexcept : rest_(xml), handler_(handler) {}

  bool run() {
    do {
      if (!scan_tag()) return false;
      if (depth_ > 0 && !scan_text()) return false;
    } while (depth_ > 0);
    return std::all_of(rest_.begin(), rest_.end(), is_blank);
  }

 private:
  bool take(char byte) noexcept {
    if (!rest_.starts_with(byte)) return false;
    rest_.remove_prefix(1);
    return true;
  }
  std::string_view take_first(std::size_t size) noexcept {
    const std::string_view first = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return first;
  }
  bool skip_blanks() noexcept {
    const std::size_t before = rest_.size();
    while (!rest_.empty() && is_blank(rest_.front())) rest_.remove_prefix(1);
    return rest_.size() < before;
  }
  std::string_view take_name() noexcept {
    if (rest_.empty() || !is_letter(rest_.front())) return {};
    const auto end = std::find_if_not(rest_.begin(), rest_.end(), is_in_name);
    return take_first(static_cast<std::size_t>(end - rest_.begin()));
  }

  bool scan_tag() {
    if (!take('<')) return false;
    return take('/') ? scan_end_tag() : scan_start_tag();
  }

  bool scan_end_tag() {
    const std::string_view name = take_name();
    if (depth_ == 0 || open_[depth_ - 1] != name) return false;
    skip_blanks();
    if (!take('>')) return false;
    --depth_;
    handler_.end(name);
    return true;
  }

  bool scan_start_tag() {
    const std::string_view name = take_name();
    if (name.empty() || depth_ == kMaxDepth) return false;
    std::size_t count = 0;
    while (skip_blanks() && !rest_.starts_with('/') && !rest_.starts_with('>')) {
      if (count == kMaxAttributes || !scan_attribute(count)) return false;
      ++count;
    }
    const bool closed = take('/');
    if (!take('>')) return false;
    handler_.start(name, Attributes(attributes_).first(count));
    if (closed) {
      handler_.end(name);
    } else {
      open_[depth_++] = name;
    }
    return true;
  }

  /// `name="value"`; of `xml:name` the name alone counts.
  bool scan_attribute(std::size_t number) {
    std::string_view name = take_name();
    if (name == "xml" && take(':')) name = take_name();
    if (name.empty() || !take('=') || !take('"')) return false;
    const std::size_t end = rest_.find('"');
    if (end == std::string_view::npos) return false;
    const std::string_view value = take_first(end);
    rest_.remove_prefix(1);
    // References and blanks are rare in attributes, and what XML does with them depends on the kind of each.
    if (value.find_first_of("<&\n\t") != std::string_view::npos) return false;
    for (std::size_t i = 0; i < number; ++i) {
      if (attributes_[i].name == name) return false;
    }
    attributes_[number] = {name, value};
    return true;
  }

  bool scan_text() {
    const std::size_t end = rest_.find('<');
    if (end == std::string_view::npos) return false;
    std::string_view text = take_first(end);
    if (text.find('>') != std::string_view::npos && text.find("]]>") != std::string_view::npos) return false;
    while (!text.empty()) {
      const std::size_t plain = std::min(text.find('&'), text.size());
      if (plain > 0) handler_.text(text.substr(0, plain));
      text.remove_prefix(plain);
      if (!text.empty() && !scan_reference(text)) return false;
    }
    return true;
  }

  bool scan_reference(std::string_view& text) {
    character_.clear();
    const std::size_t size = append_reference(text, character_);
    // A number may represent a character that XML does not allow; those are rare enough to be asked about.
    if (size == 0 || (text[1] == '#' && (!is_plain(character_) || character_ == "\uFFFD"))) return false;
    handler_.text(character_);
    text.remove_prefix(size);
    return true;
  }

  std::string_view rest_;
  SaxHandler& handler_;
  std::array<std::string_view, kMaxDepth> open_;
  std::size_t depth_ = 0;
  std::array<Attribute, kMaxAttributes> attributes_;
  std::string character_;
};

}  // namespace

std::size_t append_reference(std::string_view text, std::string& out) {
  static constexpr std::pair<std::string_view, char> kNames[] = {
      {"&amp;", '&'}, {"&lt;", '<'}, {"&gt;", '>'}, {"&quot;", '"'}, {"&apos;", '\''}};
  for (const auto& [name, character] : kNames) {
    if (!text.starts_with(name)) continue;
    out.push_back(character);
    return name.size();
  }
  if (!text.starts_with("&#")) return 0;
  const bool hex = text.substr(2).starts_with('x');
  const std::size_t begin = hex ? 3 : 2;
  std::uint32_t number = 0;
  const auto [end, error] = std::from_chars(text.data() + begin, text.data() + text.size(), number, hex ? 16 : 10);
  const auto size = static_cast<std::size_t>(end - text.data());
  if (error != std::errc() || size >= text.size() || text[size] != ';') return 0;
  append_utf8(out, static_cast<char32_t>(number));
  return size + 1;
}

bool scan_page(std::string_view xml, SaxHandler& handler) {
  return is_plain(xml) && PageScanner(xml, handler).run();
}

}  // namespace touchstone::extractors::dump::internal
