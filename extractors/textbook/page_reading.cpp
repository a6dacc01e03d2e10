#include "extractors/textbook/page_reading.hpp"

#include "extractors/html/html_page.hpp"
#include "extractors/html/xml_tree.hpp"

#include <utility>

#include <fmt/format.h>

namespace touchstone::extractors::textbook {
namespace {

bool is_empty(const Document& document) {
  return document.blocks.empty() && document.tables.empty() && document.images.empty() && document.sections.size() < 2;
}

ReadPage read_html_page(std::string_view bytes, const html::LinkResolver& links) {
  auto page = html::read_html(bytes, links);
  ReadPage read{std::move(page.title), std::move(page.document), {}, {}};
  if (page.navigation_left_out > 0) read.left_out["menus, headers, footers and forms"] = page.navigation_left_out;
  if (!page.readable) {
    read.problem = {PageIssue::kNoText, "it holds no element of HTML"};
  } else if (read.title.empty() && is_empty(read.document)) {
    read.problem = {PageIssue::kNoText, "it shows neither text nor pictures"};
  }
  return read;
}

ReadPage read_module(std::string_view bytes, const html::LinkResolver& links, const CnxmlOptions& options) {
  auto module = read_cnxml(bytes, links, options);
  ReadPage read{std::move(module.title), std::move(module.document), {}, {}};
  if (!module.problem.empty()) read.problem = {PageIssue::kMalformedXml, std::move(module.problem)};
  if (module.counts.left_out > 0) read.left_out["exercises, solutions and summaries"] = module.counts.left_out;
  return read;
}

}  // namespace

ReadPage read_page(std::string_view bytes, PageMarkup markup, const html::LinkResolver& links,
                   const CnxmlOptions& options) {
  if (bytes.size() > html::kMaxTreeBytes) {
    ReadPage read;
    read.document.sections.resize(1);
    read.problem = {PageIssue::kTooLarge, fmt::format("a page may have {} bytes; split it into a file for each chapter",
                                                      html::kMaxTreeBytes)};
    return read;
  }
  return markup == PageMarkup::kCnxml ? read_module(bytes, links, options) : read_html_page(bytes, links);
}

std::string_view model_of(PageMarkup markup) noexcept {
  return markup == PageMarkup::kCnxml ? "cnxml" : "html";
}

}  // namespace touchstone::extractors::textbook
