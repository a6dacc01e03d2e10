#include "analysis/presentation/number_text.hpp"

#include <charconv>
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
  return std::isnan(value) ? "-" : fmt::format("{:.4f}", without_sign_of_zero(value));
}

std::string full_number(double value) {
  return std::isnan(value) ? "" : fmt::format("{}", without_sign_of_zero(value));
}

std::string shortest_number(double value) {
  char buffer[32];  // fmt has no such notation
  return {buffer, std::to_chars(buffer, buffer + sizeof buffer, value).ptr};
}

NumberText number_text(StatisticsFormat format) {
  return format == StatisticsFormat::kTable ? short_number : full_number;
}

JsonWriter json_document() {
  return JsonWriter({.indent = 1});
}

}  // namespace touchstone::analysis::presentation::internal
