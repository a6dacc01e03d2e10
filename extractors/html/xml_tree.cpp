#include "extractors/html/xml_tree.hpp"

#include "common/unicode.hpp"
#include "extractors/html/math_text.hpp"
#include "extractors/html/page_builder.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <utility>

#include <fmt/format.h>
#include <iconv.h>
#include <libxml/HTMLparser.h>
#include <libxml/parser.h>
#include <libxml/xmlerror.h>

namespace touchstone::extractors::html {
namespace {

constexpr std::size_t kDeclarationBytes = 4096;  // a declaration is among the first bytes
constexpr const char* kDefault = "WINDOWS-1252";

/// An open conversion to UTF-8.
class Converter {
 public:
  explicit Converter(const char* charset) : handle_(::iconv_open("UTF-8", charset)) {}
  ~Converter() {
    if (known()) ::iconv_close(handle_);
  }
  Converter(const Converter&) = delete;
  Converter& operator=(const Converter&) = delete;

  bool known() const noexcept { return reinterpret_cast<std::intptr_t>(handle_) != -1; }

  std::string convert(std::string_view bytes) {
    std::string out;
    std::array<char, 8192> piece{};
    auto* from = const_cast<char*>(bytes.data());  // iconv does not write there
    std::size_t left = bytes.size();
    while (left > 0) {
      char* to = piece.data();
      std::size_t room = piece.size();
      const auto result = ::iconv(handle_, &from, &left, &to, &room);
      const int error = errno;
      out.append(piece.data(), piece.size() - room);
      if (result != static_cast<std::size_t>(-1) || error == E2BIG) continue;
      append_utf8(out, kReplacementCharacter);
      if (error == EINVAL) break;  // the text ends within a character
      ++from;
      --left;
    }
    return out;
  }

 private:
  iconv_t handle_;
};

bool is_name_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_' || c == '.' || c == ':';
}

/// The name behind `charset=` or `encoding=`; empty where nothing is declared.
std::string declared_charset(std::string_view bytes) {
  std::string head(bytes.substr(0, kDeclarationBytes));
  std::transform(head.begin(), head.end(), head.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  for (const std::string_view word : {"charset", "encoding"}) {
    for (auto at = head.find(word); at != std::string::npos; at = head.find(word, at + 1)) {
      at = head.find_first_not_of(" \t\r\n", at + word.size());
      if (at == std::string::npos) break;
      if (head[at] != '=') continue;
      at = head.find_first_not_of(" \t\r\n\"'", at + 1);
      if (at == std::string::npos) break;
      auto end = at;
      while (end < head.size() && is_name_character(head[end])) ++end;
      if (end > at && end - at < 40) return head.substr(at, end - at);
    }
  }
  return {};
}

/// Browsers read latin-1 and ASCII as windows-1252.
bool means_windows_1252(std::string_view name) {
  return name == "iso-8859-1" || name == "latin1" || name == "latin-1" || name == "us-ascii" || name == "ascii";
}

std::string_view view(const xmlChar* text) noexcept {
  return text == nullptr ? std::string_view() : std::string_view(reinterpret_cast<const char*>(text));
}

void add_text(const xmlNode* node, int depth, InlineText& text) {
  if (depth > kMaxDepth) return;
  for (const auto* child = node->children; child != nullptr; child = child->next) {
    if (const char* written = text_of(child)) text.append(written);
    if (child->type != XML_ELEMENT_NODE) continue;
    if (element_name(child) == "math") {
      text.append(math_text(child));
    } else {
      add_text(child, depth + 1, text);
    }
  }
}

/// The kind of UTF-16 without a byte order mark; null for other bytes. Markup is ASCII for the most part, so that every
/// other byte is zero.
const char* utf16_without_mark(std::string_view bytes) {
  constexpr std::size_t kLooked = 64;
  const auto head = bytes.substr(0, kLooked);
  std::array<std::size_t, 2> zeros{};
  for (std::size_t i = 0; i < head.size(); ++i) zeros[i % 2] += head[i] == '\0' ? 1 : 0;
  const auto most = head.size() / 2;
  if (most < 4 || zeros[0] + zeros[1] < most * 3 / 4) return nullptr;
  if (zeros[0] == 0) return "UTF-16LE";
  return zeros[1] == 0 ? "UTF-16BE" : nullptr;
}

/// Takes what a document type declares inside of brackets out of a page: libxml2's reader of HTML would show it as
/// text. What refers to an entity that is declared there stays as it is written.
void leave_out_declarations(std::string& page) {
  const auto begin = page.find("<!DOCTYPE");
  if (begin > kDeclarationBytes) return;
  const auto bracket = page.find_first_of("[>", begin);
  if (bracket == std::string::npos || page[bracket] == '>') return;
  auto end = page.find(']', bracket);
  for (; end != std::string::npos; end = page.find(']', end + 1)) {
    const auto next = page.find_first_not_of(" \t\r\n", end + 1);
    if (next == std::string::npos || page[next] == '>') break;
  }
  if (end != std::string::npos) page.erase(bracket, end + 1 - bracket);
}

struct FreeParser {
  void operator()(xmlParserCtxt* parser) const noexcept { xmlFreeParserCtxt(parser); }
};

}  // namespace

std::string as_utf8(std::string_view bytes) {
  if (bytes.starts_with("\xEF\xBB\xBF")) return repair_utf8(bytes.substr(3));
  if (bytes.starts_with("\xFF\xFE")) return Converter("UTF-16LE").convert(bytes.substr(2));
  if (bytes.starts_with("\xFE\xFF")) return Converter("UTF-16BE").convert(bytes.substr(2));
  if (const char* charset = utf16_without_mark(bytes)) return Converter(charset).convert(bytes);
  if (is_valid_utf8(bytes)) return std::string(bytes);
  const auto name = declared_charset(bytes);
  const bool eight_bits = !name.starts_with("utf") && !name.starts_with("ucs");
  if (!name.empty() && eight_bits && !means_windows_1252(name)) {
    Converter converter(name.c_str());
    if (converter.known()) return converter.convert(bytes);
  }
  // A few stray bytes in a text of UTF-8 are not another charset.
  auto repaired = repair_utf8(bytes);
  const auto is_letter = [](unsigned char c) { return c >= 0xC2 && c < 0xF5; };
  std::size_t damaged = 0, letters = 0;
  for (std::size_t at = 0; at < repaired.size();) {
    const bool lead = is_letter(static_cast<unsigned char>(repaired[at]));
    const auto c = next_code_point(repaired, at);
    if (c == kReplacementCharacter) {
      ++damaged;
    } else if (lead) {
      ++letters;
    }
  }
  if (letters > damaged * 4) return repaired;
  return Converter(kDefault).convert(bytes);
}

XmlTree parse_html(std::string_view bytes) {
  auto text = as_utf8(bytes);
  leave_out_declarations(text);
  std::unique_ptr<xmlParserCtxt, FreeParser> parser(htmlNewParserCtxt());
  if (!parser) return nullptr;
  constexpr int kOptions =
      HTML_PARSE_RECOVER | HTML_PARSE_NOERROR | HTML_PARSE_NOWARNING | HTML_PARSE_NONET | HTML_PARSE_IGNORE_ENC;
  return XmlTree(
      htmlCtxtReadMemory(parser.get(), text.data(), static_cast<int>(text.size()), nullptr, "UTF-8", kOptions));
}

XmlTree parse_xml(std::string_view bytes, std::string& problem) {
  std::unique_ptr<xmlParserCtxt, FreeParser> parser(xmlNewParserCtxt());
  if (!parser) return nullptr;
  // Entities stay references, and no DTD is loaded: XML_PARSE_NOENT and XML_PARSE_DTDLOAD are not set.
  constexpr int kOptions = XML_PARSE_NOERROR | XML_PARSE_NOWARNING | XML_PARSE_NONET;
  XmlTree tree(
      xmlCtxtReadMemory(parser.get(), bytes.data(), static_cast<int>(bytes.size()), nullptr, nullptr, kOptions));
  if (!tree) {
    const auto* error = xmlCtxtGetLastError(parser.get());
    std::string why = error != nullptr && error->message != nullptr ? error->message : "no element";
    while (!why.empty() && (why.back() == '\n' || why.back() == ' ')) why.pop_back();
    problem = fmt::format("line {}: {}", error != nullptr ? error->line : 1, repair_utf8(why));
    return nullptr;
  }
  if (tree->intSubset != nullptr && tree->intSubset->entities != nullptr) {
    problem = "it declares entities, which are never expanded";
    return nullptr;
  }
  return tree;
}

std::string_view element_name(const xmlNode* node) noexcept {
  if (node == nullptr || node->type != XML_ELEMENT_NODE) return {};
  const auto name = view(node->name);
  // The reader of HTML leaves prefixes in names. Books have them in front of MathML.
  return name.starts_with("m:") ? name.substr(2) : name.starts_with("mml:") ? name.substr(4) : name;
}

std::string attribute(const xmlNode* node, std::string_view name) {
  if (node == nullptr || node->type != XML_ELEMENT_NODE) return {};
  for (const auto* entry = node->properties; entry != nullptr; entry = entry->next) {
    if (view(entry->name) != name) continue;
    std::string text;
    for (const auto* part = entry->children; part != nullptr; part = part->next) {
      if (part->type == XML_TEXT_NODE) text += view(part->content);
    }
    return repair_utf8(text);
  }
  return {};
}

bool has_word(const xmlNode* node, std::string_view name, std::string_view word) {
  const auto text = attribute(node, name);
  for (std::size_t at = 0; (at = text.find(word, at)) != std::string::npos; ++at) {
    const bool begins = at == 0 || text[at - 1] == ' ' || text[at - 1] == '\n';
    const auto end = at + word.size();
    if (begins && (end == text.size() || text[end] == ' ' || text[end] == '\n')) return true;
  }
  return false;
}

std::string text_below(const xmlNode* node) {
  InlineText text;
  if (node != nullptr) add_text(node, 0, text);
  return text.take().text;
}

const xmlNode* find_element(const xmlNode* node, std::string_view name) {
  return node == nullptr ? nullptr
                         : find_below(node, [&](const xmlNode* child) { return element_name(child) == name; });
}

}  // namespace touchstone::extractors::html
