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
};

/// Name, size and time of a file; nothing of its content is read. Standard input cannot be looked at twice: each naming
/// of it is another source, told apart by the time. Throws StorageError when there is no such file.
SourceRecord look_at_source(const SourceInput& input);

/// What tells these sources from others, as text for a fingerprint: names, sizes and times. A file of `given` that was
/// only moved or touched is recognised by its digest, which reads it once.
/// \param given     the sources of this run; empty: those recorded
/// \param recorded  the sources that the store remembers
std::string identity_of_sources(std::vector<SourceRecord> given, const std::vector<SourceRecord>& recorded);

std::string encode_sources(const std::vector<SourceRecord>& sources);
/// Nothing for an empty text. Throws StorageError for a text that `encode_sources` does not write.
std::vector<SourceRecord> decode_sources(std::string_view json);

}  // namespace touchstone::pipeline::flow
