#include "extractors/html/wiki_page.hpp"

#include "extractors/html/xml_tree.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

namespace touchstone::extractors::html {
namespace {

/// Source: mediawiki.org, Specs/HTML/2.8.0; the skins of Wikimedia's wikis do not print "noprint", "metadata" marks
/// boxes for editors, and "mbox-small" those that lead to other sites or offer a sound.
constexpr std::array<std::string_view, 20> kClasses = {
    "mw-ref", "mw-references-wrap", "mw-references",   "references",   "reflist",    "mw-editsection", "noprint",
    "navbox", "navbox-styles",      "vertical-navbox", "hatnote",      "dablink",    "metadata",       "ambox",
    "toc",    "catlinks",           "gallerycaption",  "mw-empty-elt", "mbox-small", "zim-footer"};

/// Extensions whose elements show no running text.
constexpr std::array<std::string_view, 8> kTypes = {
    "mw:Extension/ref",      "mw:Extension/references",     "mw:Extension/timeline", "mw:Extension/inputbox",
    "mw:Extension/mapframe", "mw:Extension/templatestyles", "mw:Extension/graph",    "mw:Extension/score"};

/// How mwoffliner draws the note at the end of each page; its words differ by language. Source: files of 2015 to 2021.
constexpr std::string_view kFooterStyle = "border-top: dashed 2px #AAAAAA";

}  // namespace

const xmlNode* wiki_content(const xmlNode* body) {
  return find_below(body, [](const xmlNode* node) { return attribute(node, "id") == "mw-content-text"; });
}

bool is_aside_of_wiki(const xmlNode* element) {
  if (element->properties == nullptr) return false;
  if (std::any_of(kClasses.begin(), kClasses.end(), [&](auto name) { return has_class(element, name); })) return true;
  if (std::any_of(kTypes.begin(), kTypes.end(), [&](auto name) { return has_word(element, "typeof", name); })) {
    return true;
  }
  const auto id = attribute(element, "id");
  if (id == "coordinates") return true;
  const auto name = element_name(element);
  if (name == "sup") return id.starts_with("cite_ref");  // mwoffliner took the class away
  return name == "div" && attribute(element, "style").find(kFooterStyle) != std::string::npos;
}

bool is_gallery_box(const xmlNode* node) {
  return element_name(node) == "li" && has_class(node, "gallerybox");
}

bool is_figure(const xmlNode* node) {
  const bool is_box = element_name(node) == "div" && (has_class(node, "figure") || has_class(node, "thumbinner"));
  return is_box || element_name(node) == "figure";
}

}  // namespace touchstone::extractors::html
