#pragma once

#include <filesystem>
#include <string>

namespace touchstone::pipeline::judging {

/// Writes the replies that the files of a damaged store still hold, as `export_log` does. The store itself is left as
/// it is. Returns what was recovered and what was not, as a line for the user. Throws StorageError.
/// \param store  directory of the store
std::string salvage_log(const std::filesystem::path& store, const std::filesystem::path& file);

}  // namespace touchstone::pipeline::judging
