#pragma once

#include "collection/health/damage.hpp"
#include "common/reject_reason.hpp"
#include "pipeline/passages/passage_options.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace touchstone::pipeline::passages {

/// Why a text is not a passage.
enum class PassageReject : std::uint8_t {
  kTooShort,
  kMostlyLinks,
  kMostlyNumbers,
  kMostlyProperties,
  kLeftoverMarkup,
  kLostWords,  ///< a sentence, or a text that begins or breaks off in one
  kCutBeforeList,
  kCode,
  kLinkList,
  kComment,
  kMainPage,     ///< a text of the main page, which shows pieces of other pages
  kApparatus,    ///< a list in a section such as "See also"
  kBoilerplate,  ///< a sentence that recurs on many pages
  kExactRepeat,  ///< folded into another passage
  kNearRepeat,
};
const RejectReason& describe(PassageReject reason);

/// The reason for which a damaged text goes.
PassageReject reject_of(collection::health::TextDamage damage) noexcept;

/// Whether a heading names a property of Wikidata: "part of (P361)".
bool names_property(std::string_view heading) noexcept;

/// Whether a text is worth judging as a passage, by form alone. Thread-safe.
/// \param links  code points [begin, end) of anchor texts, ascending
/// Returns the first rule that it breaks.
std::optional<PassageReject> broken_rule(const PassagesOptions& options, std::string_view text,
                                         const std::vector<std::pair<std::uint32_t, std::uint32_t>>& links);

}  // namespace touchstone::pipeline::passages
