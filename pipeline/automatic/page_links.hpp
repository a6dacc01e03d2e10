#pragma once

#include "common/ids.hpp"
#include "formats/car/records.hpp"
#include "pipeline/corpus/title_index.hpp"
#include "storage/records.hpp"
#include "storage/store.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace touchstone::pipeline::automatic::internal {

/// The links of one page in the form of TREC CAR. Each target is looked up once.
class PageLinks {
 public:
  /// \param wanted  false: all texts come without their links
  PageLinks(const storage::Store& store, const corpus::TitleIndex& titles, std::string_view wiki, PageId page,
            bool wanted);

  /// The pieces of a text: plain text and links, in order. Links without an anchor, and links inside the anchor of
  /// another, are left out; their text stays.
  std::vector<formats::car::ParagraphBody> bodies(std::string_view text, const std::vector<storage::TextLink>& links);
  /// The same as a paragraph with its id.
  formats::car::Paragraph paragraph(std::string_view text, const std::vector<storage::TextLink>& links);

 private:
  const formats::car::Link& target(std::uint32_t index);

  const corpus::TitleIndex& titles_;
  std::string_view wiki_;
  bool wanted_;
  std::vector<Title> written_;
  std::vector<PageId> pages_;  // behind redirects; 0: not a page of the store
  std::vector<std::optional<formats::car::Link>> known_;
};

}  // namespace touchstone::pipeline::automatic::internal
