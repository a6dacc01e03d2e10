#pragma once

#include "common/error.hpp"

#include <bitset>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace touchstone::storage {

/// Version of what is in the store: keys and records. Raised when one of them changes so that older programs or stores
/// would be misread; docs/store.md says what each number holds. A new family, or a field at the end of a record that
/// readers can do without, raises nothing: older stores open, and only the stages that fill the family run.
inline constexpr std::uint32_t kSchemaVersion = 2;

/// The column families, in the order of docs/store.md.
enum class Family : std::uint8_t {
  kMeta,
  kPage,
  kTitle,
  kOutline,
  kParagraph,
  kTable,
  kLink,
  kBacklink,  ///< who links to a page in older stores; now in the last three families
  kAlias,
  kJudgment,  ///< replies of judges in older stores; now they are in a file beside the store
  kTemplate,
  kLinkTarget,
  kAttribute,
  kEntity,
  kReading,
  kClass,
  kSqlPage,
  kBacklinkSource,
  kBacklinkList,
  kBacklinkPlace
};
inline constexpr std::size_t kFamilyCount = 20;
std::string_view to_string(Family family) noexcept;

/// A key of a family with its value.
struct Entry {
  Family family = Family::kMeta;
  std::string key, value;
  template <class Fields>
  void fields(Fields& field) {
    field("family", family)("key", key)("value", value);
  }
};

/// Key-value pairs that are written together or not at all.
class Batch {
 public:
  Batch();
  ~Batch();
  Batch(Batch&&) noexcept;
  Batch& operator=(Batch&&) noexcept;

  void put(Family family, std::string_view key, std::string_view value);
  void erase(Family family, std::string_view key);
  /// Erases all keys in [begin, end).
  void erase_range(Family family, std::string_view begin, std::string_view end);

 private:
  friend class Store;
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Walks keys of one family in ascending order. Views are valid until the next move.
class Cursor {
 public:
  ~Cursor();
  Cursor(Cursor&&) noexcept;
  bool valid() const;
  std::string_view key() const;
  std::string_view value() const;
  void next();
  void seek(std::string_view key);

 private:
  friend class Store;
  struct Impl;
  explicit Cursor(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

/// What an open store may do.
enum class Access { kReadWrite, kReadOnly };

/// How safe a write is when it returns.
enum class Durability {
  kGroup,    ///< survives a crash of the program only from the next checkpoint() on, with all that was written before
  kProcess,  ///< survives a crash or kill of the program
  kMachine,  ///< survives a power cut as well
};

/// What was read and written through an open store. Of the meta family only its keys are of interest.
struct StoreUse {
  std::bitset<kFamilyCount> read, written;        ///< by number of the family; never kMeta
  std::set<std::string> meta_read, meta_written;  ///< keys of kMeta
};

/// One directory of RocksDB column families. The only place that talks to RocksDB.
///
/// Reads are thread-safe; writes may come from several threads. Every failure throws StorageError with the directory
/// and a remedy: not a store, schema too old, schema too new, in use by another process, damaged.
class Store {
 public:
  /// Opens `directory`. If there is none, kReadWrite makes one in `directory`.partial and renames it. Families that an
  /// older version did not have are created; a store that may only be read shows them as empty.
  static std::unique_ptr<Store> open(const std::filesystem::path& directory, Access access);
  ~Store();
  Store(const Store&) = delete;
  Store& operator=(const Store&) = delete;

  /// True for a damaged store too: what cannot be opened is not nothing. Throws StorageError when the directory cannot
  /// be looked into.
  static bool exists(const std::filesystem::path& directory);

  /// False when there is no such key.
  bool get(Family family, std::string_view key, std::string& value) const;
  void write(Batch& batch, Durability durability);
  Cursor cursor(Family family) const;

  /// Makes all that was written with kGroup durable, in all families at once.
  void checkpoint();

  /// Removes everything of these families. A kill in between leaves some of them emptied, none of them half read.
  void clear(std::span<const Family> families);

  /// Makes families hold what they hold in another store that is open, whose files get second names where the file
  /// system has such, and are copied elsewhere. A kill in between leaves some of the families as they were, and some of
  /// them empty. \pre nothing in these families of `other` waits for its checkpoint()
  void take_over(const Store& other, std::span<const Family> families);

  /// Approximate number of bytes of a family on disk.
  std::uint64_t disk_bytes(Family family) const;

  /// What was read and written since the last call. A stage's declaration is checked against it, so it is always
  /// recorded: one look at a flag for each call.
  StoreUse take_use();

  const std::filesystem::path& directory() const noexcept { return directory_; }

 private:
  friend class BulkLoader;
  /// Adds files of sorted tables, which move into the store: all of them or none.
  void take_over(const std::map<Family, std::vector<std::filesystem::path>>& tables);
  struct Impl;
  explicit Store(std::filesystem::path directory);
  static void make(const std::filesystem::path& directory);
  std::filesystem::path directory_;
  std::unique_ptr<Impl> impl_;
};

}  // namespace touchstone::storage
