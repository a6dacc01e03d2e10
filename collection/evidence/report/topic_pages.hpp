#pragma once

#include "collection/evidence/report/report_data.hpp"
#include "collection/evidence/report/topic_view.hpp"
#include "collection/release/report/report_files.hpp"
#include "formats/html/html.hpp"

#include <cstdint>
#include <string>
#include <vector>

/// The folder of pages beside the report of an evidence collection.
namespace touchstone::collection::evidence::report::internal {

/// Writes topics into `topics-<n>.html`, in the order of the lists. Not thread-safe. Throws StorageError.
class TopicPages {
 public:
  TopicPages(release::report::PageFolder place, const ReportData& data, const ReportLimits& limits);

  /// \param topic  one more than that of the call before; 0 at first
  void add(std::size_t topic, const TopicContents& contents);
  void finish() { flush(false); }

  /// Where each topic is shown: "topics-3.html#t41", in the folder.
  const std::vector<std::string>& places() const { return places_; }
  std::uint64_t files() const { return pages_.written(); }

 private:
  void flush(bool more_follow);
  formats::html::Html jump_list() const;

  release::report::PageSeries pages_;
  const ReportData& data_;
  ViewOptions options_;
  formats::html::Html content_;
  std::vector<std::string> places_;
  std::size_t first_ = 0;  // topic of the page
  std::size_t list_ = 0;   // of the next topic
};

}  // namespace touchstone::collection::evidence::report::internal
