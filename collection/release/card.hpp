#pragma once

#include "collection/health/health_check.hpp"
#include "collection/release/baseline_run.hpp"

#include <string>
#include <string_view>
#include <vector>

/// Parts of a dataset card, README.md, that collections of both kinds have.
namespace touchstone::collection::release {

/// Text of a wiki inside Markdown: one line, and no character that Markdown or HTML would read as markup.
std::string markdown(std::string_view text);

/// Text of a wiki as a value of the front matter.
std::string yaml(std::string_view text);

/// A row of a table with two columns.
std::string card_row(std::string_view name, std::string_view value);

/// The section on health checks; empty without checks.
std::string health_card(const std::vector<health::HealthCheck>& checks);

/// The section on the baseline run.
std::string baseline_card(const BaselineRun& run);

}  // namespace touchstone::collection::release
