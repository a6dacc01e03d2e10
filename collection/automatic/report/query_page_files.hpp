#pragma once

#include "collection/automatic/derivation.hpp"
#include "collection/automatic/report/automatic_report.hpp"
#include "collection/release/report/report_files.hpp"
#include "formats/html/html.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

/// The folder of pages beside the report of an automatic collection.
namespace touchstone::collection::automatic::report::internal {

/// Where a query page is shown.
struct ListedTopic {
  std::string title;
  std::string place;  ///< "test-1.html#t12", in the folder
  bool test = false;
  std::uint64_t facets = 0, passages = 0;
};

/// A query page as figure 1 of Dietz and Dalton, "Humans optional?", draws it: title, outline with links, and below
/// each heading its passages with their entities and docids. \param number  of the page in the report; its anchor is
/// `t<number>`
formats::html::Html query_page_view(const automatic::Derivation& derivation, bool test, std::uint64_t number);

/// A field that filters the list behind it, for those with scripts; hidden without.
formats::html::Html filter_box();

/// Writes query pages into files of bounded size, in the order in which they come: first those of one split, then those
/// of the other. Not thread-safe. Throws StorageError.
class QueryPageFiles {
 public:
  /// \param place  its `max_file_bytes` is not used
  QueryPageFiles(release::report::PageFolder place, const AutomaticReportLimits& limits);

  void add(const automatic::Derivation& derivation, bool test);
  /// Writes what is left and the pages of titles, if there are many.
  void finish();

  const std::vector<ListedTopic>& topics() const { return topics_; }  ///< after `finish`, by title
  std::uint64_t files() const { return test_pages_.written() + train_pages_.written() + title_pages_.written(); }
  /// After `finish`: links to all query pages, or to the pages of titles. For a page from which the folder is at
  /// `folder`, such as "automatic-report/".
  formats::html::Html index(std::string_view folder) const;

 private:
  void flush(bool more_follow);
  void write_titles();
  release::report::PageSeries& pages() { return test_ ? test_pages_ : train_pages_; }

  release::report::PageSeries test_pages_, train_pages_, title_pages_;
  AutomaticReportLimits limits_;
  std::vector<ListedTopic> topics_;
  // The file that is being filled.
  bool test_ = true;
  std::size_t first_ = 0;           // its first topic
  std::size_t first_of_split_ = 0;  // the first topic of its split
  formats::html::Html content_;
};

}  // namespace touchstone::collection::automatic::report::internal
