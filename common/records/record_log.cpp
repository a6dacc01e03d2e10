#include "common/records/record_log.hpp"

#include "common/digest.hpp"
#include "common/error.hpp"
#include "common/files.hpp"
#include "common/records/record_block.hpp"
#include "common/records/record_coding.hpp"
#include "common/system_failure.hpp"

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace touchstone::records {
namespace {

constexpr std::string_view kLogHead = "touchstone record log 1 ";
constexpr std::string_view kMark = "\x9B\xE4\x17\xFA\x5C\xD2\x83\x0E";
/// Small, since a record is looked for by unpacking its block; blocks twice as large save a tenth of the space.
constexpr std::size_t kLogBlockBytes = std::size_t{8} << 10;
constexpr std::size_t kScanBytes = std::size_t{1} << 20;

/// Reads a file, a piece at a time.
class FilePieces {
 public:
  /// \param path  for messages; outlives this object
  FilePieces(int file, const std::filesystem::path& path, std::size_t piece)
      : file_(file), path_(path), piece_(piece) {}

  /// Bytes from an offset on, fewer at the end of the file. Valid until the next call.
  std::string_view at(std::uint64_t offset, std::size_t size) {
    if (offset < begin_ || offset + size > begin_ + filled_) fill(offset, size);
    const auto from = static_cast<std::size_t>(offset - begin_);
    return std::string_view(buffer_).substr(from, std::min(size, filled_ - from));
  }

 private:
  void fill(std::uint64_t offset, std::size_t size) {
    buffer_.resize(std::max({size, piece_, buffer_.size()}));
    begin_ = offset;
    filled_ = 0;
    while (filled_ < size) {
      const auto got =
          ::pread(file_, buffer_.data() + filled_, buffer_.size() - filled_, static_cast<off_t>(offset + filled_));
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) throw StorageError(failure_text("read", path_, errno));
      if (got == 0) return;
      filled_ += static_cast<std::size_t>(got);
    }
  }

  const int file_;
  const std::filesystem::path& path_;
  const std::size_t piece_;
  std::string buffer_;
  std::uint64_t begin_ = 0;
  std::size_t filled_ = 0;
};

std::uint64_t size_of(int file, const std::filesystem::path& path) {
  struct stat status {};
  if (::fstat(file, &status) != 0) throw StorageError(failure_text("read", path, errno));
  return static_cast<std::uint64_t>(status.st_size);
}

/// Size in the file of the block at an offset, with its records; 0 if there is no whole block.
std::uint64_t block_at(FilePieces& pieces, std::uint64_t offset, std::uint64_t file_size, std::uint64_t seed,
                       std::string& records) {
  constexpr auto kHeadBytes = kMark.size() + internal::BlockHead::kBytes;
  const auto begin = pieces.at(offset, kHeadBytes);
  if (begin.size() < kHeadBytes || !begin.starts_with(kMark)) return 0;
  const auto head = internal::BlockHead::of(begin.substr(kMark.size()));
  const auto size = kHeadBytes + head.stored;
  if (size > file_size - offset) return 0;
  const auto stored = pieces.at(offset, size).substr(kHeadBytes);
  return stored.size() == head.stored && internal::unpack_block(head, stored, records, seed) ? size : 0;
}

/// Finds the next mark. Returns its offset, or the size of the file if no mark follows.
std::uint64_t next_mark(FilePieces& pieces, std::uint64_t offset, std::uint64_t file_size) {
  for (;;) {
    const auto piece = pieces.at(offset, kScanBytes);
    if (piece.size() < kMark.size()) return file_size;
    const auto found = piece.find(kMark);
    if (found != std::string_view::npos) return offset + found;
    offset += piece.size() - kMark.size() + 1;
  }
}

}  // namespace

RecordLog::RecordLog(std::filesystem::path path, std::string_view layout, Access access, const Take& take)
    : path_(std::move(path)), seed_(xxh3_64(layout)) {
  const auto head = std::string(kLogHead).append(layout).append("\n");
  std::error_code ignored;  // opening says what is wrong
  const bool appends = access != Access::kRead;
  if (appends && !std::filesystem::exists(path_, ignored)) write_file_atomically(path_, head);
  file_ = Descriptor(::open(path_.c_str(), (appends ? O_RDWR : O_RDONLY) | O_CLOEXEC));
  if (!file_.is_open()) {
    if (errno == ENOENT && !appends) return;
    throw StorageError(failure_text("open", path_, errno));
  }
  if (access == Access::kAppend) lock();
  scan(head, access, take);
}

void RecordLog::lock() {
  if (::flock(file_.get(), LOCK_EX | LOCK_NB) == 0) return;
  if (errno != EWOULDBLOCK) throw StorageError(failure_text("lock", path_, errno));
  throw StorageError(path_.string() +
                     " is in use by another touchstone process; wait for it or name another --work directory");
}

void RecordLog::scan(std::string_view head, Access access, const Take& take) {
  const auto size = size_of(file_.get(), path_);
  FilePieces pieces(file_.get(), path_, kScanBytes);
  const auto first = pieces.at(0, head.size());
  const bool begun_well = head.starts_with(first);
  if (access != Access::kRead && begun_well && first.size() < head.size()) write_at(0, head);
  end_ = begun_well ? head.size() : 0;
  std::string records;
  for (auto at = end_; at < size;) {
    const auto bytes = block_at(pieces, at, size, seed_, records);
    if (bytes == 0) {
      at = next_mark(pieces, at + 1, size);
      continue;
    }
    if (at > end_) {
      ++losses_.places;
      losses_.bytes += at - end_;
    }
    Decoder from(records);
    for (Place place{at}; !from.at_end(); ++place.record) take(place, from.text());
    end_ = at += bytes;
  }
  if (end_ == 0)
    throw FormatError(path_.string() + " is not what this version writes under that name; move it away and run again");
  if (access == Access::kRead || size <= end_) return;
  losses_.cut = size - end_;
  if (::ftruncate(file_.get(), static_cast<off_t>(end_)) != 0) throw StorageError(failure_text("write", path_, errno));
}

void RecordLog::write_at(std::uint64_t offset, std::string_view bytes) {
  while (!bytes.empty()) {
    const auto written = ::pwrite(file_.get(), bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) throw StorageError(failure_text("write", path_, errno));
    bytes.remove_prefix(static_cast<std::size_t>(written));
    offset += static_cast<std::uint64_t>(written);
  }
}

std::vector<RecordLog::Place> RecordLog::append(std::span<const std::string> records, Durability durability) {
  const std::lock_guard lock(append_);
  std::string bytes;
  Encoder block;
  Place place{end_};
  std::vector<Place> places;
  const auto close_block = [&] {
    bytes.append(kMark).append(internal::pack_block(block.bytes(), seed_));
    block.clear();
    place = {end_ + bytes.size()};
  };
  for (const auto& record : records) {
    TS_CHECK(record.size() < internal::kMostBlockBytes, "a record of a gigabyte");
    if (!block.bytes().empty() && block.bytes().size() + record.size() > kLogBlockBytes) close_block();
    places.push_back(place);
    ++place.record;
    block.text(record);
  }
  if (!block.bytes().empty()) close_block();
  try {
    write_at(end_, bytes);
  } catch (const StorageError&) {
    // If this fails too, the next block replaces these bytes, or opening the log cuts them off.
    static_cast<void>(::ftruncate(file_.get(), static_cast<off_t>(end_)));
    throw;
  }
  if (durability == Durability::kMachine && ::fdatasync(file_.get()) != 0)
    throw StorageError(failure_text("write", path_, errno));
  end_ += bytes.size();
  return places;
}

std::string RecordLog::read(Place place) const {
  constexpr std::size_t kFirstBytes = std::size_t{8} << 10;
  FilePieces pieces(file_.get(), path_, kFirstBytes);
  std::string records;
  if (block_at(pieces, place.block, size_of(file_.get(), path_), seed_, records) == 0)
    throw StorageError(path_.string() + " was changed while it was read; run again");
  Decoder from(records);
  for (std::uint32_t i = 0; i < place.record; ++i) static_cast<void>(from.text());
  return std::string(from.text());
}

}  // namespace touchstone::records
