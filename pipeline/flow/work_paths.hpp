#pragma once

#include <filesystem>
#include <string_view>

namespace touchstone::pipeline::flow {

/// Where everything of one --work directory lies.
struct WorkPaths {
  std::filesystem::path root;

  std::filesystem::path store() const { return root / "store"; }
  /// What stages hand to each other, and their temporary files.
  std::filesystem::path stages() const { return root / "stages"; }
  /// The shards of a stage, until it is done.
  std::filesystem::path shards(std::string_view stage) const { return stages() / "shards" / stage; }
  /// A file or folder by its path in the work directory, as artifacts name it.
  std::filesystem::path file(std::string_view path) const { return root / path; }
};

}  // namespace touchstone::pipeline::flow
