#pragma once

#include "common/ids.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace touchstone::storage {

// Every key of the store is built and read here. Numbers are big-endian, so that byte order is number order; namespace
// numbers are stored with their sign bit flipped for the same reason.

/// Page, outline, link, link target, alias and entity families: the page id, 4 bytes. Backlink families: a page id, too
/// (docs/store.md).
std::string page_key(PageId page);
std::optional<PageId> read_page_key(std::string_view key);

/// Paragraph family: page id and section number; table family: page id and table number. 8 bytes.
std::string page_part_key(PageId page, std::uint32_t part);
struct PagePart {
  PageId page;
  std::uint32_t part = 0;
};
std::optional<PagePart> read_page_part_key(std::string_view key);

/// Class family: the number of a Wikidata item, 8 bytes.
std::string item_key(std::uint64_t item);

/// Title family: namespace, 4 bytes, and the title's text.
std::string title_key(std::int32_t ns, std::string_view text);
struct TitleKey {
  std::int32_t ns = 0;
  std::string_view text;
};
std::optional<TitleKey> read_title_key(std::string_view key);

}  // namespace touchstone::storage
