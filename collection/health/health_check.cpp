#include "collection/health/health_check.hpp"

#include "common/json_tree.hpp"
#include "common/number_text.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace touchstone::collection::health {
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

std::string health_table(const std::vector<HealthCheck>& checks) {
  std::string out;
  for (const auto& check : checks) {
    out += fmt::format("{:<4}  {:<26} {:>9}  {}\n",
                       !check.measured ? "--"
                       : check.ok()    ? "ok"
                                       : "FAIL",
                       check.name, health_value(check), health_bound(check));
    out += "      " + check.verdict + "\n";
    if (!check.ok()) out += "      To mend it: " + check.remedy + "\n";
  }
  return out + passed_text(checks) + "\n";
}

std::string health_summary(const std::vector<HealthCheck>& checks) {
  if (checks.empty()) return {};
  std::string out = "health      " + passed_text(checks) + (is_healthy(checks) ? "\n" : "; these did not:\n");
  for (const auto& check : checks) {
    if (!check.ok()) out += fmt::format("  {:<26} {:>9}, {}\n", check.name, health_value(check), health_bound(check));
  }
  return out;
}

std::string health_report_json(const std::vector<HealthCheck>& checks) {
  const ordered_json json{{"ok", is_healthy(checks)}, {"checks", health_json(checks)}};
  return json_text(json, {.indent = 2}) + "\n";
}

std::string failure_text(const HealthCheck& check) {
  return fmt::format("{} is {}, should be {}. {} To mend it: {}", check.name, health_value(check), health_bound(check),
                     check.verdict, check.remedy);
}

}  // namespace touchstone::collection::health
