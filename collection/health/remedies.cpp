#include "collection/health/remedies.hpp"

#include "common/json_tree.hpp"

#include <cstdlib>

#include <nlohmann/json.hpp>

namespace touchstone::collection::health {
namespace {

double number_of(std::string_view toml) {
  return std::strtod(std::string(toml).c_str(), nullptr);
}

bool is_gone(const Remedy& remedy, std::string_view value) {
  switch (remedy.unless) {
    case Remedy::Unless::kNever:
      return false;
    case Remedy::Unless::kEquals:
      return value == remedy.value;
    case Remedy::Unless::kDiffers:
      return value != remedy.value;
    case Remedy::Unless::kHolds:
      return value.find(remedy.value) != std::string_view::npos;
    case Remedy::Unless::kLacks:
      return value.find(remedy.value) == std::string_view::npos;
    case Remedy::Unless::kAtLeast:
      return number_of(value) >= number_of(remedy.value);
    case Remedy::Unless::kAtMost:
      return number_of(value) > 0 && number_of(value) <= number_of(remedy.value);
  }
  return false;
}

}  // namespace

RunOptions run_options(const std::string& manifest_json) {
  RunOptions options;
  const auto build = parse_json_or_discard(manifest_json);
  if (!build.is_object() || !build.contains("config") || !build["config"].is_object()) return options;
  for (const auto& [name, value] : build["config"].items()) {
    if (value.is_string()) options.emplace(name, value.get<std::string>());
  }
  return options;
}

std::string remedy_text(const std::vector<Remedy>& remedies, const RunOptions& options) {
  std::string text;
  for (const auto& remedy : remedies) {
    const auto option = options.find(remedy.option);
    if (option != options.end() && is_gone(remedy, option->second)) continue;
    if (!text.empty()) text += "; ";
    text += remedy.text;
  }
  return text.empty() ? "no option is left that does; take another part of the wiki, or a larger one." : text + ".";
}

}  // namespace touchstone::collection::health
