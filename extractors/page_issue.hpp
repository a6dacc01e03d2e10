#pragma once

#include "common/reject_reason.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

namespace touchstone::extractors {

/// What can be wrong with a page of a source.
enum class PageIssue : std::uint8_t {
  kMalformedXml,
  kMissingField,
  kBadNumber,
  kTooLarge,
  kTextDeleted,
  kMalformedJson,
  kBadTitle,
  kBadSection,
  kBadLink,
  kChecksumMismatch,
  kOtherModel,
  kLimitsHit,
  kOlderCopy,
  kUnescapedMarkup,
  kBadQid,
};

namespace internal {

/// By the number of the issue.
inline constexpr std::array<RejectReason, 15> kPageIssues = {{
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
    {"kept, but its text holds tags that are not escaped", RejectSeverity::kKept},
    {"bad QID"},
}};

}  // namespace internal

/// Text and severity of an issue. The text of kOtherModel goes on with the name of the model.
constexpr const RejectReason& describe(PageIssue issue) noexcept {
  return internal::kPageIssues[static_cast<std::size_t>(issue)];
}

}  // namespace touchstone::extractors
