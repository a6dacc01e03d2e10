#pragma once

#include "pipeline/entities/linker_accuracy.hpp"

#include <string>

namespace touchstone::cli {

/// Which truth a linker was compared with.
enum class LinkTruth { kEditorsLinks, kBenchmark };

std::string accuracy_text(const pipeline::entities::EditorsComparison& comparison, LinkTruth truth);
std::string accuracy_json(const pipeline::entities::EditorsComparison& comparison, LinkTruth truth);

}  // namespace touchstone::cli
