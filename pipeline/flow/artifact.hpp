#pragma once

#include "storage/store.hpp"

#include <cstdint>
#include <string_view>

namespace touchstone::pipeline::flow {

/// Something that one stage writes and others read. Which stage needs which follows from the artifacts of their rows.
struct Artifact {
  enum class Kind : std::uint8_t {
    kFamily,   ///< a column family of the store; emptied before its stage writes it anew
    kFile,     ///< a file, by its path in the work directory
    kFolder,   ///< a folder, likewise
    kMeta,     ///< a key of the store's meta family
    kSources,  ///< the files of pages that the user names; no stage writes them
  };
  Kind kind = Kind::kFile;
  std::string_view name = {};  ///< path or key; empty for families and sources
  storage::Family family = storage::Family::kMeta;
  bool optional = false;  ///< a file that its stage may leave out, depending on its options

  friend bool operator==(const Artifact& a, const Artifact& b) {
    return a.kind == b.kind && a.name == b.name && a.family == b.family;
  }
};

constexpr Artifact family(storage::Family family) {
  return {Artifact::Kind::kFamily, {}, family};
}
constexpr Artifact file(std::string_view path) {
  return {Artifact::Kind::kFile, path};
}
constexpr Artifact optional_file(std::string_view path) {
  return {Artifact::Kind::kFile, path, storage::Family::kMeta, true};
}
constexpr Artifact folder(std::string_view path) {
  return {Artifact::Kind::kFolder, path};
}
constexpr Artifact meta(std::string_view key) {
  return {Artifact::Kind::kMeta, key};
}
constexpr Artifact sources() {
  return {Artifact::Kind::kSources};
}

}  // namespace touchstone::pipeline::flow
