#include "extractors/html/html_page.hpp"

#include "common/unicode.hpp"
#include "extractors/html/main_content.hpp"
#include "extractors/html/math_text.hpp"
#include "extractors/html/terms.hpp"
#include "extractors/html/wiki_page.hpp"
#include "extractors/html/xml_tree.hpp"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <utility>
#include <vector>

namespace touchstone::extractors::html {
namespace {

int heading_level(std::string_view name) {
  return name.size() == 2 && name[0] == 'h' && name[1] >= '1' && name[1] <= '6' ? name[1] - '0' : 0;
}

bool is_block(std::string_view name) {
  static constexpr std::string_view kNames[] = {
      "p",       "div",     "section", "article",    "main",     "header", "aside", "blockquote", "center",  "address",
      "details", "summary", "figure",  "figcaption", "fieldset", "body",   "td",    "th",         "caption", "hgroup"};
  return std::find(std::begin(kNames), std::end(kNames), name) != std::end(kNames);
}

std::uint32_t span_of(const xmlNode* cell, std::string_view name) {
  const auto text = attribute(cell, name);
  std::uint32_t value = 1;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return std::clamp<std::uint32_t>(value, 1, 1000);
}

/// The id by which links name the section of a heading: its own, that of something in it, or that of the element that
/// begins with it.
std::string anchor_of(const xmlNode* heading) {
  auto anchor = attribute(heading, "id");
  if (anchor.empty()) {
    const auto* named = find_below(heading, [](const xmlNode* node) {
      return !attribute(node, "id").empty() || (element_name(node) == "a" && !attribute(node, "name").empty());
    });
    if (named != nullptr) anchor = attribute(named, "id");
    if (named != nullptr && anchor.empty()) anchor = attribute(named, "name");
  }
  const auto is_shown = [](const xmlNode* node) {
    const char* text = text_of(node);
    return !is_invisible(text != nullptr ? std::string(text) : text_below(node));
  };
  const auto* before = heading->prev;
  while (before != nullptr && !is_shown(before)) before = before->prev;
  const auto* around = heading->parent;
  if (anchor.empty() && before == nullptr && around != nullptr &&
      (element_name(around) == "section" || element_name(around) == "div")) {
    anchor = attribute(around, "id");
  }
  return repair_utf8(anchor);
}

/// Goes over the elements of a page.
class Walker {
 public:
  Walker(HtmlPage& page, const LinkResolver& links, const HtmlReading& reading)
      : page_(page), links_(links), reading_(reading) {}

  /// \param inside_main  see is_navigation
  void page(const xmlNode* root, bool inside_main) {
    inside_main_ = inside_main;
    children(root, 0);
    flush();
    page_.document = std::move(builder_).take();
  }

 private:
  void children(const xmlNode* node, int depth) {
    if (depth > kMaxDepth) {
      if (node->children != nullptr) ++builder_.document().counters.limits_hit;
      return;
    }
    for (const auto* child = node->children; child != nullptr; child = child->next) {
      if (const char* text = text_of(child)) {
        add_text(text);
      } else if (child->type == XML_ELEMENT_NODE) {
        element(child, depth + 1);
      }
    }
  }

  void add_text(std::string_view text) {
    if (preformatted_) {
      builder_.text().append_as_written(text);
    } else {
      builder_.text().append(text);
    }
  }

  void flush() {
    if (preformatted_) {
      builder_.flush(BlockKind::kPreformatted);
    } else if (in_item_) {
      builder_.flush(BlockKind::kListItem, marker_);
    } else {
      builder_.flush();
    }
  }

  bool is_shown(const xmlNode* node) const {
    return !is_unshown(node) && (reading_.is_left_out == nullptr || !reading_.is_left_out(node));
  }

  void element(const xmlNode* node, int depth) {
    if (add_formula(node) || !is_shown(node)) return;
    if (is_navigation(node, inside_main_)) {
      ++page_.navigation_left_out;
      return;
    }
    const auto name = element_name(node);
    if (const int level = heading_level(name)) return heading(node, level, depth);
    if (name == "a") return link(node, depth, &Walker::children);
    if (name == "dfn") return term(node, depth, &Walker::children);
    if (name == "br" || name == "hr") return line_break(name);
    if (name == "ul" || name == "ol" || name == "dl") return list(node, name, depth);
    if (is_gallery_box(node)) return figure(node, depth);
    if (name == "li" || name == "dt" || name == "dd") return item(node, name, depth);
    if (name == "pre" || name == "listing") return preformatted(node, depth);
    if (name == "table") return table(node, depth);
    if (is_figure(node)) return figure(node, depth);
    if (is_table_title(node)) return note_table_title(node, depth);
    if (name == "img") return image(node);
    if (!is_block(name)) return children(node, depth);
    const bool outer = std::exchange(in_glossary_, in_glossary_ || (reading_.terms && is_glossary(node)));
    flush();
    children(node, depth);
    flush();
    in_glossary_ = outer;
  }

  /// Adds the formula that an element shows; false for other elements. MediaWiki hides its MathML behind a picture.
  bool add_formula(const xmlNode* node) {
    const auto formula = formula_of(node);
    builder_.text().append(formula);
    return !formula.empty();
  }

  void line_break(std::string_view name) {
    if (name == "hr") return flush();
    if (preformatted_) return builder_.text().append_as_written("\n");
    builder_.text().blank();
  }

  void heading(const xmlNode* node, int level, int depth) {
    flush();
    auto content = content_of(node, depth);
    if (content.text.empty()) return;
    builder_.open_section(level, std::move(content), anchor_of(node));
  }

  /// \param read_text  reads the text of the link
  void link(const xmlNode* node, int depth, void (Walker::*read_text)(const xmlNode*, int)) {
    if (is_permalink(node)) return;
    const auto begin = builder_.text().length();
    (this->*read_text)(node, depth);
    if (reading_.terms && is_term_reference(node)) return link_term(begin, term_of(node));
    const auto href = attribute(node, "href");
    if (href.empty()) return;  // an anchor
    if (auto target = links_.resolve(href)) {
      builder_.text().link(begin, std::move(*target));
    } else {
      ++page_.links_out;
    }
  }

  /// A term links to itself: the book has a word for it, which may have a page.
  void term(const xmlNode* node, int depth, void (Walker::*read_text)(const xmlNode*, int)) {
    const auto begin = builder_.text().length();
    (this->*read_text)(node, depth);
    if (reading_.terms) link_term(begin, term_of(node));
  }

  void link_term(std::uint32_t begin, std::string term) {
    if (term.empty()) return;
    Link link;
    link.target.text = std::move(term);
    builder_.text().link(begin, std::move(link));
  }

  void list(const xmlNode* node, std::string_view name, int depth) {
    flush();
    const bool outer_glossary = std::exchange(in_glossary_, in_glossary_ || (reading_.terms && is_glossary(node)));
    const auto outer = std::exchange(in_item_, false);
    const auto size = marker_.size();
    marker_ += name == "ul" ? '*' : name == "ol" ? '#' : ':';
    children(node, depth);
    flush();
    marker_.resize(size);
    in_item_ = outer;
    in_glossary_ = outer_glossary;
  }

  void item(const xmlNode* node, std::string_view name, int depth) {
    flush();
    const auto outer = std::exchange(in_item_, true);
    const auto marker = marker_;
    if (marker_.empty()) marker_ = "*";
    if (name == "dt") marker_.back() = ';';
    if (name == "dt" && in_glossary_) {
      term(node, depth, &Walker::children);
    } else {
      children(node, depth);
    }
    flush();
    marker_ = marker;
    in_item_ = outer;
  }

  void preformatted(const xmlNode* node, int depth) {
    flush();
    const bool outer = std::exchange(preformatted_, true);
    children(node, depth);
    flush();
    preformatted_ = outer;
  }

  void image(const xmlNode* node) {
    builder_.add_image(attribute(node, reading_.image_attribute), plain(attribute(node, "alt")));
  }

  void figure(const xmlNode* node, int depth) {
    flush();
    if (!add_figure(node, depth)) children(node, depth), flush();
  }

  /// Adds the image of a figure with its caption; false if it holds none.
  bool add_figure(const xmlNode* node, int depth) {
    const auto* image = find_element(node, "img");
    if (image == nullptr) return false;
    const auto* caption = find_below(node, [](const xmlNode* child) {
      return element_name(child) == "figcaption" || has_class(child, "gallerytext") ||
             has_class(child, "thumbcaption") ||
             (element_name(child) == "p" && (has_class(child, "title") || has_class(child, "caption")));
    });
    auto content = caption != nullptr ? content_of(caption, depth) : plain(attribute(image, "alt"));
    builder_.add_image(attribute(image, reading_.image_attribute), std::move(content));
    return true;
  }

  void table(const xmlNode* node, int depth) {
    flush();
    TableBuilder rows;
    Table head;
    head.css_class = attribute(node, "class");
    table_rows(node, depth, rows, head);
    auto grid = std::move(rows).take(builder_.document().counters.cells_left_out);
    grid.css_class = std::move(head.css_class);
    grid.caption = std::move(head.caption);
    builder_.add_other_links(grid.caption);
    if (grid.caption.text.empty()) grid.caption = std::exchange(table_title_, {});
    if (!grid.cells.empty()) builder_.add_table(std::move(grid));
  }

  void note_table_title(const xmlNode* node, int depth) {
    flush();
    table_title_ = content_of(node, depth);
    builder_.add_other_links(table_title_);
    table_title_.links.clear();
  }

  void table_rows(const xmlNode* node, int depth, TableBuilder& rows, Table& head) {
    if (depth > kMaxDepth) return;
    for (const auto* child = node->children; child != nullptr; child = child->next) {
      const auto name = element_name(child);
      if (name == "caption") {
        head.caption = content_of(child, depth + 1);
      } else if (name == "thead" || name == "tbody" || name == "tfoot") {
        table_rows(child, depth + 1, rows, head);
      } else if (name == "tr" && is_shown(child)) {
        rows.begin_row();
        table_rows(child, depth + 1, rows, head);
      } else if (name == "td" || name == "th") {
        Cell cell;
        cell.header = name == "th";
        cell.row_span = span_of(child, "rowspan");
        cell.column_span = span_of(child, "colspan");
        if (is_shown(child)) cell.content = content_of(child, depth + 1);
        rows.add_cell(std::move(cell));
      }
    }
  }

  /// All text of an element as one text, blocks separated by blanks.
  RichText content_of(const xmlNode* node, int depth) {
    PageBuilder outer = std::exchange(builder_, PageBuilder());
    const bool as_written = std::exchange(preformatted_, false);
    inline_children(node, depth);
    auto content = builder_.text().take();
    auto inner = std::move(builder_).take();
    builder_ = std::move(outer);
    preformatted_ = as_written;
    auto& links = builder_.document().other_links;
    std::move(inner.other_links.begin(), inner.other_links.end(), std::back_inserter(links));
    auto& images = builder_.document().images;
    for (auto& image : inner.images) {
      image.section = static_cast<std::uint32_t>(builder_.document().sections.size() - 1);
      image.block = static_cast<std::uint32_t>(builder_.document().blocks.size());
      images.push_back(std::move(image));
    }
    builder_.document().counters.limits_hit += inner.counters.limits_hit;
    return content;
  }

  void inline_children(const xmlNode* node, int depth) {
    if (depth > kMaxDepth) {
      ++builder_.document().counters.limits_hit;
      return;
    }
    for (const auto* child = node->children; child != nullptr; child = child->next) {
      const auto name = element_name(child);
      if (const char* text = text_of(child)) {
        builder_.text().append(text);
      } else if (child->type == XML_ELEMENT_NODE && add_formula(child)) {
        continue;
      } else if (name == "img") {
        image(child);
      } else if ((is_figure(child) || is_gallery_box(child)) && is_shown(child) && add_figure(child, depth + 1)) {
        builder_.text().blank();
      } else if (name == "a") {
        link(child, depth + 1, &Walker::inline_children);
      } else if (name == "dfn") {
        term(child, depth + 1, &Walker::inline_children);
      } else if (child->type == XML_ELEMENT_NODE && is_shown(child)) {
        const bool apart = is_block(name) || name == "br" || name == "li" || name == "tr" || name == "pre" ||
                           name == "dt" || name == "dd" || heading_level(name) > 0;
        if (apart) builder_.text().blank();
        inline_children(child, depth + 1);
        if (apart) builder_.text().blank();
      }
    }
  }

  static RichText plain(std::string_view text) {
    InlineText folded;
    folded.append(text);
    return folded.take();
  }

  HtmlPage& page_;
  const LinkResolver& links_;
  const HtmlReading& reading_;
  PageBuilder builder_;
  std::string marker_;
  RichText table_title_;  ///< of the table that comes next
  bool inside_main_ = false, in_item_ = false, preformatted_ = false, in_glossary_ = false;
};

}  // namespace

HtmlPage read_html(std::string_view bytes, const LinkResolver& links, const HtmlReading& reading) {
  HtmlPage page;
  page.document.sections.resize(1);
  if (bytes.size() > kMaxTreeBytes) return page;
  const auto tree = parse_html(bytes);
  const auto* root = tree ? xmlDocGetRootElement(tree.get()) : nullptr;
  if (root == nullptr) return page;
  page.readable = true;
  const auto* body = find_element(root, "body");
  if (body == nullptr) body = root;
  const auto* wiki = reading.whole_body ? nullptr : wiki_content(body);
  const auto* content = reading.whole_body ? body : wiki != nullptr ? wiki : main_content(body);
  page.language = language_of(content);
  if (reading.terms) {
    page.part = part_of(content);
    page.index = index_entries(content);
  }
  auto of_wiki = reading;
  of_wiki.is_left_out = is_aside_of_wiki;
  Walker(page, links, wiki != nullptr ? of_wiki : reading).page(content, reading.whole_body || content != body);
  const auto head_title = text_below(find_element(root, "title"));
  if (wiki != nullptr) {
    page.title = text_below(find_element(body, "h1"));
  } else if (reading.heading_is_title) {
    page.title = take_title(page.document, head_title);
  }
  if (page.title.empty()) page.title = head_title;
  return page;
}

}  // namespace touchstone::extractors::html
