#include "analysis/studies/finished_parts.hpp"

#include "common/digest.hpp"
#include "common/error.hpp"
#include "common/files.hpp"

#include <optional>
#include <system_error>

#include <fmt/format.h>

namespace touchstone::analysis::studies {
namespace {

/// The first line of a part: it tells results of other inputs, and files that were cut short, from this part.
std::string part_head(const std::string& fingerprint, std::string_view name, const std::string& text) {
  return fmt::format("{} {} {} {}\n", fingerprint, name, text.size(), sha256_hex(text));
}

std::optional<std::string> read_part(const std::filesystem::path& file, const std::string& fingerprint,
                                     std::string_view name) {
  std::error_code failed;
  if (!std::filesystem::is_regular_file(file, failed)) return std::nullopt;
  const auto whole = read_file(file);
  const auto line_end = whole.find('\n');
  if (line_end == std::string::npos) return std::nullopt;
  auto text = whole.substr(line_end + 1);
  if (whole.substr(0, line_end + 1) != part_head(fingerprint, name, text)) return std::nullopt;
  return text;
}

}  // namespace

FinishedParts::FinishedParts(std::filesystem::path folder, std::string fingerprint)
    : folder_(std::move(folder)), fingerprint_(std::move(fingerprint)) {}

std::filesystem::path FinishedParts::file_of(std::string_view name) const {
  return folder_ / sha256_hex(name).substr(0, 24);
}

std::string FinishedParts::part(std::string_view name, const std::function<std::string()>& compute) {
  if (folder_.empty()) return compute();
  const auto file = file_of(name);
  if (auto kept = read_part(file, fingerprint_, name)) return std::move(*kept);
  auto text = compute();
  {
    const std::lock_guard lock(making_folder_);
    std::error_code failed;
    std::filesystem::create_directories(folder_, failed);
    if (failed) throw StorageError(fmt::format("cannot make the folder {}: {}", folder_.string(), failed.message()));
  }
  write_file_atomically(file, part_head(fingerprint_, name, text) + text);
  return text;
}

void FinishedParts::remove() {
  if (folder_.empty()) return;
  std::error_code ignored;  // what is left is found, and not used, by the next run
  std::filesystem::remove_all(folder_, ignored);
}

}  // namespace touchstone::analysis::studies
