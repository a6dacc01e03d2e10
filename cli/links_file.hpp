#pragma once

#include "pipeline/inspection/inspect.hpp"

#include <cstdint>
#include <filesystem>

namespace touchstone::cli {

/// Writes the links between the articles of a work directory to a new file, as lines of two titles. Returns their
/// number.
std::uint64_t write_links(const std::filesystem::path& work, const pipeline::inspection::LinkSelection& selection,
                          const std::filesystem::path& out);

}  // namespace touchstone::cli
