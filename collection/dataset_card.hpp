#pragma once

#include "collection/baseline_run.hpp"
#include "collection/collection_info.hpp"
#include "collection/collection_numbers.hpp"
#include "collection/health_check.hpp"

#include <optional>
#include <string>
#include <vector>

namespace touchstone::collection {

/// README.md: YAML front matter as the Hugging Face hub and MTEB read it, then a card for people. Without health
/// checks or a baseline run, the card has no section on them.
std::string dataset_card(const CollectionInfo& info, const CollectionNumbers& numbers,
                         const std::vector<HealthCheck>& health = {}, const std::optional<BaselineRun>& baseline = {});

/// The section of a card on health checks, in Markdown; empty without checks.
std::string health_card(const std::vector<HealthCheck>& checks);

}  // namespace touchstone::collection
