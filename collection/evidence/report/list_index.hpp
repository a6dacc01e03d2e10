#pragma once

#include "collection/evidence/report/report_data.hpp"
#include "collection/release/report/report_files.hpp"
#include "formats/html/html.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

/// The index of lists and their topics.
namespace touchstone::collection::evidence::report::internal {

/// Makes the index: on the first page, or on pages `lists-<n>.html` if it is long, with letters that lead into it.
class ListIndex {
 public:
  /// \param places  of the topics, in the folder
  ListIndex(const ReportData& data, const std::vector<std::string>& places) : data_(data), places_(places) {}

  /// The whole index for a page from which the folder is at `folder`, such as "report/".
  formats::html::Html whole(std::string_view folder) const;

  /// Writes the index into pages; returns what represents it on the first page. Throws StorageError.
  formats::html::Html write_pages(const release::report::PageFolder& place, std::string_view folder);
  std::uint64_t files() const { return files_; }

  /// What the script of the first page searches: {folder, lists: [[title, [[query, section and column, page and anchor,
  /// members, evidence, id, names of members]]]]}.
  std::string search_json(std::string_view folder) const;

 private:
  const ReportData& data_;
  const std::vector<std::string>& places_;
  std::uint64_t files_ = 0;
};

}  // namespace touchstone::collection::evidence::report::internal
