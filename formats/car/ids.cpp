#include "formats/car/ids.hpp"

#include "common/digest.hpp"

#include <utility>

namespace touchstone::formats::car {
namespace {

bool is_letter_or_digit(char c) noexcept {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

/// The characters without a meaning of their own in a URI. Source: RFC 3986, section 2.3.
bool is_unreserved(char c) noexcept {
  return is_letter_or_digit(c) || c == '-' || c == '_' || c == '.' || c == '~';
}

/// Unreserved and reserved characters, and the percent sign. Source: RFC 3986, section 2.2.
bool may_stand_in_uri(char c) noexcept {
  return is_unreserved(c) || (c != '\0' && std::string_view(":/?#[]@!$&'()*+,;=%").find(c) != std::string_view::npos);
}

template <class Kept>
void append_escaped(std::string& out, std::string_view text, Kept kept) {
  constexpr char kDigits[] = "0123456789ABCDEF";
  for (const char c : text) {
    if (kept(c)) {
      out += c;
      continue;
    }
    const auto byte = static_cast<unsigned char>(c);
    out += '%';
    out += kDigits[byte >> 4];
    out += kDigits[byte & 15];
  }
}

int digit_value(char c) noexcept {
  if (c >= '0' && c <= '9') return c - '0';
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/// The text that `append_escaped` turns into `escaped`; nothing if there is none.
template <class Kept>
std::optional<std::string> unescape_exactly(std::string_view escaped, Kept kept) {
  std::string text;
  for (std::size_t at = 0; at < escaped.size(); ++at) {
    char c = escaped[at];
    if (c != '%') {
      if (!kept(c)) return std::nullopt;
      text += c;
      continue;
    }
    if (at + 2 >= escaped.size()) return std::nullopt;
    const int high = digit_value(escaped[at + 1]);
    const int low = digit_value(escaped[at + 2]);
    if (high < 0 || low < 0) return std::nullopt;
    c = static_cast<char>(high * 16 + low);
    if (kept(c)) return std::nullopt;
    text += c;
    at += 2;
  }
  return text;
}

bool is_unreserved_or_colon(char c) noexcept {
  return is_unreserved(c) || c == ':';
}

std::string_view body_text(const ParagraphBody& body) {
  const auto* link = std::get_if<Link>(&body);
  return link != nullptr ? std::string_view(link->anchor) : std::string_view(std::get<std::string>(body));
}

}  // namespace

std::string page_id(std::string_view site, std::string_view title) {
  std::string id;
  if (!site.empty()) {
    append_escaped(id, site, may_stand_in_uri);
    id += ':';
  }
  append_escaped(id, title, may_stand_in_uri);
  return id;
}

std::string heading_id(std::string_view heading) {
  std::string id;
  append_escaped(id, heading, may_stand_in_uri);
  return id;
}

std::string section_path_id(std::string_view page_id, std::span<const std::string> heading_ids) {
  std::string id(page_id);
  for (const auto& heading : heading_ids) {
    id += '/';
    id += heading;
  }
  return id;
}

std::string paragraph_id(std::span<const ParagraphBody> bodies) {
  std::string text;
  for (const auto& body : bodies) text += body_text(body);
  return sha1_hex(text);
}

std::string paragraph_text(const Paragraph& paragraph) {
  std::string text;
  for (const auto& body : paragraph.bodies) text += body_text(body);
  return text;
}

std::string unambiguous_id(const SectionName& name) {
  std::string id;
  if (name.site.empty()) {
    append_escaped(id, name.title, is_unreserved);
  } else {
    id = name.site + ':';
    append_escaped(id, name.title, is_unreserved_or_colon);
  }
  for (const auto& heading : name.headings) {
    id += '/';
    append_escaped(id, heading, is_unreserved);
  }
  return id;
}

std::optional<SectionName> parse_unambiguous_id(std::string_view id) {
  SectionName name;
  std::string_view title = id.substr(0, id.find('/'));
  std::string_view rest = id.substr(title.size());
  const auto colon = title.find(':');
  if (colon != std::string_view::npos) {
    name.site = title.substr(0, colon);
    title.remove_prefix(colon + 1);
    for (const char c : name.site) {
      if (!is_unreserved(c)) return std::nullopt;
    }
    if (name.site.empty()) return std::nullopt;
  }
  auto unescaped =
      name.site.empty() ? unescape_exactly(title, is_unreserved) : unescape_exactly(title, is_unreserved_or_colon);
  if (!unescaped) return std::nullopt;
  name.title = std::move(*unescaped);
  while (!rest.empty()) {
    rest.remove_prefix(1);
    const auto heading = rest.substr(0, rest.find('/'));
    rest.remove_prefix(heading.size());
    auto text = unescape_exactly(heading, is_unreserved);
    if (!text) return std::nullopt;
    name.headings.push_back(std::move(*text));
  }
  return name;
}

}  // namespace touchstone::formats::car
