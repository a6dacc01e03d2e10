#include "storage/salvage.hpp"

#include "common/descriptor.hpp"
#include "common/files.hpp"
#include "storage/rocksdb_settings.hpp"
#include "storage/store_directory.hpp"
#include "storage/write_ahead_log.hpp"

#include <algorithm>
#include <cerrno>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <fcntl.h>
#include <fmt/format.h>
#include <rocksdb/options.h>
#include <rocksdb/sst_file_reader.h>
#include <rocksdb/write_batch.h>
#include <unistd.h>

namespace touchstone::storage {
namespace {

namespace fs = std::filesystem;
using Use = std::function<void(std::string_view, std::string_view)>;

constexpr std::size_t kKeyDigits = 64;
constexpr std::uint64_t kMaxLogBytes = std::uint64_t{1} << 36;

/// Keys of judgments are digests in hexadecimal, which no other family has.
bool is_judgment_key(std::string_view key) {
  return key.size() == kKeyDigits && key.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

/// Reads one table file. Keys are looked at as numbers: the first 15 of their hexadecimal digits.
class TableReader {
 public:
  TableReader(const fs::path& file, const Use& use)
      : reader_(rocksdb::Options(rocksdb::DBOptions(), internal::family_options(Family::kJudgment, nullptr))),
        use_(use),
        opened_(reader_.Open(file.string()).ok() && reader_.GetTableProperties() != nullptr) {}

  bool opened() const { return opened_; }
  /// False for tables of other families. Those that were loaded in bulk do not say of which they are.
  bool holds_judgments() const {
    const auto& name = reader_.GetTableProperties()->column_family_name;
    return name == to_string(Family::kJudgment);
  }

  /// Returns how many records the file holds that could not be read.
  std::uint64_t read() {
    for (std::uint64_t place = 0; place <= kLastPlace;) {
      const auto bad = read_from(place);
      if (!bad) break;
      place = behind(*bad);
    }
    const auto entries = reader_.GetTableProperties()->num_entries;
    return entries - std::min(entries, read_);
  }
  std::uint64_t records() const { return read_; }

 private:
  static constexpr std::uint64_t kLastPlace = (std::uint64_t{1} << 60) - 1;

  static std::string key_at(std::uint64_t place) { return fmt::format("{:015x}", place); }
  static std::uint64_t place_of(std::string_view key) {
    return std::stoull(std::string(key.substr(0, 15)), nullptr, 16);
  }
  std::unique_ptr<rocksdb::Iterator> iterator_at(std::uint64_t place) {
    std::unique_ptr<rocksdb::Iterator> iterator(reader_.NewIterator(rocksdb::ReadOptions()));
    iterator->Seek(key_at(place));
    return iterator;
  }
  /// Whether something can be read from there on, or the file ends.
  bool is_readable(std::uint64_t place) { return place > kLastPlace || iterator_at(place)->status().ok(); }

  /// Reads up to the end of the file or to a damage; returns the place of that.
  std::optional<std::uint64_t> read_from(std::uint64_t place) {
    const auto iterator = iterator_at(place);
    for (; iterator->Valid(); iterator->Next()) {
      const auto key = internal::view(iterator->key());
      if (!is_judgment_key(key)) continue;
      place = place_of(key);
      // Two keys with the same first digits are never seen twice: what follows a damage starts behind its place.
      use_(key, internal::view(iterator->value()));
      ++read_;
    }
    if (iterator->status().ok()) return std::nullopt;
    return place;
  }

  /// The first place behind `bad` that can be read: steps that double find one, halving finds the first.
  std::uint64_t behind(std::uint64_t bad) {
    std::uint64_t step = 1;
    std::uint64_t good = bad + step;
    while (!is_readable(good)) {
      bad = good;
      step *= 2;
      good = step > kLastPlace - bad ? kLastPlace + 1 : bad + step;
    }
    while (good - bad > 1) {
      const auto middle = bad + (good - bad) / 2;
      (is_readable(middle) ? good : bad) = middle;
    }
    return good;
  }

  rocksdb::SstFileReader reader_;
  const Use& use_;
  bool opened_;
  std::uint64_t read_ = 0;
};

/// Takes the judgments of a batch of the log. All else of the batch is passed over.
class BatchReader : public rocksdb::WriteBatch::Handler {
 public:
  explicit BatchReader(const Use& use) : use_(use) {}
  std::uint64_t records() const { return records_; }

  rocksdb::Status PutCF(std::uint32_t, const rocksdb::Slice& key, const rocksdb::Slice& value) override {
    if (is_judgment_key(internal::view(key))) {
      use_(internal::view(key), internal::view(value));
      ++records_;
    }
    return rocksdb::Status::OK();
  }
  rocksdb::Status DeleteCF(std::uint32_t, const rocksdb::Slice&) override { return rocksdb::Status::OK(); }
  rocksdb::Status SingleDeleteCF(std::uint32_t, const rocksdb::Slice&) override { return rocksdb::Status::OK(); }
  rocksdb::Status DeleteRangeCF(std::uint32_t, const rocksdb::Slice&, const rocksdb::Slice&) override {
    return rocksdb::Status::OK();
  }
  rocksdb::Status MarkBeginPrepare(bool) override { return rocksdb::Status::OK(); }
  rocksdb::Status MarkEndPrepare(const rocksdb::Slice&) override { return rocksdb::Status::OK(); }
  rocksdb::Status MarkNoop(bool) override { return rocksdb::Status::OK(); }
  rocksdb::Status MarkRollback(const rocksdb::Slice&) override { return rocksdb::Status::OK(); }
  rocksdb::Status MarkCommit(const rocksdb::Slice&) override { return rocksdb::Status::OK(); }

 private:
  const Use& use_;
  std::uint64_t records_ = 0;
};

/// RocksDB locks this file for as long as a store is open for writing.
void check_unused(const fs::path& directory) {
  const Descriptor file(::open((directory / "LOCK").c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.is_open()) return;  // no process can have the store open
  struct flock lock {};
  lock.l_type = F_WRLCK;
  lock.l_whence = SEEK_SET;
  if (::fcntl(file.get(), F_GETLK, &lock) == 0 && lock.l_type != F_UNLCK) {
    throw StorageError("store " + directory.string() +
                       " is in use by another touchstone process; wait for it before you read the store's files");
  }
}

void read_log(const fs::path& file, const Use& use, SalvageCounts& counts) {
  BatchReader batches(use);
  counts.lost_log_bytes += internal::read_log_records(read_file(file, kMaxLogBytes), [&](const std::string& record) {
    if (!rocksdb::WriteBatch(record).Iterate(&batches).ok()) counts.lost_log_bytes += record.size();
  });
  counts.records += batches.records();
  ++counts.logs;
}

void read_table(const fs::path& file, const Use& use, SalvageCounts& counts) {
  TableReader table(file, use);
  if (!table.opened()) {
    ++counts.unopened_tables;
    counts.unopened_bytes += fs::file_size(file);
    return;
  }
  if (!table.holds_judgments()) return;
  ++counts.tables;
  counts.lost_records += table.read();
  counts.records += table.records();
}

}  // namespace

SalvageCounts salvage_judgments(const fs::path& directory, const Use& use) {
  using internal::FileKind;
  const auto files = internal::files_of_store(directory);
  const bool any =
      std::any_of(files.begin(), files.end(), [](const auto& file) { return file.kind != FileKind::kOther; });
  if (!any) throw StorageError("there is no file of a store in " + directory.string() + "; name another --work");
  check_unused(directory);
  SalvageCounts counts;
  for (const auto& file : files) {
    if (file.kind == FileKind::kTable) read_table(directory / file.name, use, counts);
    if (file.kind == FileKind::kLog) read_log(directory / file.name, use, counts);
  }
  return counts;
}

}  // namespace touchstone::storage
