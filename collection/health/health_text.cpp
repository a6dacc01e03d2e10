#include "collection/health/health.hpp"
#include "common/json_tree.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace touchstone::collection::health {

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
  const nlohmann::ordered_json json{{"ok", is_healthy(checks)}, {"checks", health_json(checks)}};
  return json_text(json, {.indent = 2}) + "\n";
}

std::string failure_text(const HealthCheck& check) {
  return fmt::format("{} is {}, should be {}. {} To mend it: {}", check.name, health_value(check), health_bound(check),
                     check.verdict, check.remedy);
}

}  // namespace touchstone::collection::health
