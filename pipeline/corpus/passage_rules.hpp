#pragma once

#include "common/reject_reason.hpp"
#include "pipeline/corpus/passage_options.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace touchstone::pipeline::corpus {

/// Why a text is no passage.
enum class PassageReject : std::uint8_t {
  kTooShort,
  kMostlyLinks,
  kMostlyNumbers,
  kMostlyProperties,
  kLeftoverMarkup,
  kBoilerplate,  ///< a sentence that recurs on many pages
  kExactRepeat,  ///< folded into another passage
  kNearRepeat,
};
const RejectReason& describe(PassageReject reason);

/// Whether a text is worth judging as a passage, by form alone. Thread-safe.
/// \param links  code points [begin, end) of anchor texts, ascending
/// Returns the first rule that it breaks.
std::optional<PassageReject> broken_rule(const PassagesOptions& options, std::string_view text,
                                         const std::vector<std::pair<std::uint32_t, std::uint32_t>>& links);

}  // namespace touchstone::pipeline::corpus
