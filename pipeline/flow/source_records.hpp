#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace touchstone::pipeline::flow {

/// A file of pages as the user named it.
struct SourceInput {
  std::filesystem::path path;  ///< "-" for standard input
  std::string kind = "dump";   ///< which kind of source it is; the room that reads it has the table of kinds
};

/// A file of pages as the store remembers it.
struct SourceRecord {
  std::string path, name;  ///< as given, and the file's name
  std::uint64_t bytes = 0;
  std::int64_t modified_ns = 0;  ///< of the file, when it was read
  std::string sha256;            ///< of the raw file; empty until it was read to its end
  std::string kind = "dump";     ///< see SourceInput
  /// Number of the file in its file system, and when its name, owner or content changed last: they tell a file from
  /// another one of the same name, size and time. 0: not known.
  std::uint64_t inode = 0;
  std::int64_t changed_ns = 0;
  /// Part of the identity of a source whose name, size and time are those of another one that was read before it.
  std::string replaced = {};
  /// Name and version of another program that reads it, on which the pages depend; empty: none does.
  std::string reader = {};
};

/// Name, size and time of a file; nothing of its content is read. Standard input cannot be looked at twice: each naming
/// of it is another source, told apart by the time. Throws StorageError when there is no such file.
SourceRecord look_at_source(const SourceInput& input);

/// Compares the sources of this run with those that the store remembers. A file that was only moved or touched is
/// recognised by its digest, which reads it once, and takes over what the store says of it; so does one of which the
/// store knows too little. A file that replaced another one of the same name, size and time gets another identity.
/// \return  the sources of this run, or those recorded if `given` is empty
std::vector<SourceRecord> compare_sources(std::vector<SourceRecord> given, const std::vector<SourceRecord>& recorded);

/// What tells these sources from others, as text for a fingerprint: names, sizes and times.
std::string identity_of_sources(const std::vector<SourceRecord>& sources);

std::string encode_sources(const std::vector<SourceRecord>& sources);
/// Nothing for an empty text. Throws StorageError for a text that `encode_sources` does not write.
std::vector<SourceRecord> decode_sources(std::string_view json);

}  // namespace touchstone::pipeline::flow
