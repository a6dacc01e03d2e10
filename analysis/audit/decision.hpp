#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

/// How right the judge of a collection is, estimated from a sample of its decisions that people have judged again
/// (docs/audit.md). Knows no collection: decisions come in, numbers go out. All functions are pure and thread-safe.
namespace touchstone::analysis::audit {

/// What the judge said. Only kYes counts as evidence in the collection.
enum class Verdict : std::uint8_t {
  kYes,
  kNo,
  kUnsure,   ///< the judge could not tell
  kUngraded  ///< there is no grade for another reason: refused, failed, cut
};

constexpr std::string_view to_string(Verdict verdict) noexcept {
  constexpr std::string_view kNames[] = {"yes", "no", "unsure", "ungraded"};
  return kNames[static_cast<std::size_t>(verdict)];
}

/// One decision of the judge on a (topic, member, passage).
struct Decision {
  std::string topic, docid;
  std::uint64_t member = 0;  ///< page id
  Verdict verdict = Verdict::kNo;
  std::optional<double> probability;  ///< of evidence, 0 to 1; nothing if the judge gives none
  std::string part;                   ///< what else parts the decisions into strata; may be empty
};

/// A number that does not depend on the order of the decisions: equal for equal keys and seeds.
std::uint64_t decision_hash(const Decision& decision, std::uint64_t seed);

}  // namespace touchstone::analysis::audit
