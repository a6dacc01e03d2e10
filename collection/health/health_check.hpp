#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

/// How usable a collection is: numbers that a reader would look at before publishing it, each with a bound, a verdict
/// and the option that mends it (docs/health.md). The checks read the files alone.
namespace touchstone::collection::health {

/// Digits after the point of means and shares.
inline constexpr int kShareDigits = 4;

/// Whether a check's number is a share of 1, shown as a percentage, or a plain number.
enum class HealthUnit : std::uint8_t { kShare, kNumber };

/// One number that tells how usable a collection is, with the bound that it should keep.
struct HealthCheck {
  std::string name;      ///< "outside_own_article"
  double value = 0;      ///< rounded to kShareDigits, so that it is the same in memory and in files
  double threshold = 0;  ///< in the unit of `value`
  HealthUnit unit = HealthUnit::kShare;
  bool at_least = false;  ///< the value must reach the threshold; else it must not exceed it
  std::string verdict;    ///< one or two sentences: what was found
  std::string remedy;     ///< what to do, with the names of options; stated for passed checks as well
  bool measured = true;   ///< false where there is nothing to measure: the check neither passed nor failed

  bool ok() const noexcept { return !measured || (at_least ? value >= threshold : value <= threshold); }
  friend bool operator==(const HealthCheck&, const HealthCheck&) = default;
};

/// Examines the data files of a directory that is being written.
using HealthExaminer = std::function<std::vector<HealthCheck>(const std::filesystem::path& directory)>;

/// True if no check failed.
bool is_healthy(const std::vector<HealthCheck>& checks);

/// "17" or "4.67".
std::string short_number(double value);

/// How many checks passed, "17 of 19 checks passed", and how many could not be measured.
std::string passed_text(const std::vector<HealthCheck>& checks);

/// The value of a check for people: "12.5 %", "17", "not measured", "at most 2.0 %".
std::string health_value(const HealthCheck& check);
std::string health_bound(const HealthCheck& check);

/// The checks as they are in manifest.json and in the output of `touchstone health`: an array of {name, value,
/// threshold, ok, verdict, remedy, unit, at_least}, and measured where it is false.
nlohmann::ordered_json health_json(const std::vector<HealthCheck>& checks);
/// Reads them back. Throws the exceptions of the JSON library if it is not such an array.
std::vector<HealthCheck> health_from(const nlohmann::ordered_json& json);

/// All checks as a table for a terminal, each with its verdict, and with the remedy if it failed.
std::string health_table(const std::vector<HealthCheck>& checks);

/// For the end of a build: how many checks passed, and those that failed, a line each. Empty without checks.
std::string health_summary(const std::vector<HealthCheck>& checks);

/// {ok, checks} with a line end.
std::string health_report_json(const std::vector<HealthCheck>& checks);

/// A failed check in one sentence: for warnings and errors.
std::string failure_text(const HealthCheck& check);

}  // namespace touchstone::collection::health
