#include "extractors/html/terms.hpp"

#include "common/unicode.hpp"
#include "extractors/html/page_builder.hpp"
#include "extractors/html/xml_tree.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

namespace touchstone::extractors::html {
namespace {

/// Whether an element is marked as part of a book, by DPUB-ARIA or EPUB.
bool is_marked(const xmlNode* node, const std::string& as) {
  return has_word(node, "role", "doc-" + as) || has_word(node, "epub:type", as);
}

bool is_sphinx_index(const xmlNode* node) {
  return element_name(node) == "table" && has_class(node, "genindextable");
}

bool is_index(const xmlNode* node) {
  return is_marked(node, "index") || is_sphinx_index(node);
}

bool is_list(std::string_view name) {
  return name == "ul" || name == "ol" || name == "dl";
}

/// The text of a node without what links to itself, classifiers, and the elements that `is_left_out` names.
template <class IsLeftOut>
void add_text(const xmlNode* node, const IsLeftOut& is_left_out, int depth, InlineText& text) {
  for (const auto* child = node->children; child != nullptr && depth < kMaxDepth; child = child->next) {
    if (const char* written = text_of(child)) text.append(written);
    if (child->type != XML_ELEMENT_NODE || has_class(child, "classifier") || is_left_out(child)) continue;
    if (element_name(child) != "a" || !is_permalink(child)) add_text(child, is_left_out, depth + 1, text);
  }
}

std::string bounded(std::string term) {
  return term.size() > kMaxTermBytes || is_invisible(term) ? std::string() : std::move(term);
}

bool is_number(std::string_view text) {
  return text.find_first_not_of("0123456789-,;.:[]()ivxlcIVXLCfn \u2013") == std::string_view::npos;
}

/// The term of an entry: its text without lists below it, links whose text is the number of a page, and what parts it
/// from these.
std::string term_of_entry(const xmlNode* entry) {
  const auto* marked = find_below(entry, [](const xmlNode* node) { return has_word(node, "epub:type", "index-term"); });
  InlineText text;
  add_text(
      marked != nullptr ? marked : entry,
      [](const xmlNode* node) {
        return is_list(element_name(node)) || (element_name(node) == "a" && is_number(text_below(node)));
      },
      0, text);
  auto term = text.take().text;
  const auto last = term.find_last_not_of("0123456789 ,;:.\u2013-");
  term.resize(last == std::string::npos ? 0 : last + 1);
  return bounded(std::move(term));
}

/// Whether an entry of Sphinx names a part of a program. It states its kind in parentheses.
bool is_code(std::string_view term) {
  if (term.find_first_of("_()") != std::string_view::npos) return true;
  const auto point = term.find('.');
  return point != std::string_view::npos && point + 1 < term.size() && term[point + 1] != ' ';
}

class IndexReader {
 public:
  explicit IndexReader(std::vector<IndexEntry>& entries) : entries_(entries) {}

  void read(const xmlNode* node, bool in_index, bool is_sphinx, int depth) {
    for (const auto* child = node->children; child != nullptr && depth < kMaxDepth; child = child->next) {
      const auto name = element_name(child);
      if (in_index && (name == "li" || name == "dt")) {
        entry(child, is_sphinx);
      } else if (!name.empty()) {
        read(child, in_index || is_index(child), is_sphinx || is_sphinx_index(child), depth + 1);
      }
    }
  }

 private:
  void entry(const xmlNode* node, bool is_sphinx) {
    const auto term = term_of_entry(node);
    if (term.empty() || (is_sphinx && is_code(term))) return;
    add_places(node, term, is_sphinx, 0);
  }

  void add_places(const xmlNode* node, const std::string& term, bool is_sphinx, int depth) {
    for (const auto* child = node->children; child != nullptr && depth < kMaxDepth; child = child->next) {
      if (element_name(child) == "a" && !(is_sphinx && is_code(text_below(child)))) {
        auto href = attribute(child, "href");
        if (!href.empty() && entries_.size() < kMaxIndexEntries) entries_.push_back({term, std::move(href)});
      } else if (child->type == XML_ELEMENT_NODE) {
        add_places(child, term, is_sphinx, depth + 1);
      }
    }
  }

  std::vector<IndexEntry>& entries_;
};

bool is_within_index(const xmlNode* node) {
  for (; node != nullptr && node->type == XML_ELEMENT_NODE; node = node->parent) {
    if (is_index(node)) return true;
  }
  return false;
}

bool is_within_glossary(const xmlNode* node) {
  for (; node != nullptr && node->type == XML_ELEMENT_NODE; node = node->parent) {
    if (is_glossary(node)) return true;
  }
  return false;
}

/// Bytes of text below the outermost elements that `matches` names.
template <class Matches>
std::size_t text_in(const xmlNode* node, const Matches& matches, int depth = 0) {
  std::size_t bytes = 0;
  for (const auto* child = node->children; child != nullptr && depth < kMaxDepth; child = child->next) {
    if (child->type != XML_ELEMENT_NODE) continue;
    bytes += matches(child) ? text_below(child).size() : text_in(child, matches, depth + 1);
  }
  return bytes;
}

}  // namespace

bool is_glossary(const xmlNode* node) {
  return is_marked(node, "glossary") || (element_name(node) == "dl" && has_class(node, "glossary"));
}

bool is_term_reference(const xmlNode* link) {
  if (is_marked(link, "glossref")) return true;
  const auto* child = link->children;
  return child != nullptr && child->next == nullptr && has_class(child, "std-term");
}

std::string term_of(const xmlNode* node) {
  if (element_name(node) == "dfn") {
    auto title = bounded(attribute(node, "title"));
    if (!title.empty()) return title;
  }
  InlineText text;
  add_text(
      node, [](const xmlNode*) { return false; }, 0, text);
  return bounded(text.take().text);
}

bool is_permalink(const xmlNode* link) {
  const auto text = text_below(link);
  if (!attribute(link, "href").starts_with('#') || count_code_points(text) > 2) return false;
  std::size_t at = 0;
  const char32_t first = text.empty() ? 0 : next_code_point(text, at);
  const bool is_icon = first >= 0xE000 && first <= 0xF8FF;  // of a font of its own
  return text.empty() || is_icon || text == "\u00B6" || text == "#" || text == "\u00A7" || text == "\U0001F517";
}

PagePart part_of(const xmlNode* content) {
  if (is_within_index(content)) return PagePart::kIndex;
  if (is_within_glossary(content)) return PagePart::kGlossary;
  const auto half = text_below(content).size() / 2;
  if (half == 0) return PagePart::kText;
  if (text_in(content, is_index) > half) return PagePart::kIndex;
  return text_in(content, is_glossary) > half ? PagePart::kGlossary : PagePart::kText;
}

std::vector<IndexEntry> index_entries(const xmlNode* content) {
  std::vector<IndexEntry> entries;
  IndexReader(entries).read(content, is_within_index(content), false, 0);
  return entries;
}

}  // namespace touchstone::extractors::html
