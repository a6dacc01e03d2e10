#include "formats/car/ids.hpp"

#include "common/digest.hpp"

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

}  // namespace touchstone::formats::car
