#pragma once

#include "collection/evidence/records.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace touchstone::formats::json {
class FieldReader;
}

/// The one JSON form of a judgment: judgments.jsonl.gz and unjudged.jsonl of a collection, and the files that the
/// stages hand to each other (docs/collection.md). CollectionLineReader::judgment reads it.
namespace touchstone::collection::evidence {

/// How many digits of a probability are written: six after the point in collections, all of them between stages.
inline constexpr int kProbabilityDigits = 6;
enum class ProbabilityDigits : std::uint8_t { kSix, kAll };

/// The judgment as one line of JSON with its line end.
std::string judgment_line(const JudgmentRecord& judgment, ProbabilityDigits digits = ProbabilityDigits::kSix);

/// Takes the judgment from the fields of its line.
/// \param unknown_state  takes the name of a state that is not in the table; the record's state is then kFailed. If
///                       null, such a name is an error of `fields`.
JudgmentRecord judgment_from(formats::json::FieldReader& fields, std::optional<std::string>* unknown_state = nullptr);

}  // namespace touchstone::collection::evidence
