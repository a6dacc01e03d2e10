#pragma once

#include "collection/release/staged_directory.hpp"
#include "formats/html/html.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

/// The files of a report: a page that is opened first, and a folder of pages beside it.
namespace touchstone::collection::release::report {

/// The folder while it is filled, and how large its pages may become.
struct PageFolder {
  std::filesystem::path folder;  ///< exists
  std::string collection;        ///< its name
  std::string report;            ///< file name of the first page, beside the folder
  std::size_t max_file_bytes = 0;
};

/// Pages of one kind in a folder, `topics-1.html`, `topics-2.html`, ..., written one after the other. Not thread-safe.
class PageSeries {
 public:
  /// \param noun  what links to the neighbours of a page call them
  /// \param script  name of an asset; empty: the pages need none
  PageSeries(PageFolder place, std::string kind, std::string noun, std::string script = {});

  const PageFolder& place() const { return place_; }
  /// File name of the next page.
  std::string name() const { return name_of(number_); }
  std::uint64_t number() const { return number_; }
  std::uint64_t written() const { return number_ - 1; }

  /// Writes the next page: links to the report and to its neighbours, `navigation`, `content`, and the links again. The
  /// caller flushes the folder to disk when it is complete. Throws StorageError.
  void write(const std::string& title, const formats::html::Html& navigation, const formats::html::Html& content,
             bool more_follow, bool links_below = true);

 private:
  std::string name_of(std::uint64_t number) const;

  PageFolder place_;
  std::string kind_, noun_, script_;
  std::uint64_t number_ = 1;
};

/// Writes a report. The folder is filled beside its final place and renamed; then the page is written, so a killed run
/// leaves no half of either. Throws StorageError.
class ReportFiles {
 public:
  /// \param kinds  of the pages in the folder: "topics"
  ReportFiles(std::filesystem::path page, std::filesystem::path folder, std::vector<std::string_view> kinds);

  PageFolder place(const std::string& collection, std::size_t max_file_bytes) const;
  /// The folder as the page links to it: "report/".
  std::string link() const { return folder_.filename().string() + "/"; }
  /// Call once, last.
  /// \param kill_point  is passed between folder and page
  void finish(std::string_view page_text, const char* kill_point) const;

 private:
  std::filesystem::path page_, folder_;
  DirectoryLayout layout_;
  StagedDirectory staged_;
};

}  // namespace touchstone::collection::release::report
