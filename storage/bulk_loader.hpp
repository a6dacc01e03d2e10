#pragma once

#include "storage/store.hpp"

#include <filesystem>
#include <map>
#include <memory>
#include <string_view>
#include <vector>

namespace touchstone::storage {

/// A sorted table of one family in a file of its own, which a BulkLoader adds to a store. Not thread-safe. Throws
/// StorageError.
class TableWriter {
 public:
  TableWriter(std::filesystem::path path, Family family);
  ~TableWriter();
  TableWriter(TableWriter&&) noexcept;
  TableWriter& operator=(TableWriter&&) = delete;

  /// \pre keys ascend strictly
  void add(std::string_view key, std::string_view value);
  /// Completes the file and flushes it to disk. \pre it holds a key
  void finish();
  const std::filesystem::path& path() const noexcept { return path_; }

 private:
  struct Impl;
  std::filesystem::path path_;
  std::unique_ptr<Impl> impl_;
};

/// Fills families from sorted tables without passing the log and the memtables; all or nothing at `commit()`. Keys take
/// the place of equal ones that the family has. Throws StorageError.
class BulkLoader {
 public:
  explicit BulkLoader(Store& store);
  ~BulkLoader();
  BulkLoader(const BulkLoader&) = delete;
  BulkLoader& operator=(const BulkLoader&) = delete;

  /// \pre keys ascend strictly within a family
  void add(Family family, std::string_view key, std::string_view value);
  /// Adds a table that a TableWriter finished. The file stays, as another name of what is in the store.
  void add_table(Family family, const std::filesystem::path& file);
  void commit();

 private:
  std::filesystem::path free_name(Family family, std::string_view rest) const;

  Store& store_;
  std::map<Family, TableWriter> writers_;
  std::map<Family, std::vector<std::filesystem::path>> tables_;  ///< names in the store's folder that go again
};

}  // namespace touchstone::storage
