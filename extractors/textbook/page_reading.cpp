#include "extractors/textbook/page_reading.hpp"

#include "common/unicode.hpp"
#include "extractors/html/html_page.hpp"
#include "extractors/html/xml_tree.hpp"
#include "extractors/markup/dokuwiki.hpp"
#include "extractors/markup/markdown.hpp"
#include "extractors/markup/pandoc.hpp"
#include "extractors/markup/tqa.hpp"
#include "extractors/textbook/book_navigation.hpp"

#include <algorithm>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <unicode/uchar.h>

namespace touchstone::extractors::textbook {
namespace {

bool is_empty(const Document& document) {
  return document.blocks.empty() && document.tables.empty() && document.images.empty() && document.sections.size() < 2;
}

ReadPage read_html_page(std::string_view bytes, const html::LinkResolver& links) {
  html::HtmlReading reading;
  reading.terms = true;
  auto page = html::read_html(bytes, links, reading);
  ReadPage read{std::move(page.title),
                std::move(page.language),
                std::move(page.document),
                page.part,
                std::move(page.index),
                {},
                {}};
  if (page.navigation_left_out > 0) read.left_out["menus, headers, footers and forms"] = page.navigation_left_out;
  if (!page.readable) {
    read.problem = {PageIssue::kNoText, "it holds no element of HTML"};
  } else if (read.title.empty() && is_empty(read.document)) {
    read.problem = {PageIssue::kNoText, "it shows neither text nor pictures"};
  }
  return read;
}

ReadPage too_large(std::size_t most) {
  ReadPage read;
  read.document.sections.resize(1);
  read.problem = {PageIssue::kTooLarge,
                  fmt::format("a page may have {} bytes; split it into a file for each chapter", most)};
  return read;
}

ReadPage read_rendered(markup::RenderedPage page, const html::LinkResolver& links) {
  if (page.html.size() > html::kMaxTreeBytes) return too_large(html::kMaxTreeBytes);
  auto read = read_html_page(page.html, links);
  for (const auto& [what, count] : page.left_out) read.left_out[what] += count;
  if (!page.title.empty()) read.title = std::move(page.title);
  if (read.title.empty()) read.title = std::move(page.label);
  return read;
}

/// Gives sections without an id the one that GitHub and mdBook make of a heading of Markdown.
void add_heading_ids(Document& document) {
  std::map<std::string, std::size_t> uses;
  for (auto section = document.sections.begin() + 1; section != document.sections.end(); ++section) {
    std::string id;
    const auto heading = lower_case(section->heading.text);
    for (std::size_t at = 0; at < heading.size();) {
      const auto from = at;
      const char32_t c = next_code_point(heading, at);
      if (c == U' ' || c == U'-') {
        id += '-';
      } else if (c == U'_' || u_isUAlphabetic(static_cast<UChar32>(c)) != 0 ||
                 u_isdigit(static_cast<UChar32>(c)) != 0) {
        id += heading.substr(from, at - from);
      }
    }
    if (const auto use = uses[id]++; use > 0) id += fmt::format("-{}", use);
    if (section->anchor.empty()) section->anchor = id;
  }
}

/// The folder of a page within the book, with '/' at its end unless it is empty.
std::string_view name_space_of(const BookPage& page, const Book& book) {
  std::string_view path = page.file;
  if (path.starts_with(book.root)) path.remove_prefix(book.root.size());
  const auto slash = path.rfind('/');
  return slash == std::string_view::npos ? std::string_view() : path.substr(0, slash + 1);
}

ReadPage read_markdown(std::string_view bytes, bool is_mdx, const html::LinkResolver& links) {
  auto read = read_rendered(markup::render_markdown(html::as_utf8(bytes), is_mdx), links);
  add_heading_ids(read.document);
  return read;
}

ReadPage read_lesson(std::string_view bytes, const html::LinkResolver& links) {
  std::string problem;
  auto lesson = markup::render_tqa_lesson(bytes, problem);
  auto read = read_rendered(std::move(lesson), links);
  if (!problem.empty()) read.problem = {PageIssue::kMalformedJson, std::move(problem)};
  return read;
}

ReadPage read_converted(std::string_view bytes, std::string_view format, const html::LinkResolver& links) {
  std::string problem;
  auto page = markup::render_with_pandoc(bytes, format, problem);
  auto read = read_rendered(std::move(page), links);
  if (!problem.empty()) read.problem = {PageIssue::kNotConverted, std::move(problem)};
  return read;
}

ReadPage read_module(std::string_view bytes, const html::LinkResolver& links, const CnxmlOptions& options) {
  auto module = read_cnxml(bytes, links, options);
  ReadPage read;
  read.title = std::move(module.title);
  read.document = std::move(module.document);
  if (!module.problem.empty()) read.problem = {PageIssue::kMalformedXml, std::move(module.problem)};
  if (module.counts.left_out > 0) read.left_out["exercises, solutions and summaries"] = module.counts.left_out;
  return read;
}

}  // namespace

ReadPage read_page(std::string_view bytes, const BookPage& page, const Book& book, const html::LinkResolver& links,
                   const CnxmlOptions& options) {
  if (bytes.size() > html::kMaxTreeBytes) return too_large(html::kMaxTreeBytes);
  switch (page.markup) {
    case PageMarkup::kCnxml:
      return read_module(bytes, links, options);
    case PageMarkup::kMarkdown:
      if (bytes.size() > markup::kMaxMarkdownBytes) return too_large(markup::kMaxMarkdownBytes);
      return read_markdown(bytes, page.file.ends_with(".mdx"), links);
    case PageMarkup::kDokuWiki:
      return read_rendered(markup::render_dokuwiki(html::as_utf8(bytes), name_space_of(page, book)), links);
    case PageMarkup::kTqa:
      return read_lesson(bytes, links);
    case PageMarkup::kPandoc:
      return read_converted(bytes, page.pandoc, links);
    case PageMarkup::kHtml:
      break;
  }
  return read_html_page(bytes, links);
}

std::optional<BookPage> page_of(const std::string& file, const file_format::Format& format) {
  BookPage page;
  page.file = file;
  switch (format.reading) {
    case file_format::Reading::kHtml:
      return page;
    case file_format::Reading::kMarkdown:
      page.markup = PageMarkup::kMarkdown;
      return page;
    case file_format::Reading::kDokuWiki:
      page.markup = PageMarkup::kDokuWiki;
      return page;
    case file_format::Reading::kTqa:
      page.markup = PageMarkup::kTqa;
      return page;
    case file_format::Reading::kPandoc:
      if (!markup::pandoc_is_installed()) return std::nullopt;
      page.markup = PageMarkup::kPandoc;
      page.pandoc = format.pandoc;
      return page;
    default:
      return std::nullopt;
  }
}

std::string reader_beside(const std::filesystem::path& path) {
  const auto is_converted = [](const file_format::Format* format) {
    return format != nullptr && format->reading == file_format::Reading::kPandoc;
  };
  std::error_code error;
  bool needed = false;
  if (std::filesystem::is_directory(path, error)) {
    const auto names = open_book_files(path, BookForm::kFolder)->names();
    needed = std::any_of(names.begin(), names.end(), [&](const auto& name) {
      return !is_beside_pages(name) && is_converted(file_format::format_of_name(name));
    });
  } else if (std::filesystem::is_regular_file(path, error)) {
    constexpr std::size_t kPlaceOfType = 30;  // of the first file of an EPUB, which is not compressed
    const auto head = head_of(path, file_format::kHeadBytes);
    const auto* format = file_format::format_of(path.filename().string(), head.bytes);
    const auto type = std::string_view(head.bytes).substr(std::min(head.bytes.size(), kPlaceOfType));
    const bool archive = head.form == BookForm::kArchive && !type.starts_with("mimetypeapplication/epub+zip");
    needed = archive ? format == nullptr || format->reading != file_format::Reading::kEnterprise : is_converted(format);
  }
  return needed ? markup::pandoc_version() : std::string();
}

std::string_view model_of(PageMarkup markup) noexcept {
  switch (markup) {
    case PageMarkup::kHtml:
      return "html";
    case PageMarkup::kCnxml:
      return "cnxml";
    case PageMarkup::kMarkdown:
      return "markdown";
    case PageMarkup::kDokuWiki:
      return "dokuwiki";
    case PageMarkup::kTqa:
      return "tqa";
    case PageMarkup::kPandoc:
      return "pandoc";
  }
  return "";
}

}  // namespace touchstone::extractors::textbook
