#include "common/unicode.hpp"
#include "extractors/html/math_text.hpp"
#include "extractors/html/terms.hpp"
#include "extractors/html/xml_tree.hpp"
#include "extractors/textbook/book.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace touchstone::extractors::textbook {
namespace {

using namespace html;

/// Goes over the elements of a module.
class ModuleReader {
 public:
  ModuleReader(CnxmlModule& module, const html::LinkResolver& links, const CnxmlOptions& options)
      : module_(module), links_(links), options_(options) {}

  void read(const xmlNode* root) {
    for (const auto* child = root->children; child != nullptr; child = child->next) {
      const auto name = element_name(child);
      if (name == "content") parts(child, 0);
      if (name == "glossary") glossary(child);
    }
    builder_.flush();
    module_.document = std::move(builder_).take();
  }

 private:
  /// What is in the content or in a section: first what belongs to no inner section, wherever it stands, since a
  /// Document has no way back from a section to the one around it.
  void parts(const xmlNode* node, int depth, const xmlNode* title = nullptr) {
    if (is_too_deep(depth)) return;
    for (const auto* child = node->children; child != nullptr; child = child->next) {
      if (const char* text = html::text_of(child))
        builder_.text().append(text);
      else if (child->type == XML_ELEMENT_NODE && child != title && !is_headed(child))
        element(child, depth + 1);
    }
    builder_.flush();
    for (const auto* child = node->children; child != nullptr; child = child->next)
      if (is_headed(child)) section(child, depth + 1);
  }

  bool is_too_deep(int depth) {
    if (depth <= html::kMaxDepth) return false;
    ++builder_.document().counters.limits_hit;
    return true;
  }

  static const xmlNode* title_of(const xmlNode* section) {
    const xmlNode* child = section->children;
    while (child != nullptr && element_name(child) != "title") child = child->next;
    return child;
  }

  /// Whether it is a section with a title of its own or a class, which tells what it is: "learning-objectives".
  static bool is_headed(const xmlNode* node) {
    if (element_name(node) != "section") return false;
    const auto* title = title_of(node);
    return (title != nullptr && !is_invisible(html::text_below(title))) || !attribute(node, "class").empty();
  }

  void children(const xmlNode* node, int depth) {
    if (is_too_deep(depth)) return;
    for (const auto* child = node->children; child != nullptr; child = child->next) {
      if (const char* text = html::text_of(child)) {
        builder_.text().append(text);
      } else if (child->type == XML_ELEMENT_NODE) {
        element(child, depth + 1);
      }
    }
  }

  void block(const xmlNode* node, int depth) {
    builder_.flush();
    children(node, depth);
    builder_.flush();
  }

  void element(const xmlNode* node, int depth) {
    const auto name = element_name(node);
    if (name == "section") return unheaded_section(node, depth);
    if (name == "para") {
      ++module_.counts.paragraphs;
      return block(node, depth);
    }
    if (name == "exercise" || name == "problem") return aside(node, options_.exercises, depth);
    if (name == "solution" || name == "commentary") return aside(node, options_.solutions, depth);
    if (name == "list") return list(node, depth);
    if (name == "figure") return figure(node, depth);
    if (name == "table") return table(node, depth);
    if (name == "link") return link(node, depth);
    if (name == "term") return term(node, depth);
    if (name == "media" || name == "metadata") return;
    if (name == "math") return builder_.text().append(html::math_text(node));
    if (name == "newline" || name == "space") return builder_.text().blank();
    if (name == "title" || name == "note" || name == "quote" || name == "example" || name == "equation" ||
        name == "definition" || name == "meaning" || name == "rule" || name == "statement" || name == "proof") {
      return block(node, depth);
    }
    children(node, depth);
  }

  void section(const xmlNode* node, int depth) {
    ++module_.counts.sections;
    builder_.flush();
    if (!options_.summaries && attribute(node, "class") == "summary") return leave_out(node);
    const auto* title = title_of(node);
    RichText heading;
    if (title != nullptr) heading = inline_content(title, depth);
    if (is_invisible(heading.text)) heading = heading_of_class(attribute(node, "class"));
    ++level_;
    builder_.open_section(level_, std::move(heading), repair_utf8(attribute(node, "id")));
    parts(node, depth, title);
    --level_;
  }

  void unheaded_section(const xmlNode* node, int depth) {
    ++module_.counts.sections;
    builder_.flush();
    parts(node, depth, title_of(node));
  }

  /// "learning-objectives" as a heading. Books give such sections their titles when they are printed.
  static RichText heading_of_class(std::string text) {
    std::replace(text.begin(), text.end(), '-', ' ');
    if (text.front() >= 'a' && text.front() <= 'z') text.front() = static_cast<char>(text.front() - 'a' + 'A');
    html::InlineText heading;
    heading.append(text);
    return heading.take();
  }

  void aside(const xmlNode* node, bool keep, int depth) {
    if (keep) return block(node, depth);
    builder_.flush();
    leave_out(node);
  }

  void leave_out(const xmlNode* node) {
    ++module_.counts.left_out;
    count_below(node, 0);
  }

  void count_below(const xmlNode* node, int depth) {
    for (const auto* child = node->children; child != nullptr && depth < html::kMaxDepth; child = child->next) {
      module_.counts.paragraphs += element_name(child) == "para" ? 1 : 0;
      module_.counts.sections += element_name(child) == "section" ? 1 : 0;
      count_below(child, depth + 1);
    }
  }

  void list(const xmlNode* node, int depth) {
    builder_.flush();
    marker_ += attribute(node, "list-type") == "enumerated" ? '#' : '*';
    for (const auto* child = node->children; child != nullptr && depth < html::kMaxDepth; child = child->next) {
      const auto name = element_name(child);
      if (name == "item") {
        children(child, depth + 1);
        builder_.flush(BlockKind::kListItem, marker_);
      } else if (name == "title") {
        block(child, depth + 1);
      }
    }
    marker_.pop_back();
  }

  void figure(const xmlNode* node, int depth) {
    builder_.flush();
    const auto* caption = find_element(node, "caption");
    RichText content;
    if (caption != nullptr) content = inline_content(caption, depth);
    builder_.add_image(attribute(find_element(node, "image"), "src"), std::move(content));
  }

  void link(const xmlNode* node, int depth) {
    const auto begin = builder_.text().length();
    children(node, depth);
    auto href = attribute(node, "document");
    if (href.empty()) return;  // an address of the web, or a place of this page
    if (const auto place = attribute(node, "target-id"); !place.empty()) href += "#" + place;
    if (auto target = links_.resolve(href)) builder_.text().link(begin, std::move(*target));
  }

  /// A term links to itself: the book has a word for it, which may have a page.
  void term(const xmlNode* node, int depth) {
    const auto begin = builder_.text().length();
    children(node, depth);
    Link target;
    target.target.text = html::text_below(node);
    if (!is_invisible(target.target.text) && target.target.text.size() <= html::kMaxTermBytes)
      builder_.text().link(begin, std::move(target));
  }

  void table(const xmlNode* node, int depth) {
    builder_.flush();
    html::TableBuilder rows;
    Table head;
    table_rows(node, false, depth, rows, head);
    auto grid = std::move(rows).take(builder_.document().counters.cells_left_out);
    grid.caption = std::move(head.caption);
    if (!grid.cells.empty()) builder_.add_table(std::move(grid));
  }

  void table_rows(const xmlNode* node, bool header, int depth, html::TableBuilder& rows, Table& head) {
    for (const auto* child = node->children; child != nullptr && depth < html::kMaxDepth; child = child->next) {
      const auto name = element_name(child);
      if (name == "entry") {
        Cell cell;
        cell.header = header;
        cell.content = inline_content(child, depth + 1);
        rows.add_cell(std::move(cell));
      } else if (name == "title" || name == "caption") {
        head.caption = inline_content(child, depth + 1);
      } else if (!name.empty()) {
        if (name == "row") rows.begin_row();
        table_rows(child, header || name == "thead", depth + 1, rows, head);
      }
    }
  }

  void glossary(const xmlNode* node) {
    html::InlineText heading;
    heading.append("Key Terms");
    builder_.open_section(1, heading.take());
    for (const auto* child = node->children; child != nullptr; child = child->next) {
      if (element_name(child) != "definition") continue;
      if (const auto* term = find_element(child, "term")) {
        this->term(term, 0);
        builder_.flush(BlockKind::kListItem, ";");
      }
      for (const auto* part = child->children; part != nullptr; part = part->next) {
        if (element_name(part) != "meaning") continue;
        module_.counts.paragraphs += find_element(part, "para") != nullptr ? 1 : 0;
        builder_.text().append(html::text_below(part));
        builder_.flush(BlockKind::kListItem, ":");
      }
    }
  }

  /// The text of an element as one text; its links stay.
  RichText inline_content(const xmlNode* node, int depth) {
    auto outer = std::exchange(builder_, html::PageBuilder());
    inline_children(node, depth);
    auto content = builder_.text().take();
    builder_ = std::move(outer);
    return content;
  }

  void inline_children(const xmlNode* node, int depth) {
    for (const auto* child = node->children; child != nullptr && depth < html::kMaxDepth; child = child->next) {
      const auto name = element_name(child);
      if (const char* text = html::text_of(child)) {
        builder_.text().append(text);
      } else if (name == "link") {
        link(child, depth + 1);
      } else if (name == "term") {
        term(child, depth + 1);
      } else if (name == "math") {
        builder_.text().append(html::math_text(child));
      } else if (!name.empty() && name != "media") {
        const bool apart = name == "para" || name == "item" || name == "newline" || name == "title";
        if (name == "para") ++module_.counts.paragraphs;
        if (apart) builder_.text().blank();
        inline_children(child, depth + 1);
        if (apart) builder_.text().blank();
      }
    }
  }

  CnxmlModule& module_;
  const html::LinkResolver& links_;
  CnxmlOptions options_;
  html::PageBuilder builder_;
  std::string marker_;
  int level_ = 0;
};

}  // namespace

CnxmlModule read_cnxml(std::string_view bytes, const html::LinkResolver& links, const CnxmlOptions& options) {
  CnxmlModule module;
  module.document.sections.resize(1);
  if (bytes.size() > html::kMaxTreeBytes) {
    module.problem = "it is too large";
    return module;
  }
  const auto tree = html::parse_xml(bytes, module.problem);
  if (!tree) return module;
  const auto* root = xmlDocGetRootElement(tree.get());
  if (element_name(root) != "document" || find_element(root, "content") == nullptr) {
    module.problem = "it has no <document> with <content>";
    return module;
  }
  module.title = html::text_below(find_element(root, "title"));
  ModuleReader(module, links, options).read(root);
  return module;
}

}  // namespace touchstone::extractors::textbook
