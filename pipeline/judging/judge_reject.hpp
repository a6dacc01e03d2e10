#pragma once

#include "common/reject_reason.hpp"

#include <cstddef>
#include <cstdint>

namespace touchstone::pipeline::judging {

/// What a judge or a model could not do.
enum class JudgeReject : std::uint8_t {
  kNotJudged,    ///< the text goes on with the state of the judgment
  kNotReworded,  ///< a topic keeps its query by template
};

inline const RejectReason& describe(JudgeReject reason) noexcept {
  static constexpr RejectReason kRejects[] = {{"not judged: "},
                                              {"kept as the template has it: no usable answer", RejectSeverity::kKept}};
  return kRejects[static_cast<std::size_t>(reason)];
}

}  // namespace touchstone::pipeline::judging
