#pragma once

#include "analysis/presentation/statistics_text.hpp"
#include "common/json_writer.hpp"

#include <string>

/// How this room writes numbers and JSON, on top of common/number_text.hpp.
namespace touchstone::analysis::presentation::internal {

/// Four decimals, for people. NaN is "-".
std::string short_number(double value);

/// The shortest decimal that reads back as the same number, in fixed notation from 1e-4 to 1e16. NaN is "".
std::string full_number(double value);

/// The function that a format other than JSON uses.
using NumberText = std::string (*)(double);
NumberText number_text(StatisticsFormat format);

/// A JSON document, indented by one blank a level.
JsonWriter json_document();

}  // namespace touchstone::analysis::presentation::internal
