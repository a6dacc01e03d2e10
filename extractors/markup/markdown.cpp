#include "extractors/markup/markdown.hpp"

#include "common/unicode.hpp"
#include "extractors/markup/front_matter.hpp"
#include "extractors/markup/markdown_lines.hpp"

#include <cstdlib>
#include <memory>
#include <mutex>
#include <new>
#include <vector>

#include <cmark-gfm-core-extensions.h>
#include <cmark-gfm.h>

namespace touchstone::extractors::markup {
namespace {

struct FreeNode {
  void operator()(cmark_node* node) const noexcept { cmark_node_free(node); }
};
using Tree = std::unique_ptr<cmark_node, FreeNode>;

struct FreeParser {
  void operator()(cmark_parser* parser) const noexcept { cmark_parser_free(parser); }
};

constexpr int kOptions = CMARK_OPT_UNSAFE | CMARK_OPT_FOOTNOTES;

/// The library keeps a table of the characters that extensions use, and changes it for each page that it parses: one
/// thread parses at a time.
Tree parse(std::string_view text) {
  static std::mutex mutex;
  const std::lock_guard lock(mutex);
  cmark_gfm_core_extensions_ensure_registered();
  const std::unique_ptr<cmark_parser, FreeParser> parser(cmark_parser_new(kOptions));
  for (const char* name : {"table", "strikethrough", "tasklist"}) {
    if (auto* extension = cmark_find_syntax_extension(name)) {
      cmark_parser_attach_syntax_extension(parser.get(), extension);
    }
  }
  cmark_parser_feed(parser.get(), text.data(), text.size());
  return Tree(cmark_parser_finish(parser.get()));
}

/// Removes footnotes and the signs that refer to them. Returns how many footnotes there were.
std::uint64_t remove_footnotes(cmark_node* root) {
  std::vector<cmark_node*> found;
  std::uint64_t footnotes = 0;
  auto* walk = cmark_iter_new(root);
  for (auto event = cmark_iter_next(walk); event != CMARK_EVENT_DONE; event = cmark_iter_next(walk)) {
    auto* node = cmark_iter_get_node(walk);
    const auto type = cmark_node_get_type(node);
    if (event != CMARK_EVENT_ENTER) continue;
    if (type == CMARK_NODE_FOOTNOTE_DEFINITION) ++footnotes;
    if (type == CMARK_NODE_FOOTNOTE_REFERENCE) found.push_back(node);
    if (type == CMARK_NODE_FOOTNOTE_DEFINITION) found.push_back(node);
  }
  cmark_iter_free(walk);
  // A footnote may hold the sign of another: nodes are freed only when none is looked at any more.
  std::vector<Tree> removed;
  for (auto* node : found) {
    cmark_node_unlink(node);
    removed.emplace_back(node);
  }
  return footnotes;
}

}  // namespace

RenderedPage render_markdown(std::string_view bytes, bool is_mdx) {
  RenderedPage page;
  if (bytes.starts_with("\xEF\xBB\xBF")) bytes.remove_prefix(3);
  if (const auto metadata = take_front_matter(bytes)) {
    page.title = metadata->title;
    page.label = metadata->sidebar_label;
    if (metadata->damaged) ++page.left_out["metadata of pages that cannot be read"];
  }
  const auto tree = parse(repair_utf8(internal::prepare_lines(bytes, is_mdx, page.left_out)));
  if (const auto footnotes = remove_footnotes(tree.get()); footnotes > 0) page.left_out["footnotes"] = footnotes;
  const std::unique_ptr<char, decltype(&std::free)> html(cmark_render_html(tree.get(), kOptions, nullptr), &std::free);
  if (html == nullptr) throw std::bad_alloc();
  page.html = "<html><body><main>\n";
  // Without a heading above all others, a single section would be taken for the page.
  if (!page.title.empty() && std::string_view(html.get()).find("<h1") == std::string_view::npos) {
    page.html += "<h1>";
    append_escaped(page.html, page.title);
    page.html += "</h1>\n";
  }
  page.html += html.get();
  page.html += "</main></body></html>\n";
  return page;
}

}  // namespace touchstone::extractors::markup
