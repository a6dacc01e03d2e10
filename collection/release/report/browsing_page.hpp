#pragma once

#include "formats/html/html.hpp"

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

/// The pages of the folders beside the two reports.
namespace touchstone::collection::release::report {

/// `topics-3.html`
std::string numbered_page(std::string_view kind, std::uint64_t number);

/// Whether a file has such a name, of one of the kinds.
bool is_numbered_page(std::string_view name, std::span<const std::string_view> kinds);

/// Where a page of a sequence leads besides its content.
struct PageSequence {
  std::string_view kind;     ///< "topics"
  std::string_view noun;     ///< "topics": what the links to its neighbours call them
  std::uint64_t number = 1;  ///< of the page
  bool more_follow = false;
};

/// Links to the report and to the neighbours of a page.
/// \param report  file name of the report, beside the folder
formats::html::Html page_links(std::string_view report, const PageSequence& place);

struct BrowsingPage {
  std::string_view collection;  ///< its name
  std::string title;
  formats::html::Html navigation, content;
  std::string_view script = {};  ///< name of an asset; empty: the page needs none
};

/// Writes a page; the caller flushes the folder to disk when it is complete. Throws StorageError.
void write_browsing_page(const std::filesystem::path& file, const BrowsingPage& page);

}  // namespace touchstone::collection::release::report
