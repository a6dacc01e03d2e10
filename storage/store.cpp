// This file is long because all access to an open database is in it.
#include "storage/store.hpp"

#include "common/system_failure.hpp"
#include "storage/bulk_loader.hpp"
#include "storage/rocksdb_settings.hpp"
#include "storage/store_directory.hpp"
#include "storage/store_log.hpp"
#include "storage/use_recorder.hpp"
#include "storage/write_failure.hpp"

#include <algorithm>
#include <array>
#include <optional>

#include <fmt/format.h>
#include <rocksdb/cache.h>
#include <rocksdb/convenience.h>
#include <rocksdb/db.h>
#include <rocksdb/iterator.h>
#include <rocksdb/metadata.h>
#include <rocksdb/options.h>
#include <rocksdb/table_properties.h>
#include <rocksdb/write_batch.h>

namespace touchstone::storage {

using internal::database_options;
using internal::DirectoryState;
using internal::family_options;
using internal::kAllFamilies;
using internal::require;
using internal::slice;
using internal::view;

namespace {

constexpr std::string_view kSchemaKey = "schema_version";
constexpr std::size_t kBlockCacheBytes = std::size_t{32} << 20;
constexpr std::uintmax_t kLeastFreeBytes = std::uintmax_t{8} << 20;

std::string encode_schema(std::uint32_t version) {
  return std::to_string(version);
}

}  // namespace

struct Store::Impl {
  std::unique_ptr<rocksdb::DB> database;
  std::vector<rocksdb::ColumnFamilyHandle*> opened;  // owned by `database`; with those of no family of ours
  std::array<rocksdb::ColumnFamilyHandle*, kFamilyCount> handles{};  // by family; null for one that a store lacks
  std::shared_ptr<rocksdb::Cache> cache = rocksdb::NewLRUCache(kBlockCacheBytes);
  Access access = Access::kReadOnly;
  internal::UseRecorder use;

  std::shared_ptr<internal::WriteFailure> failure = std::make_shared<internal::WriteFailure>();

  /// Throws as internal::require does, and remembers that a write failed.
  void require_written(const rocksdb::Status& status, const std::filesystem::path& directory, std::string_view doing) {
    if (status.IsIOError() || status.IsNoSpace()) failure->note();
    require(status, directory, doing);
  }

  ~Impl() {
    if (database == nullptr) return;
    if (failure->happened()) {
      // RocksDB's own checks end the program when such a database is closed, so that the message about the disk would
      // be lost. The process ends soon anyway.
      rocksdb::CancelAllBackgroundWork(database.get(), true);
      static_cast<void>(database.release());
      internal::end_without_destructors();
      return;
    }
    for (auto* handle : opened) database->DestroyColumnFamilyHandle(handle);
    // What was written with kGroup and not checkpointed is lost here on purpose: its resume offset is too.
    database->Close();
  }
  void open(const std::filesystem::path& directory, Access mode, bool existed);
  void make_families(const std::filesystem::path& directory, std::span<const Family> families);
  void make_family(const std::filesystem::path& directory, Family family, const Store* other);
  rocksdb::ColumnFamilyHandle* handle(Family family) const { return handles.at(static_cast<std::size_t>(family)); }
};

struct Batch::Impl {
  struct Operation {
    enum class Kind : std::uint8_t { kPut, kErase, kEraseRange } kind;
    Family family;
    std::string first, second;
  };
  // Held as plain operations because RocksDB's own batch wants family handles, which belong to an open store.
  std::vector<Operation> operations;
  std::size_t bytes = 0;
};

Batch::Batch() : impl_(std::make_unique<Impl>()) {}
Batch::~Batch() = default;
Batch::Batch(Batch&&) noexcept = default;
Batch& Batch::operator=(Batch&&) noexcept = default;

void Batch::put(Family family, std::string_view key, std::string_view value) {
  impl_->operations.push_back({Impl::Operation::Kind::kPut, family, std::string(key), std::string(value)});
  impl_->bytes += key.size() + value.size();
}
void Batch::erase(Family family, std::string_view key) {
  impl_->operations.push_back({Impl::Operation::Kind::kErase, family, std::string(key), {}});
}
void Batch::erase_range(Family family, std::string_view begin, std::string_view end) {
  impl_->operations.push_back({Impl::Operation::Kind::kEraseRange, family, std::string(begin), std::string(end)});
}

struct Cursor::Impl {
  std::unique_ptr<rocksdb::Iterator> iterator;
  std::filesystem::path directory;
};
Cursor::Cursor(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Cursor::~Cursor() = default;
Cursor::Cursor(Cursor&&) noexcept = default;
bool Cursor::valid() const {
  if (impl_->iterator->Valid()) return true;
  require(impl_->iterator->status(), impl_->directory, "read");
  return false;
}
std::string_view Cursor::key() const {
  return view(impl_->iterator->key());
}
std::string_view Cursor::value() const {
  return view(impl_->iterator->value());
}
void Cursor::next() {
  impl_->iterator->Next();
}
void Cursor::seek(std::string_view key) {
  impl_->iterator->Seek(slice(key));
}

Store::Store(std::filesystem::path directory) : directory_(std::move(directory)), impl_(std::make_unique<Impl>()) {}
Store::~Store() = default;

bool Store::exists(const std::filesystem::path& directory) {
  const auto state = internal::state_of(directory);
  return state == DirectoryState::kStore || state == DirectoryState::kDamaged;
}

namespace {

/// Refuses to make a store where there is something. A folder that holds files of a store is never made a new one: they
/// may be all that is left of days of work.
void require_room(const std::filesystem::path& directory, DirectoryState state) {
  if (state == DirectoryState::kForeign)
    throw StorageError(directory.string() + " exists but is not a store; name another --work directory");
  if (state == DirectoryState::kDamaged)
    throw StorageError(internal::damage_text(directory, "its file CURRENT is missing"));
}

void make_folder(const std::filesystem::path& directory) {
  std::error_code error;
  std::filesystem::create_directories(directory, error);
  if (error) throw StorageError(failure_text("make folder", directory, error));
}

/// RocksDB's own checks end the program when it cannot write the first files of a store.
void check_free_space(const std::filesystem::path& directory) {
  std::error_code error;
  const auto space = std::filesystem::space(directory, error);
  if (error || space.available >= kLeastFreeBytes) return;  // where it is not known, writing will tell
  throw StorageError("cannot open store " + directory.string() + " for writing: No space left on device (" +
                     std::to_string(space.available) + " bytes are free, " + std::to_string(kLeastFreeBytes) +
                     " are needed); free some space and run again");
}

std::string rocksdb_name(Family family) {
  return family == Family::kMeta ? rocksdb::kDefaultColumnFamilyName : std::string(to_string(family));
}

/// Refuses stores of another schema.
/// \param version  as the store holds it
void check_schema(const std::string& version, const std::filesystem::path& directory) {
  if (version == encode_schema(kSchemaVersion)) return;
  unsigned long found = 0;
  try {
    found = std::stoul(version);
  } catch (const std::exception&) {
    throw StorageError("store " + directory.string() + " has no readable schema version; is it a touchstone store?");
  }
  const std::string both = " (its schema is " + version + ", this program's " + encode_schema(kSchemaVersion) + ")";
  if (found > kSchemaVersion) {
    throw StorageError("store " + directory.string() + " was made by a newer touchstone" + both +
                       "; use that version, or name another --work directory");
  }
  throw StorageError("store " + directory.string() + " was made by an older touchstone" + both +
                     "; remove the directory and build it again from the dump");
}

}  // namespace

/// Makes an empty store beside its place, and puts it there when it is whole: a kill in between leaves no store, and
/// what was made goes on at the next call.
void Store::make(const std::filesystem::path& directory) {
  auto partial = directory;
  partial += ".partial";
  make_folder(partial);
  check_free_space(partial);
  {
    Store store(partial);
    store.impl_->open(partial, Access::kReadWrite, internal::state_of(partial) == DirectoryState::kStore);
    Batch batch;
    batch.put(Family::kMeta, kSchemaKey, encode_schema(kSchemaVersion));
    store.write(batch, Durability::kMachine);
  }
  std::error_code error;
  for (const auto& file : internal::files_of_store(directory)) std::filesystem::remove(directory / file.name, error);
  std::filesystem::rename(partial, directory, error);
  if (error) throw StorageError(failure_text("make store", directory, error));
}

std::unique_ptr<Store> Store::open(const std::filesystem::path& directory, Access access) {
  const auto state = internal::state_of(directory);
  if (state != DirectoryState::kStore) {
    if (access == Access::kReadOnly && state != DirectoryState::kDamaged)
      throw StorageError("there is no store in " + directory.string() + "; make one with touchstone ingest or build");
    require_room(directory, state);
    make(directory);
  }
  if (access == Access::kReadWrite) check_free_space(directory);
  std::unique_ptr<Store> store(new Store(directory));
  store->impl_->open(directory, access, true);
  std::string version;
  if (!store->get(Family::kMeta, kSchemaKey, version))
    throw StorageError("store " + directory.string() + " was begun and holds nothing; remove it and run again");
  check_schema(version, directory);
  return store;
}

/// Opens the database with every family that it has: those that a newer version added must not fail the open before the
/// schema version was read. Families that it lacks are created, or stay null where nothing may be written.
void Store::Impl::open(const std::filesystem::path& directory, Access mode, bool existed) {
  access = mode;
  std::vector<std::string> present = {rocksdb::kDefaultColumnFamilyName};
  if (existed)
    require(rocksdb::DB::ListColumnFamilies(rocksdb::DBOptions(), directory.string(), &present), directory, "open");
  std::vector<rocksdb::ColumnFamilyDescriptor> descriptors;
  std::vector<std::optional<Family>> families;  // of the descriptors
  std::vector<Family> missing;
  for (const Family family : kAllFamilies) {
    const std::string name = rocksdb_name(family);
    const auto found = std::find(present.begin(), present.end(), name);
    if (found == present.end()) {
      missing.push_back(family);
      continue;
    }
    present.erase(found);
    descriptors.emplace_back(name, family_options(family, cache));
    families.emplace_back(family);
  }
  for (const auto& name : present) {
    descriptors.emplace_back(name, rocksdb::ColumnFamilyOptions());
    families.emplace_back(std::nullopt);
  }
  rocksdb::DB* raw = nullptr;
  auto options = database_options(access);
  options.listeners.push_back(failure);
  options.info_log = std::make_shared<internal::StoreLog>(access == Access::kReadWrite ? directory / "LOG" : "");
  const auto status = access == Access::kReadOnly
                          ? rocksdb::DB::OpenForReadOnly(options, directory.string(), descriptors, &opened, &raw)
                          : rocksdb::DB::Open(options, directory.string(), descriptors, &opened, &raw);
  database.reset(raw);
  require(status, directory, "open");
  for (std::size_t i = 0; i < families.size(); ++i) {
    if (families[i]) handles[static_cast<std::size_t>(*families[i])] = opened[i];
  }
  if (access == Access::kReadWrite && !missing.empty()) make_families(directory, missing);
}

/// In one call, since RocksDB writes the options of all families to a file, and reads it again, at the end of each.
void Store::Impl::make_families(const std::filesystem::path& directory, std::span<const Family> families) {
  std::vector<rocksdb::ColumnFamilyDescriptor> descriptors;
  for (const Family family : families) descriptors.emplace_back(rocksdb_name(family), family_options(family, cache));
  std::vector<rocksdb::ColumnFamilyHandle*> made;
  const auto status = database->CreateColumnFamilies(descriptors, &made);
  opened.insert(opened.end(), made.begin(), made.end());
  require(status, directory, "open");
  for (std::size_t i = 0; i < made.size(); ++i) handles[static_cast<std::size_t>(families[i])] = made[i];
}

bool Store::get(Family family, std::string_view key, std::string& value) const {
  impl_->use.reads(family, key);
  if (impl_->handle(family) == nullptr) return false;
  const auto status = impl_->database->Get(rocksdb::ReadOptions(), impl_->handle(family), slice(key), &value);
  if (status.IsNotFound()) return false;
  require(status, directory_, "read");
  return true;
}

void Store::write(Batch& batch, Durability durability) {
  rocksdb::WriteBatch writes(batch.impl_->bytes + 32 * batch.impl_->operations.size());
  for (const auto& operation : batch.impl_->operations) {
    auto* handle = impl_->handle(operation.family);
    impl_->use.writes(operation.family, operation.first);
    switch (operation.kind) {
      case Batch::Impl::Operation::Kind::kPut:
        require(writes.Put(handle, slice(operation.first), slice(operation.second)), directory_, "write");
        break;
      case Batch::Impl::Operation::Kind::kErase:
        require(writes.Delete(handle, slice(operation.first)), directory_, "write");
        break;
      case Batch::Impl::Operation::Kind::kEraseRange:
        require(writes.DeleteRange(handle, slice(operation.first), slice(operation.second)), directory_, "write");
        break;
    }
  }
  rocksdb::WriteOptions options;
  options.disableWAL = durability == Durability::kGroup;
  options.sync = durability == Durability::kMachine;
  impl_->require_written(impl_->database->Write(options, &writes), directory_, "write");
  batch.impl_->operations.clear();
  batch.impl_->bytes = 0;
}

Cursor Store::cursor(Family family) const {
  impl_->use.reads(family, {});
  rocksdb::ReadOptions options;
  options.readahead_size = 1 << 20;
  // Single lists are read from all over the family, which is larger than the cache: to keep them there costs time.
  options.fill_cache = family != Family::kBacklinkList;
  auto impl = std::make_unique<Cursor::Impl>();
  auto* const handle = impl_->handle(family);
  impl->iterator.reset(handle == nullptr ? rocksdb::NewEmptyIterator() : impl_->database->NewIterator(options, handle));
  impl->directory = directory_;
  impl->iterator->SeekToFirst();
  return Cursor(std::move(impl));
}

void Store::checkpoint() {
  rocksdb::FlushOptions options;
  options.wait = true;
  impl_->require_written(impl_->database->Flush(options, impl_->opened), directory_, "flush");
  impl_->require_written(impl_->database->SyncWAL(), directory_, "flush");
}

void Store::clear(std::span<const Family> families) {
  const std::string last(64, '\xff');
  for (const Family family : families) {
    impl_->use.writes(family, {});
    auto* handle = impl_->handle(family);
    require(rocksdb::DeleteFilesInRange(impl_->database.get(), handle, nullptr, nullptr), directory_, "clear");
    // Files at level 0 and memtables are not covered by the call above.
    std::unique_ptr<rocksdb::Iterator> iterator(impl_->database->NewIterator(rocksdb::ReadOptions(), handle));
    iterator->SeekToLast();
    if (!iterator->Valid()) {
      require(iterator->status(), directory_, "clear");
      continue;
    }
    const std::string end = iterator->key().ToString() + '\0';
    iterator.reset();
    rocksdb::WriteBatch writes;
    require(writes.DeleteRange(handle, rocksdb::Slice(), end), directory_, "clear");
    rocksdb::WriteOptions options;
    options.sync = true;
    impl_->require_written(impl_->database->Write(options, &writes), directory_, "clear");
    rocksdb::CompactRangeOptions compact;
    compact.bottommost_level_compaction = rocksdb::BottommostLevelCompaction::kForce;
    impl_->require_written(impl_->database->CompactRange(compact, handle, nullptr, nullptr), directory_, "clear");
  }
}

StoreUse Store::take_use() {
  return impl_->use.take();
}

std::uint64_t Store::disk_bytes(Family family) const {
  std::uint64_t bytes = 0;
  if (impl_->handle(family) == nullptr) return bytes;
  impl_->database->GetIntProperty(impl_->handle(family), rocksdb::DB::Properties::kLiveSstFilesSize, &bytes);
  return bytes;
}

namespace {

/// Whether a table has erased ranges, with which RocksDB imports no table that has no key besides.
bool has_erased_ranges(rocksdb::DB& database, rocksdb::ColumnFamilyHandle* family,
                       const std::filesystem::path& directory) {
  rocksdb::TablePropertiesCollection tables;
  require(database.GetPropertiesOfAllTables(family, &tables), directory, "read");
  return std::any_of(tables.begin(), tables.end(),
                     [](const auto& table) { return table.second->num_range_deletions > 0; });
}

}  // namespace

/// Makes a family that was dropped, with the tables that it has in another store, if one is given.
void Store::Impl::make_family(const std::filesystem::path& directory, Family family, const Store* other) {
  const auto name = rocksdb_name(family);
  rocksdb::ExportImportFilesMetaData files;
  rocksdb::ColumnFamilyMetaData content;
  if (other != nullptr) {
    auto* const theirs = other->impl_->handle(family);
    other->impl_->database->GetColumnFamilyMetaData(theirs, &content);
    files.db_comparator_name = theirs->GetComparator()->Name();
  }
  for (const auto& level : content.levels) {
    for (const auto& table : level.files) {
      auto& file = files.files.emplace_back();
      static_cast<rocksdb::SstFileMetaData&>(file) = table;
      file.level = level.level;
      file.db_path = directory.string();
      file.name = fmt::format("/taken-{}-{}.sst.partial", name, files.files.size());
      internal::link_or_copy(other->directory_ / table.relative_filename, directory / file.name.substr(1));
    }
  }
  const auto options = family_options(family, cache);
  auto*& handle = handles.at(static_cast<std::size_t>(family));
  handle = nullptr;
  rocksdb::ImportColumnFamilyOptions import;
  import.move_files = true;
  require_written(files.files.empty() ? database->CreateColumnFamily(options, name, &handle)
                                      : database->CreateColumnFamilyWithImport(options, name, import, files, &handle),
                  directory, "take over");
  opened.push_back(handle);
}

void Store::take_over(const Store& other, std::span<const Family> families) {
  std::vector<rocksdb::ColumnFamilyHandle*> before;
  for (const Family family : families) {
    impl_->use.writes(family, {});
    before.push_back(impl_->handle(family));
    std::erase(impl_->opened, before.back());
  }
  impl_->require_written(impl_->database->DropColumnFamilies(before), directory_, "clear");
  for (auto* handle : before) impl_->database->DestroyColumnFamilyHandle(handle);
  for (const Family family : families) {
    auto* const theirs = other.impl_->handle(family);
    const bool by_key = theirs != nullptr && has_erased_ranges(*other.impl_->database, theirs, other.directory_);
    impl_->make_family(directory_, family, theirs == nullptr || by_key ? nullptr : &other);
    if (!by_key) continue;
    BulkLoader loader(*this);
    for (auto cursor = other.cursor(family); cursor.valid(); cursor.next())
      loader.add(family, cursor.key(), cursor.value());
    loader.commit();
  }
}

void Store::take_over(const std::map<Family, std::vector<std::filesystem::path>>& tables) {
  std::vector<rocksdb::IngestExternalFileArg> arguments;
  for (const auto& [family, files] : tables) {
    impl_->use.writes(family, {});
    auto& argument = arguments.emplace_back();
    argument.column_family = impl_->handle(family);
    argument.external_files.assign(files.begin(), files.end());
    argument.options.move_files = true;
    argument.options.write_global_seqno = false;  // the file may have another name, under which it must not change
  }
  impl_->require_written(impl_->database->IngestExternalFiles(arguments), directory_, "bulk load");
}

}  // namespace touchstone::storage
