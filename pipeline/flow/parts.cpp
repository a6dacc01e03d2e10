#include "pipeline/flow/parts.hpp"

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

}  // namespace touchstone::pipeline::flow
