#pragma once

#include "pipeline/linking/linker_accuracy.hpp"

#include <string>

namespace touchstone::cli {

/// Which truth a linker was compared with.
enum class LinkTruth { kEditorsLinks, kBenchmark };

std::string accuracy_text(const pipeline::linking::EditorsComparison& comparison, LinkTruth truth);
std::string accuracy_json(const pipeline::linking::EditorsComparison& comparison, LinkTruth truth);

}  // namespace touchstone::cli
