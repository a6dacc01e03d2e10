#include "pipeline/download/partial_file.hpp"

#include "common/error.hpp"
#include "common/files.hpp"
#include "common/json_tree.hpp"
#include "common/log.hpp"
#include "common/system_failure.hpp"

#include <algorithm>
#include <cerrno>
#include <memory>
#include <system_error>

#include <fcntl.h>
#include <nlohmann/json.hpp>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace touchstone::pipeline::download {

namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kMaxSourceBytes = 4096;
constexpr std::size_t kReadBytes = std::size_t{1} << 20;

}  // namespace

Sha1 sha1_of_file(const Descriptor& file, const fs::path& path, std::uint64_t bytes, const StopFlag& stop) {
  Sha1 digest;
  const auto buffer = std::make_unique_for_overwrite<char[]>(kReadBytes);
  for (std::uint64_t at = 0; at < bytes;) {
    stop.check();
    const auto wanted = static_cast<std::size_t>(std::min<std::uint64_t>(kReadBytes, bytes - at));
    const auto got = read_at(file, buffer.get(), wanted, at);
    if (got < 0) throw StorageError(failure_text("read", path, errno));
    if (got == 0) throw StorageError(path.string() + " became shorter while it was read; leave it alone and run again");
    digest.update({buffer.get(), static_cast<std::size_t>(got)});
    at += static_cast<std::uint64_t>(got);
  }
  return digest;
}

fs::path PartialFile::part_of(const fs::path& path) {
  return path.string() + ".part";
}

std::uint64_t PartialFile::bytes_of_part(const fs::path& path) {
  std::error_code error;
  const auto bytes = fs::file_size(part_of(path), error);
  return error ? 0 : bytes;
}

PartialFile::PartialFile(fs::path path, ListedFile listed, ProgressCounters& progress, const StopFlag& stop)
    : path_(std::move(path)),
      part_(part_of(path_)),
      source_(part_.string() + ".source"),
      listed_(std::move(listed)),
      progress_(progress),
      file_(::open(part_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666)) {
  if (!file_.is_open()) throw StorageError(failure_text("open", part_, errno));
  lock();
  struct stat status {};
  if (::fstat(file_.get(), &status) != 0) throw StorageError(failure_text("read", part_, errno));
  size_ = static_cast<std::uint64_t>(status.st_size);
  count(size_);
  read_source();
  if (size_ > listed_.bytes.value_or(size_)) restart();
  digest_ = sha1_of_file(file_, part_, size_, stop);
}

void PartialFile::lock() {
  const auto taken = [&]() -> StorageError {
    return StorageError(part_.string() + " is being downloaded by another process; wait until it is done, or end it");
  };
  if (::flock(file_.get(), LOCK_EX | LOCK_NB) != 0)
    throw errno == EWOULDBLOCK ? taken() : StorageError(failure_text("lock", part_, errno));
  // The other process may have given the file its name in the meantime.
  struct stat ours {
  }, named{};
  if (::fstat(file_.get(), &ours) != 0 || ::stat(part_.c_str(), &named) != 0 || ours.st_ino != named.st_ino)
    throw taken();
}

void PartialFile::read_source() {
  std::error_code error;
  if (size_ == 0 || !fs::exists(source_, error)) return;
  const auto json = parse_json_or_discard(read_file(source_, kMaxSourceBytes));
  const auto text = [&](const char* name) {
    const bool is_there = json.is_object() && json.contains(name) && json[name].is_string();
    return is_there ? json[name].get<std::string>() : std::string();
  };
  if (text("sha1") == listed_.sha1) {
    validator_ = text("validator");
  } else {
    log_info("{} is of another version of the file; it is fetched anew", part_.string());
    restart();
  }
}

void PartialFile::count(std::uint64_t bytes) noexcept {
  progress_.done += bytes;
  progress_.records += bytes;
}

void PartialFile::restart() {
  if (::ftruncate(file_.get(), 0) != 0) throw StorageError(failure_text("shorten", part_, errno));
  progress_.done -= size_;
  progress_.records -= size_;
  size_ = 0;
  digest_ = Sha1();
  validator_.clear();
}

void PartialFile::set_validator(const std::string& validator) {
  if (validator == validator_ && size_ > 0) return;
  validator_ = validator;
  nlohmann::ordered_json json;
  json["sha1"] = listed_.sha1;
  json["validator"] = validator;
  write_file_atomically(source_, json_text(json) + "\n");
}

bool PartialFile::append(std::string_view bytes) {
  if (listed_.bytes && bytes.size() > *listed_.bytes - size_) return false;
  if (!write_at(file_, bytes, size_)) throw StorageError(failure_text("write", part_, errno));
  digest_.update(bytes);
  size_ += bytes.size();
  count(bytes.size());
  return true;
}

std::string PartialFile::finish() {
  std::string wrong;
  if (listed_.bytes && size_ != *listed_.bytes) {
    wrong = fmt::format("it has {} bytes, and {} are listed", size_, *listed_.bytes);
  } else if (const auto found = std::exchange(digest_, Sha1()).hex(); found != listed_.sha1) {
    wrong = fmt::format("its SHA-1 is {}, and {} is listed", found, listed_.sha1);
  }
  if (!wrong.empty()) {
    restart();
    return wrong;
  }
  if (::fsync(file_.get()) != 0) throw StorageError(failure_text("write", part_, errno));
  std::error_code error;
  fs::rename(part_, path_, error);
  if (error) throw StorageError(failure_text("rename", part_, error));
  fs::remove(source_, error);
  sync_folder(path_.parent_path());
  return {};
}

}  // namespace touchstone::pipeline::download
