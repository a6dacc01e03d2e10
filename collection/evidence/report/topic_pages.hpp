#pragma once

#include "collection/evidence/report/report_data.hpp"
#include "collection/evidence/report/topic_view.hpp"
#include "collection/release/staged_directory.hpp"
#include "formats/html/html.hpp"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

/// The folder of pages beside the report of an evidence collection.
namespace touchstone::collection::evidence::report::internal {

/// What the program writes into the folder: `topics-1.html`, `lists-1.html`, `left-out-1.html`, ...
const release::DirectoryLayout& report_layout();

/// Where the pages of a folder go, and how large they may become.
struct PageFolder {
  std::filesystem::path folder;  ///< exists
  std::string collection;        ///< its name
  std::string report;            ///< file name of the first page, beside the folder
  std::size_t max_file_bytes = 0;
};

/// Writes topics into `topics-<n>.html`, in the order of the lists. Not thread-safe. Throws StorageError.
class TopicPages {
 public:
  TopicPages(PageFolder place, const ReportData& data, const ReportLimits& limits);

  /// \param topic  one more than that of the call before; 0 at first
  void add(std::size_t topic, const TopicContents& contents);
  void finish() { flush(false); }

  /// Where each topic is shown: "topics-3.html#t41", in the folder.
  const std::vector<std::string>& places() const { return places_; }
  std::uint64_t files() const { return number_ - 1; }

 private:
  void flush(bool more_follow);
  formats::html::Html jump_list() const;

  PageFolder place_;
  const ReportData& data_;
  ViewOptions options_;
  formats::html::Html content_;
  std::vector<std::string> places_;
  std::size_t first_ = 0;     // topic of the page
  std::size_t list_ = 0;      // of the next topic
  std::uint64_t number_ = 1;  // of the page
};

}  // namespace touchstone::collection::evidence::report::internal
