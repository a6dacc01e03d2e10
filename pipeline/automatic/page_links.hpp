#pragma once

#include "common/ids.hpp"
#include "common/unicode.hpp"
#include "formats/car/records.hpp"
#include "pipeline/automatic/page_items.hpp"
#include "pipeline/corpus/title_index.hpp"
#include "storage/records.hpp"
#include "storage/store.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace touchstone::pipeline::automatic::internal {

/// Calls `take(index, begin, end)` for every link whose anchor has text and does not lie in that of another: its index
/// in `links`, and the bytes of its anchor in `text`, ascending.
template <class Take>
void for_each_anchor(std::string_view text, const std::vector<storage::TextLink>& links, const Take& take) {
  ByteCounter bytes(text);
  std::size_t done = 0;
  for (std::size_t i = 0; i < links.size(); ++i) {
    if (links[i].end <= links[i].begin) continue;
    const std::size_t begin = bytes.at_code_point(links[i].begin);
    if (begin < done) continue;
    const std::size_t end = bytes.at_code_point(links[i].end);
    if (end == begin) continue;
    take(i, begin, end);
    done = end;
  }
}

/// The links of one page in the form of TREC CAR. Each target is looked up once.
class PageLinks {
 public:
  /// \param items  of the pages that links lead to; null: all texts come without their links
  PageLinks(const storage::Store& store, const corpus::TitleIndex& titles, std::string_view wiki, PageId page,
            const PageItems* items);

  /// The pieces of a text: plain text and links, in order. Links without an anchor, and links inside the anchor of
  /// another, are left out; their text stays.
  /// \param sections  of the links of this text, if they lead to sections
  std::vector<formats::car::ParagraphBody> bodies(std::string_view text, const std::vector<storage::TextLink>& links,
                                                  std::span<const storage::AttributeRecord::SectionLink> sections = {});
  /// The same as a paragraph with its id.
  formats::car::Paragraph paragraph(std::string_view text, const std::vector<storage::TextLink>& links,
                                    std::span<const storage::AttributeRecord::SectionLink> sections = {});

 private:
  const formats::car::Link& target(std::uint32_t index);

  const corpus::TitleIndex& titles_;
  std::string_view wiki_;
  const PageItems* items_;
  std::vector<Title> written_;
  std::vector<PageId> pages_;  // behind redirects; 0: not a page of the store
  std::vector<std::optional<formats::car::Link>> known_;
};

}  // namespace touchstone::pipeline::automatic::internal
