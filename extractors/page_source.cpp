#include "extractors/page_source.hpp"

#include <array>

namespace touchstone::extractors {
namespace {

/// By the number of the issue.
constexpr std::array<PageIssueInfo, kPageIssueCount> kIssues = {{
    {"malformed XML", PageSeverity::kUnusable},
    {"missing title, id or revision", PageSeverity::kUnusable},
    {"bad page or revision number", PageSeverity::kUnusable},
    {"larger than max_page_bytes", PageSeverity::kUnusable},
    {"text hidden from the public", PageSeverity::kUnusable},
    {"malformed JSON", PageSeverity::kUnusable},
    {"bad title", PageSeverity::kUnusable},
    {"bad section or paragraph", PageSeverity::kUnusable},
    {"bad link", PageSeverity::kUnusable},
    {"kept, but its text does not match its SHA-1", PageSeverity::kKept},
    {"kept by title only: content model ", PageSeverity::kKept},
    {"kept, but nested or large beyond the bounds in places", PageSeverity::kKept},
    {"older copy of a page that is there already", PageSeverity::kSuperseded},
}};

}  // namespace

const PageIssueInfo& describe(PageIssue issue) noexcept {
  return kIssues[static_cast<std::size_t>(issue)];
}

}  // namespace touchstone::extractors
