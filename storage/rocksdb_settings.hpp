#pragma once

#include "storage/store.hpp"

#include <array>
#include <filesystem>
#include <memory>
#include <string_view>

#include <rocksdb/cache.h>
#include <rocksdb/options.h>
#include <rocksdb/slice.h>
#include <rocksdb/status.h>

/// How this room uses RocksDB: its settings for each family, and its errors as ours.
namespace touchstone::storage::internal {

inline constexpr std::array<Family, kFamilyCount> kAllFamilies = {
    Family::kMeta,     Family::kPage,       Family::kTitle,          Family::kOutline,      Family::kParagraph,
    Family::kTable,    Family::kLink,       Family::kBacklink,       Family::kAlias,        Family::kJudgment,
    Family::kTemplate, Family::kLinkTarget, Family::kAttribute,      Family::kEntity,       Family::kReading,
    Family::kClass,    Family::kSqlPage,    Family::kBacklinkSource, Family::kBacklinkList, Family::kBacklinkPlace};

inline rocksdb::Slice slice(std::string_view text) {
  return {text.data(), text.size()};
}
inline std::string_view view(const rocksdb::Slice& slice) {
  return {slice.data(), slice.size()};
}

/// Throws StorageError with the remedy unless `status` is good.
/// \param doing  what was tried, for the message: "write"
void require(const rocksdb::Status& status, const std::filesystem::path& directory, std::string_view doing);

/// The sentence about a damaged store, with the remedy.
std::string damage_text(const std::filesystem::path& directory, std::string_view why);

/// Settings of a family's blocks, filters and compression.
rocksdb::ColumnFamilyOptions family_options(Family family, const std::shared_ptr<rocksdb::Cache>& cache);

/// Settings of the database.
rocksdb::DBOptions database_options(Access access);

}  // namespace touchstone::storage::internal
