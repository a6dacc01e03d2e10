#include "pipeline/corpus/page_issues.hpp"

#include "common/error.hpp"

#include <nlohmann/json.hpp>

namespace touchstone::pipeline::corpus {

using Json = nlohmann::ordered_json;

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

Json PageIssues::to_json() const {
  Json list = Json::array();
  for (const auto& [key, entry] : entries_) {
    list.push_back({{"issue", describe(key.first).text},
                    {"detail", key.second},
                    {"count", entry.count},
                    {"samples", entry.samples}});
  }
  return list;
}

PageIssues PageIssues::from_json(const Json& json) {
  PageIssues issues;
  for (const auto& row : json) {
    const auto issue = extractors::page_issue(row.at("issue").get<std::string>());
    if (!issue) throw StorageError("the store names an issue of a page that this version does not know");
    issues.entries_[{*issue, row.at("detail")}] = {row.at("count"), row.at("samples")};
  }
  return issues;
}

}  // namespace touchstone::pipeline::corpus
