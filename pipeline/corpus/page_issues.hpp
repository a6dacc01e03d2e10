#pragma once

#include "extractors/page_source.hpp"
#include "pipeline/flow/stage_report.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace touchstone::pipeline::corpus {

/// What ingest met in the pages it read: how often, and the first few places.
class PageIssues {
 public:
  struct Entry {
    std::uint64_t count = 0;
    std::vector<std::string> samples;  ///< in input order
    template <class Fields>
    void fields(Fields& field) {
      field("count", count)("samples", samples);
    }
  };
  /// The issue, and the detail that goes on with its text.
  using Key = std::pair<extractors::PageIssue, std::string>;

  void add(const extractors::PageRemark& remark);
  void add(const PageIssues& later);

  const std::map<Key, Entry>& entries() const noexcept { return entries_; }
  /// How often an issue of this severity was met.
  std::uint64_t count(RejectSeverity severity) const;

  void report_to(flow::StageReport& report) const;

  template <class Fields>
  void fields(Fields& field) {
    field("entries", entries_);
  }

 private:
  std::map<Key, Entry> entries_;
};

}  // namespace touchstone::pipeline::corpus
