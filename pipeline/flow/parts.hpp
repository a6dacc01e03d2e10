#pragma once

#include "common/files.hpp"
#include "common/records/record_file.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string_view>
#include <utility>
#include <vector>

namespace touchstone::pipeline::flow {

/// A slice of a stage's work: [first, end) of what the stage counts, such as ids of pages.
struct Cut {
  std::uint64_t first = 0, end = 0;

  friend bool operator==(const Cut&, const Cut&) = default;
};
using Cuts = std::vector<Cut>;

/// Writes the parts of one cut: files of records, one a name. Thread-safe.
class PartWriter {
 public:
  /// \param folder  of the parts
  /// \param cut     number of the cut
  PartWriter(std::filesystem::path folder, std::size_t cut) : folder_(std::move(folder)), cut_(cut) {}

  /// A new file of records of the cut. It counts when it is finished.
  template <class Record>
  typename records::RecordFile<Record>::Writer records(std::string_view name) const {
    WriteOptions options;
    options.flush_to_disk = false;  // those of a shard are flushed together, before they count
    return typename records::RecordFile<Record>::Writer(path(name), options);
  }

  /// A file with one record, such as what the cut counted.
  template <class Record>
  void write(std::string_view name, const Record& record) const {
    auto file = records<Record>(name);
    file.add(record);
    file.finish();
  }

  std::filesystem::path path(std::string_view name) const;

 private:
  std::filesystem::path folder_;
  std::size_t cut_;
};

/// The parts of all cuts, for the merge. Thread-safe.
class Parts {
 public:
  Parts() = default;
  /// \param folders  of the parts, by cut
  explicit Parts(std::vector<std::filesystem::path> folders) : folders_(std::move(folders)) {}

  std::size_t cuts() const noexcept { return folders_.size(); }
  std::filesystem::path path(std::size_t cut, std::string_view name) const;

  /// Calls `take(record)` for the records of this name, cut after cut. Throws as RecordFile::Reader does.
  template <class Record, class Take>
  void for_each(std::string_view name, const Take& take) const {
    for (std::size_t cut = 0; cut < cuts(); ++cut) records::RecordFile<Record>::for_each(path(cut, name), take);
  }

  /// Moves the files of this name into a folder, which holds nothing else then: an artifact that later stages map file
  /// by file. Throws StorageError.
  void keep(std::string_view name, const std::filesystem::path& folder) const;

 private:
  std::vector<std::filesystem::path> folders_;
};

/// The files that `Parts::keep` left in a folder, in order. Throws StorageError if the folder cannot be read.
std::vector<std::filesystem::path> kept_parts(const std::filesystem::path& folder);
/// A cut for each of them: [0, 1), [1, 2) and so on.
Cuts cuts_of_kept(const std::filesystem::path& folder);

}  // namespace touchstone::pipeline::flow
