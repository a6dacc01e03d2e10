#include "collection/health_check.hpp"

#include "common/number_text.hpp"

#include <algorithm>

#include <nlohmann/json.hpp>

namespace touchstone::collection {
namespace {

using nlohmann::ordered_json;

std::string in_unit(double value, HealthUnit unit) {
  return unit == HealthUnit::kShare ? percent(value) : short_number(value);
}

}  // namespace

std::string short_number(double value) {
  const auto whole = static_cast<std::uint64_t>(std::clamp(value, 0.0, 9e15));
  return static_cast<double>(whole) == value ? with_commas(whole) : at_most_digits(value, 2);
}

bool is_healthy(const std::vector<HealthCheck>& checks) {
  return std::all_of(checks.begin(), checks.end(), [](const HealthCheck& check) { return check.ok(); });
}

std::string passed_text(const std::vector<HealthCheck>& checks) {
  std::size_t passed = 0, measured = 0;
  for (const auto& check : checks) {
    measured += check.measured ? 1 : 0;
    passed += check.measured && check.ok() ? 1 : 0;
  }
  auto text = std::to_string(passed) + " of " + std::to_string(measured) + " checks passed";
  if (measured < checks.size()) text += ", " + std::to_string(checks.size() - measured) + " could not be measured";
  return text;
}

std::string health_value(const HealthCheck& check) {
  return check.measured ? in_unit(check.value, check.unit) : "not measured";
}

std::string health_bound(const HealthCheck& check) {
  return (check.at_least ? "at least " : "at most ") + in_unit(check.threshold, check.unit);
}

ordered_json health_json(const std::vector<HealthCheck>& checks) {
  ordered_json json = ordered_json::array();
  for (const auto& check : checks) {
    json.push_back(ordered_json{{"name", check.name},
                                {"value", check.value},
                                {"threshold", check.threshold},
                                {"ok", check.ok()},
                                {"verdict", check.verdict},
                                {"remedy", check.remedy},
                                {"unit", check.unit == HealthUnit::kShare ? "share" : "number"},
                                {"at_least", check.at_least}});
    if (!check.measured) json.back()["measured"] = false;
  }
  return json;
}

std::vector<HealthCheck> health_from(const ordered_json& json) {
  std::vector<HealthCheck> checks;
  for (std::size_t i = 0; i < json.size(); ++i) {
    const auto& entry = json.at(i);
    HealthCheck check;
    entry.at("name").get_to(check.name);
    entry.at("value").get_to(check.value);
    entry.at("threshold").get_to(check.threshold);
    check.unit = entry.at("unit").get<std::string>() == "share" ? HealthUnit::kShare : HealthUnit::kNumber;
    entry.at("at_least").get_to(check.at_least);
    entry.at("verdict").get_to(check.verdict);
    entry.at("remedy").get_to(check.remedy);
    check.measured = entry.value("measured", true);
    checks.push_back(std::move(check));
  }
  return checks;
}

}  // namespace touchstone::collection
