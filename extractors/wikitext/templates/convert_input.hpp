#pragma once

#include "extractors/wikitext/templates/convert_number.hpp"
#include "extractors/wikitext/templates/convert_options.hpp"
#include "extractors/wikitext/templates/units.hpp"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace touchstone::extractors::wikitext::templates::internal {

/// How a word between two numbers is shown: where names and where symbols are; with the unit behind each number.
struct Joint {
  std::string_view word;
  std::string_view with_names, with_symbols;
  std::string_view output = {};  ///< instead, in the converted range
  bool unit_each = false;        ///< with symbols
  bool output_unit_each = false;
  bool is_change = false;
};

/// Several written numbers with what stands between them, and their unit.
struct Input {
  std::vector<WrittenNumber> numbers;
  std::vector<const Joint*> joints;
  Unit unit;                                            ///< of the numbers; of several units in company the smallest
  std::vector<std::pair<WrittenNumber, Unit>> company;  ///< "5 ft 6 in": each part as it is shown; else empty
  Company kind = Company::kNone;
};

/// Reads all positional arguments of {{convert}}: numbers, unit, units to convert to, rounding, words. Returns false
/// for what it does not know.
///
/// \param target  codes of the units to convert to
bool read_convert_input(const RenderCall& call, ConvertOptions& options, Input& input, std::string& target);

}  // namespace touchstone::extractors::wikitext::templates::internal
