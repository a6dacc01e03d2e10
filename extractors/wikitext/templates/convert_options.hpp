#pragma once

#include "extractors/wikitext/templates/convert_number.hpp"
#include "extractors/wikitext/templates/renderers.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace touchstone::extractors::wikitext::templates::internal {

/// Which of the two sides shows symbols in place of names.
enum class Abbreviate : unsigned char { kNothing, kInput, kOutput, kBoth };

/// What the options of a {{convert}} ask for.
struct ConvertOptions {
  NumberFormat numbers;
  Abbreviate abbreviate = Abbreviate::kOutput;
  bool abbreviation_given = false;
  bool adjective = false, american = false, flip = false, round_each = false;
  bool values_only = false;  ///< no units at all
  bool output_only = false, output_number_only = false;
  bool table = false, middle_word = false;
  bool spell = false, spell_output = false, spell_upper = false;
  bool names_by_default = false;
  std::string_view before = " (", after = ")", between = "; ";
  std::string middle;  ///< "-long" behind the unit
};

/// A whole number between `least` and `most`; nothing for all else.
std::optional<int> small_number(std::string_view text, int least, int most);

/// Nothing when the call asks for what is not understood.
std::optional<ConvertOptions> read_convert_options(const RenderCall& call);

}  // namespace touchstone::extractors::wikitext::templates::internal
