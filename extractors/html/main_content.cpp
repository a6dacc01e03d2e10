#include "extractors/html/main_content.hpp"

#include "common/unicode.hpp"
#include "extractors/html/xml_tree.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace touchstone::extractors::html {
namespace {

constexpr double kShareOfText = 0.9;     // of the body's text, which the main content keeps
constexpr double kShareOfLinks = 0.7;    // of the letters of a box that is navigation
constexpr std::size_t kLinksOfMenu = 3;  // at least so many, since a sentence may be one link

template <std::size_t n>
bool is_one_of(std::string_view name, const std::array<std::string_view, n>& names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

constexpr std::array<std::string_view, 19> kUnshown = {
    "script", "style", "noscript", "template", "head",  "iframe", "object", "embed", "canvas",  "audio",
    "video",  "svg",   "input",    "select",   "title", "meta",   "link",   "map",   "textarea"};
constexpr std::array<std::string_view, 6> kFrame = {"nav", "footer", "form", "search", "button", "dialog"};
constexpr std::array<std::string_view, 6> kFrameRoles = {"navigation",  "search", "banner",
                                                         "contentinfo", "menu",   "complementary"};
constexpr std::array<std::string_view, 7> kBoxes = {"div", "ul", "ol", "table", "aside", "header", "section"};

struct TextShare {
  std::size_t text = 0, linked = 0, links = 0, headings = 0;
};

void measure(const xmlNode* node, bool in_link, int depth, TextShare& share) {
  for (const auto* child = node->children; child != nullptr && depth < kMaxDepth; child = child->next) {
    if (child->type == XML_TEXT_NODE && child->content != nullptr) {
      std::size_t letters = 0;
      for (const auto* c = child->content; *c != 0; ++c) letters += *c > ' ' ? 1 : 0;
      share.text += letters;
      if (in_link) share.linked += letters;
    } else if (child->type == XML_ELEMENT_NODE && !is_unshown(child)) {
      const auto name = element_name(child);
      const bool link = name == "a" && !attribute(child, "href").empty();
      if (link) ++share.links;
      if (name.size() == 2 && name[0] == 'h' && name[1] >= '1' && name[1] <= '6') ++share.headings;
      measure(child, in_link || link, depth + 1, share);
    }
  }
}

TextShare measured(const xmlNode* node) {
  TextShare share;
  measure(node, false, 0, share);
  return share;
}

std::size_t own_text(const TextShare& share) {
  return share.text - share.linked;
}

/// Whether the content of a page may be inside the element. Tables with headers or a caption hold data.
bool may_frame(const xmlNode* node) {
  const auto name = element_name(node);
  if (name == "table") return find_element(node, "th") == nullptr && find_element(node, "caption") == nullptr;
  return name == "div" || name == "section" || name == "tbody" || name == "tr" || name == "td" || name == "center";
}

/// Whether an element is a part of a table that holds no text itself: content that spreads over several cells is the
/// table.
bool is_between_cells(const xmlNode* node) {
  const auto name = element_name(node);
  return name == "table" || name == "tbody" || name == "tr";
}

/// Whether most of the text of an element is that of several links.
bool is_linked(const xmlNode* element) {
  const auto share = measured(element);
  return share.links >= kLinksOfMenu &&
         static_cast<double>(share.linked) > kShareOfLinks * static_cast<double>(share.text);
}

}  // namespace

bool is_unshown(const xmlNode* element) {
  if (is_one_of(element_name(element), kUnshown)) return true;
  for (const auto* entry = element->properties; entry != nullptr; entry = entry->next) {
    const std::string_view name(reinterpret_cast<const char*>(entry->name));
    if (name == "hidden") return true;
    if (name == "aria-hidden" && attribute(element, name) == "true") return true;
    if (name != "style") continue;
    auto style = attribute(element, name);
    style.erase(std::remove(style.begin(), style.end(), ' '), style.end());
    if (style.find("display:none") != std::string::npos) return true;
  }
  return false;
}

bool is_navigation(const xmlNode* element, bool inside_main) {
  const auto name = element_name(element);
  if (is_one_of(name, kFrame) || is_one_of(attribute(element, "role"), kFrameRoles)) return true;
  if (name == "div" && (attribute(element, "id") == "footer" || attribute(element, "class") == "footer")) return true;
  if (has_class(element, "toctree-wrapper")) return measured(element).headings == 0;  // Sphinx may put the book in it
  if (!is_one_of(name, kBoxes) || (inside_main && name != "aside")) return false;
  return is_linked(element);
}

std::string language_of(const xmlNode* content) {
  const xmlNode* first = content->children;
  while (first != nullptr && first->type != XML_ELEMENT_NODE) first = first->next;
  for (const auto* node = first != nullptr ? first : content; node != nullptr; node = node->parent) {
    if (node->type != XML_ELEMENT_NODE) break;
    if (auto language = attribute(node, "lang"); !language.empty()) return repair_utf8(language);
  }
  return "";
}

const xmlNode* main_content(const xmlNode* body) {
  const auto is_main = [](const xmlNode* node) {
    return element_name(node) == "main" || attribute(node, "role") == "main";
  };
  if (const auto* marked = find_below(body, is_main)) return marked;
  std::size_t articles = 0;
  find_below(body, [&](const xmlNode* node) { return element_name(node) == "article" && ++articles == 2; });
  if (articles == 1) return find_element(body, "article");
  const auto* chosen = body;
  auto whole = measured(body);
  for (int depth = 0; depth < kMaxDepth; ++depth) {
    const xmlNode* next = nullptr;
    for (const auto* child = chosen->children; child != nullptr; child = child->next) {
      if (!may_frame(child)) continue;
      const auto share = measured(child);
      const bool most = static_cast<double>(own_text(share)) >= kShareOfText * static_cast<double>(own_text(whole));
      if (own_text(share) > 0 && most && share.headings == whole.headings) next = child;
    }
    if (next == nullptr) break;
    chosen = next;
  }
  while (chosen != body && is_between_cells(chosen)) chosen = chosen->parent;
  return chosen;
}

}  // namespace touchstone::extractors::html
