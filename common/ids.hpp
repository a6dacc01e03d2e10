#pragma once

#include <compare>
#include <cstdint>
#include <functional>

namespace touchstone {

/// Number of a page in its wiki. 32 bits, as MediaWiki's `page_id` is (mediawiki.org Manual:Page table, read 2025-01).
struct PageId {
  std::uint32_t value = 0;
  friend auto operator<=>(PageId, PageId) = default;
};

/// Number of a revision in its wiki.
struct RevisionId {
  std::uint64_t value = 0;
  friend auto operator<=>(RevisionId, RevisionId) = default;
};

/// Number of a paragraph or list item within its page, from 0, in page order.
struct ParagraphOrdinal {
  std::uint32_t value = 0;
  friend auto operator<=>(ParagraphOrdinal, ParagraphOrdinal) = default;
};

}  // namespace touchstone

template <>
struct std::hash<touchstone::PageId> {
  std::size_t operator()(touchstone::PageId id) const noexcept { return std::hash<std::uint32_t>{}(id.value); }
};
