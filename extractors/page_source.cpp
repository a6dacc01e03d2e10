#include "extractors/page_source.hpp"

#include <array>
#include <cstddef>

namespace touchstone::extractors {
namespace {

/// By the number of the issue.
constexpr std::array<RejectReason, 13> kIssues = {{
    {"malformed XML"},
    {"missing title, id or revision"},
    {"bad page or revision number"},
    {"larger than max_page_bytes"},
    {"text hidden from the public"},
    {"malformed JSON"},
    {"bad title"},
    {"bad section or paragraph"},
    {"bad link"},
    {"kept, but its text does not match its SHA-1", RejectSeverity::kKept},
    {"kept by title only: content model ", RejectSeverity::kKept},
    {"kept, but nested or large beyond the bounds in places", RejectSeverity::kKept},
    {"older copy of a page that is there already", RejectSeverity::kSuperseded},
}};

}  // namespace

const RejectReason& describe(PageIssue issue) noexcept {
  return kIssues[static_cast<std::size_t>(issue)];
}

std::optional<PageIssue> page_issue(std::string_view text) noexcept {
  for (std::size_t i = 0; i < kIssues.size(); ++i) {
    if (kIssues[i].text == text) return static_cast<PageIssue>(i);
  }
  return std::nullopt;
}

}  // namespace touchstone::extractors
