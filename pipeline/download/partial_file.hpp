#pragma once

#include "common/descriptor.hpp"
#include "common/digest.hpp"
#include "common/progress.hpp"
#include "common/stop.hpp"
#include "pipeline/download/dump_listing.hpp"

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace touchstone::pipeline::download {

/// SHA-1 of the first `bytes` of a file, in hexadecimal digits, read once. Throws StorageError and Interrupted.
Sha1 sha1_of_file(const Descriptor& file, const std::filesystem::path& path, std::uint64_t bytes, const StopFlag& stop);

/// A file that is being downloaded. Its bytes are in `NAME.part` until it is complete; `NAME.part.source` says which
/// version of the file they are of. Both are kept when the program ends in any way, and the next one goes on from them.
/// Two processes cannot have one file. Not thread-safe. All functions throw StorageError if the disk refuses.
class PartialFile {
 public:
  /// Opens the partial file, or makes an empty one, and reads what is there for its digest.
  /// \param progress  `done` and `records` count the bytes that the file has; must outlive it
  PartialFile(std::filesystem::path path, ListedFile listed, ProgressCounters& progress, const StopFlag& stop);

  /// The partial file of a path, and whether bytes of it are there.
  static std::filesystem::path part_of(const std::filesystem::path& path);
  static std::uint64_t bytes_of_part(const std::filesystem::path& path);

  const ListedFile& listed() const noexcept { return listed_; }
  std::uint64_t size() const noexcept { return size_; }
  /// What the server said of the version that the bytes are of; empty if unknown.
  const std::string& validator() const noexcept { return validator_; }
  bool has_all() const noexcept { return listed_.bytes && size_ == *listed_.bytes; }

  /// Forgets all bytes.
  void restart();
  /// Keeps what the server says of the version that the next bytes are of.
  void set_validator(const std::string& validator);
  /// Appends bytes. Returns false, and takes none, if the file would be longer than it is listed.
  bool append(std::string_view bytes);

  /// Gives the file its name if size and SHA-1 are as listed. Otherwise returns what is wrong, as a clause, and the
  /// file has no bytes any more.
  std::string finish();

 private:
  void lock();
  void read_source();
  void count(std::uint64_t bytes) noexcept;

  const std::filesystem::path path_, part_, source_;
  const ListedFile listed_;
  ProgressCounters& progress_;
  Descriptor file_;
  Sha1 digest_;
  std::uint64_t size_ = 0;
  std::string validator_;
};

}  // namespace touchstone::pipeline::download
