#pragma once

#include <algorithm>
#include <filesystem>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include <rocksdb/db.h>

namespace touchstone::testing {

inline void require_ok(const rocksdb::Status& status) {
  if (!status.ok()) throw std::runtime_error(status.ToString());
}

/// Removes a column family from a closed store, as if a version of the program that did not have it had made the store.
inline void drop_family(const std::filesystem::path& store, const std::string& family) {
  std::vector<std::string> names;
  require_ok(rocksdb::DB::ListColumnFamilies(rocksdb::DBOptions(), store.string(), &names));
  std::vector<rocksdb::ColumnFamilyDescriptor> descriptors;
  for (const auto& name : names) descriptors.emplace_back(name, rocksdb::ColumnFamilyOptions());
  std::vector<rocksdb::ColumnFamilyHandle*> handles;
  rocksdb::DB* raw = nullptr;
  require_ok(rocksdb::DB::Open(rocksdb::DBOptions(), store.string(), descriptors, &handles, &raw));
  const std::unique_ptr<rocksdb::DB> database(raw);
  const auto at = std::find(names.begin(), names.end(), family) - names.begin();
  require_ok(database->DropColumnFamily(handles.at(static_cast<std::size_t>(at))));
  for (auto* handle : handles) require_ok(database->DestroyColumnFamilyHandle(handle));
}

/// Adds a column family to a closed store, as a newer version of the program would.
inline void add_family(const std::filesystem::path& store, const std::string& family) {
  std::vector<std::string> names;
  require_ok(rocksdb::DB::ListColumnFamilies(rocksdb::DBOptions(), store.string(), &names));
  std::vector<rocksdb::ColumnFamilyDescriptor> descriptors;
  for (const auto& name : names) descriptors.emplace_back(name, rocksdb::ColumnFamilyOptions());
  descriptors.emplace_back(family, rocksdb::ColumnFamilyOptions());
  rocksdb::DBOptions options;
  options.create_missing_column_families = true;
  std::vector<rocksdb::ColumnFamilyHandle*> handles;
  rocksdb::DB* raw = nullptr;
  require_ok(rocksdb::DB::Open(options, store.string(), descriptors, &handles, &raw));
  const std::unique_ptr<rocksdb::DB> database(raw);
  for (auto* handle : handles) require_ok(database->DestroyColumnFamilyHandle(handle));
}

}  // namespace touchstone::testing
