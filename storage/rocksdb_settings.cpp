#include "storage/rocksdb_settings.hpp"

#include <rocksdb/filter_policy.h>
#include <rocksdb/table.h>

namespace touchstone::storage {

std::string_view to_string(Family family) noexcept {
  switch (family) {
    case Family::kMeta:
      return "meta";
    case Family::kPage:
      return "page";
    case Family::kTitle:
      return "title";
    case Family::kOutline:
      return "outline";
    case Family::kParagraph:
      return "paragraph";
    case Family::kTable:
      return "table";
    case Family::kLink:
      return "link";
    case Family::kBacklink:
      return "backlink";
    case Family::kAlias:
      return "alias";
    case Family::kJudgment:
      return "judgment";
    case Family::kTemplate:
      return "template";
    case Family::kLinkTarget:
      return "link_target";
    case Family::kAttribute:
      return "attribute";
    case Family::kEntity:
      return "entity";
    case Family::kReading:
      return "reading";
    case Family::kClass:
      return "class";
    case Family::kSqlPage:
      return "sql_page";
    case Family::kBacklinkSource:
      return "backlink_source";
    case Family::kBacklinkList:
      return "backlink_list";
    case Family::kBacklinkPlace:
      return "backlink_place";
  }
  return "?";
}

namespace internal {
namespace {

/// Of a status that is not about a lock that another process holds, but about a lock file that cannot be made.
constexpr const char* kNoLockFile = "open a file for lock";

constexpr std::size_t kMemtableBytes = std::size_t{64} << 20;  // of all families together

}  // namespace

void require(const rocksdb::Status& status, const std::filesystem::path& directory, std::string_view doing) {
  if (status.ok()) return;
  std::string message = "store " + directory.string() + ": cannot " + std::string(doing) + ": " + status.ToString();
  if (status.IsIOError() && status.ToString().find(kNoLockFile) != std::string::npos) {
    message += "; see that this user may write the folder, or name another --work";
  } else if (status.IsIOError() && status.ToString().find("lock") != std::string::npos) {
    message =
        "store " + directory.string() + " is in use by another touchstone process; wait for it or name another --work";
  } else if (status.IsNoSpace()) {
    message += "; free some space and run again";
  } else if (status.IsCorruption() || status.IsPathNotFound()) {
    message = damage_text(directory, status.ToString());
  }
  throw StorageError(message);
}

std::string damage_text(const std::filesystem::path& directory, std::string_view why) {
  return "store " + directory.string() + " is damaged (" + std::string(why) +
         "): move the directory away and build again; replies of judges are in a file beside it and stay";
}

/// Families that hold text are written once, in the order of their keys, and read seldom: larger blocks. LZ4, since
/// zstd would take as much time as reading the wikitext does, and save a quarter of the space. Families of point
/// look-ups get a filter.
rocksdb::ColumnFamilyOptions family_options(Family family, const std::shared_ptr<rocksdb::Cache>& cache) {
  rocksdb::ColumnFamilyOptions options;
  rocksdb::BlockBasedTableOptions table;
  table.block_cache = cache;
  table.format_version = 5;
  const bool bulky = family == Family::kParagraph || family == Family::kTable || family == Family::kLink;
  table.block_size = bulky ? 32 << 10 : family == Family::kBacklinkList ? 2 << 10 : 8 << 10;
  if (family == Family::kPage || family == Family::kTitle || family == Family::kTemplate)
    table.filter_policy.reset(rocksdb::NewBloomFilterPolicy(10));
  options.table_factory.reset(rocksdb::NewBlockBasedTableFactory(table));
  // With one compression on all levels, files whose keys ascend are moved down as they are. Lists of backlinks are
  // bits without a pattern.
  options.compression = options.bottommost_compression =
      family == Family::kBacklinkList ? rocksdb::kNoCompression : rocksdb::kLZ4Compression;
  options.write_buffer_size = std::size_t{bulky ? 16U : 8U} << 20;
  options.max_write_buffer_number = 2;
  options.level_compaction_dynamic_level_bytes = true;
  // A store that begins with the tables of another one gets up to three small files a family; all of it is written anew
  // when so many have come together.
  options.level0_file_num_compaction_trigger = 8;
  return options;
}

rocksdb::DBOptions database_options(Access access) {
  rocksdb::DBOptions options;
  options.create_if_missing = access == Access::kReadWrite;
  // Families are flushed together, so what a crash leaves of un-logged writes is a state that once was.
  options.atomic_flush = true;
  options.max_background_jobs = 2;
  options.db_write_buffer_size = kMemtableBytes;
  options.max_open_files = 256;
  // A damage in the middle of the log must not silently end it there.
  options.wal_recovery_mode = rocksdb::WALRecoveryMode::kTolerateCorruptedTailRecords;
  return options;
}

}  // namespace internal
}  // namespace touchstone::storage
