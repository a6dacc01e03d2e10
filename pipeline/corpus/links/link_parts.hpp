#pragma once

#include "common/records/sorter.hpp"
#include "pipeline/corpus/links/title_join.hpp"
#include "pipeline/flow/parts.hpp"
#include "storage/records.hpp"

#include <compare>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace touchstone::pipeline::corpus::links {

/// Names of the parts of a cut.
inline constexpr std::string_view kTitlesPart = "titles";        ///< TitledPage, sorted
inline constexpr std::string_view kRedirectsPart = "redirects";  ///< RedirectPage, by page id
inline constexpr std::string_view kTargetsPart = "targets";      ///< AskedTitle, sorted
inline constexpr std::string_view kLinksPart = "links";          ///< PageLinks, by page id

/// A redirect as its page has it.
struct RedirectPage {
  std::uint32_t page = 0;
  std::string title;                    ///< of the page, if it has no target
  std::optional<std::uint64_t> target;  ///< hash of the title
  bool to_section = false;

  template <class Fields>
  void fields(Fields& field) {
    field("page_id", page)("title", title)("target_hash", target)("to_section", to_section);
  }
};

/// A title that pages of a cut link to. Its number is used nowhere else in the cut; a title may have several.
struct AskedTitle {
  std::uint64_t hash = 0;
  std::uint32_t number = 0;

  template <class Fields>
  void fields(Fields& field) {
    field("title_hash", hash)("number", number);
  }
  friend auto operator<=>(const AskedTitle&, const AskedTitle&) = default;
};

/// The links of a page.
struct PageLinks {
  std::uint32_t page = 0;
  std::vector<std::uint32_t> targets;  ///< numbers of their titles
  std::string places;                  ///< as they are in the store, for storage::decode_link_places

  template <class Fields>
  void fields(Fields& field) {
    field("page_id", page)("targets", targets)("places", places);
  }
};

/// Writes the parts of a cut. Not thread-safe. Throws StorageError.
class LinkPartWriter {
 public:
  /// \param folder        for what does not fit in memory
  /// \param memory_bytes  of all titles held at once
  LinkPartWriter(const flow::PartWriter& parts, const std::filesystem::path& folder, std::size_t memory_bytes);

  /// Takes the pages by ascending id.
  void add_page(PageId id, const storage::PageRecord& page);
  /// Takes the encoded LinkRecords of pages by ascending id.
  void add_links(PageId id, std::string_view links);
  void finish();

 private:
  std::uint32_t number_of(std::uint64_t hash);

  const flow::PartWriter& parts_;
  records::Sorter<TitledPage> titles_;
  records::Sorter<AskedTitle> targets_;
  records::RecordFile<RedirectPage>::Writer redirects_;
  records::RecordFile<PageLinks>::Writer links_;
  std::vector<AskedTitle> recent_;  ///< titles that keep their numbers, by their hash
  std::uint32_t next_number_ = 0;
  PageLinks page_links_;
};

}  // namespace touchstone::pipeline::corpus::links
