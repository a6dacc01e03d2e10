#include "pipeline/corpus/page_issues.hpp"

namespace touchstone::pipeline::corpus {

void PageIssues::add(const extractors::PageRemark& remark) {
  auto& entry = entries_[{remark.issue, remark.detail}];
  ++entry.count;
  if (entry.samples.size() < flow::kSamplesPerReason) entry.samples.push_back(remark.where);
}

void PageIssues::add(const PageIssues& later) {
  for (const auto& [key, other] : later.entries_) {
    auto& entry = entries_[key];
    entry.count += other.count;
    for (const auto& sample : other.samples) {
      if (entry.samples.size() < flow::kSamplesPerReason) entry.samples.push_back(sample);
    }
  }
}

std::uint64_t PageIssues::count(RejectSeverity severity) const {
  std::uint64_t sum = 0;
  for (const auto& [key, entry] : entries_) {
    if (describe(key.first).severity == severity) sum += entry.count;
  }
  return sum;
}

void PageIssues::report_to(flow::StageReport& report) const {
  for (const auto& [key, entry] : entries_) {
    const auto& [issue, detail] = key;
    report.add(describe(issue), detail, entry.samples, entry.count);
  }
}

}  // namespace touchstone::pipeline::corpus
