#pragma once

#include <string_view>

namespace touchstone::extractors::internal {

/// A unit of measurement: value in base units = value * scale + offset.
struct Unit {
  std::string_view code;  ///< as templates name it
  std::string_view kind;  ///< what it measures; units convert within a kind
  double scale = 1;
  double offset = 0;          ///< temperatures
  std::string_view symbol;    ///< "km"
  std::string_view singular;  ///< "kilometre"
  std::string_view plural;    ///< "kilometres"
  std::string_view american;  ///< American spelling of the singular; empty when it is the same
  std::string_view partner;   ///< code of the unit it is converted to when none is named; "ftin" is feet and inches
  bool no_blank = false;      ///< the symbol follows the number at once
};

/// Null for codes that are not known.
const Unit* find_unit(std::string_view code) noexcept;

}  // namespace touchstone::extractors::internal
