#pragma once

#include "extractors/markup/rendered_page.hpp"

#include <cstddef>
#include <string_view>

namespace touchstone::extractors::markup {

/// Larger pages are refused: some texts take time that grows with the square of their size.
inline constexpr std::size_t kMaxMarkdownBytes = std::size_t{4} << 20;

/// Renders a page of Markdown: CommonMark with the tables, task lists and struck-out text of GitHub; HTML in it stays.
/// Metadata in front of it give the title. Footnotes, comments and what a site's generator would fill in are left out.
/// Thread-safe; O(bytes) memory.
/// \param bytes   at most kMaxMarkdownBytes of UTF-8
/// \param is_mdx  Markdown with components of JSX
RenderedPage render_markdown(std::string_view bytes, bool is_mdx);

}  // namespace touchstone::extractors::markup
