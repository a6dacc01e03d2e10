#include "analysis/presentation/number_text.hpp"

#include "common/number_text.hpp"

#include <cmath>

#include <fmt/format.h>

namespace touchstone::analysis::presentation::internal {
namespace {

/// Prints -0 as 0.
double without_sign_of_zero(double value) {
  return value == 0 ? 0 : value;
}

}  // namespace

std::string short_number(double value) {
  return std::isnan(value) ? "-" : fixed_digits(without_sign_of_zero(value), 4);
}

std::string full_number(double value) {
  return std::isnan(value) ? "" : fmt::format("{}", without_sign_of_zero(value));
}

NumberText number_text(StatisticsFormat format) {
  return format == StatisticsFormat::kTable ? short_number : full_number;
}

JsonWriter json_document() {
  return JsonWriter({.indent = 1});
}

}  // namespace touchstone::analysis::presentation::internal
