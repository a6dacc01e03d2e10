#include "pipeline/flow/parts.hpp"

#include "common/stop.hpp"
#include "common/system_failure.hpp"

#include <algorithm>
#include <system_error>

#include <fmt/format.h>

namespace touchstone::pipeline::flow {
namespace {

std::filesystem::path part_path(const std::filesystem::path& folder, std::size_t cut, std::string_view name) {
  return folder / fmt::format("{:05}.{}", cut, name);
}

}  // namespace

std::filesystem::path PartWriter::path(std::string_view name) const {
  return part_path(folder_, cut_, name);
}

std::filesystem::path Parts::path(std::size_t cut, std::string_view name) const {
  return part_path(folders_.at(cut), cut, name);
}

void Parts::keep(std::string_view name, const std::filesystem::path& folder) const {
  std::error_code error;
  std::filesystem::remove_all(folder, error);
  if (!error) std::filesystem::create_directories(folder, error);
  if (error) throw StorageError(failure_text("make folder", folder, error));
  for (std::size_t cut = 0; cut < cuts(); ++cut) {
    const auto from = path(cut, name);
    std::filesystem::rename(from, folder / from.filename(), error);
    if (error) throw StorageError(failure_text("move", from, error));
    kill_point("parts.moved");
  }
  sync_files_below(folder);
}

std::vector<std::filesystem::path> kept_parts(const std::filesystem::path& folder) {
  std::error_code error;
  std::vector<std::filesystem::path> files;
  for (std::filesystem::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error))
    files.push_back(entry->path());
  if (error) throw StorageError(failure_text("read folder", folder, error));
  std::sort(files.begin(), files.end());
  return files;
}

Cuts cuts_of_kept(const std::filesystem::path& folder) {
  Cuts cuts;
  for (std::size_t i = 0; i < kept_parts(folder).size(); ++i) cuts.push_back({i, i + 1});
  return cuts;
}

}  // namespace touchstone::pipeline::flow
