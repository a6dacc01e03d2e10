#include "extractors/dump/raw_file.hpp"

#include "common/error.hpp"
#include "common/system_failure.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <vector>

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

namespace touchstone::extractors::dump::internal {

bool wait_readable(int descriptor, const StopFlag* stop, const std::atomic<bool>* cancelled) {
  constexpr int kLookAtFlagsMs = 100;
  pollfd wanted{descriptor, POLLIN, 0};
  for (;;) {
    if (stop != nullptr) stop->check();
    if (cancelled != nullptr && *cancelled) return false;
    const int ready = ::poll(&wanted, 1, kLookAtFlagsMs);
    if (ready > 0 || (ready < 0 && errno != EINTR)) return true;  // read() says what is wrong
  }
}

RawFile::RawFile(const std::filesystem::path& path, const StopFlag* stop, bool digests)
    : path_(path), name_(path == "-" ? "standard input" : path.filename().string()), stop_(stop), digests_(digests) {
  struct stat info {};
  if (path == "-") {
    descriptor_ = STDIN_FILENO;
    may_wait_ = ::fstat(descriptor_, &info) == 0 && !S_ISREG(info.st_mode);
    return;
  }
  // Without O_NONBLOCK, a FIFO that nobody writes to could not be opened, nor the wait be ended.
  file_ = Descriptor(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  descriptor_ = file_.get();
  if (!file_.is_open()) throw StorageError(failure_text("open", path, errno));
  if (::fstat(descriptor_, &info) == 0 && S_ISREG(info.st_mode)) size_ = static_cast<std::uint64_t>(info.st_size);
  may_wait_ = !S_ISREG(info.st_mode);
  if (S_ISDIR(info.st_mode)) throw StorageError(path.string() + " is a folder; name the dump file in it");
  ::posix_fadvise(descriptor_, 0, 0, POSIX_FADV_SEQUENTIAL);
}

void RawFile::pass(std::uint64_t place) {
  std::vector<char> bytes(place == 0 ? 0 : std::size_t{1} << 20U);
  while (offset() < place) {
    if (stop_ != nullptr) stop_->check();
    if (read(bytes.data(), std::min<std::uint64_t>(bytes.size(), place - offset())) > 0) continue;
    throw FormatError(name_ + ": ends in front of byte " + grouped_digits(place) + "; download it again");
  }
}

std::string_view RawFile::peek(std::size_t size) {
  head_.resize(size);
  std::size_t have = 0;
  while (have < size) {
    const std::size_t got = read_descriptor(head_.data() + have, size - have);
    if (got == 0) break;
    have += got;
  }
  head_.resize(have);
  return head_;
}

void RawFile::seek(std::uint64_t place) {
  if (::lseek(descriptor_, static_cast<off_t>(place), SEEK_SET) < 0)
    throw StorageError(failure_text("read", path_, errno));
}

std::size_t RawFile::read(char* buffer, std::size_t size) {
  std::size_t got = 0;
  if (head_used_ < head_.size()) {
    got = std::min(size, head_.size() - head_used_);
    std::memcpy(buffer, head_.data() + head_used_, got);
    head_used_ += got;
  } else {
    got = read_descriptor(buffer, size);
  }
  if (digests_) digest_.update({buffer, got});
  offset_.fetch_add(got, std::memory_order_relaxed);
  return got;
}

std::string RawFile::sha256() {
  std::vector<char> rest(1 << 16);  // a decompressor may stop before padding at the end
  while (read(rest.data(), rest.size()) > 0) {
  }
  return digest_.hex();
}

std::size_t RawFile::read_descriptor(char* buffer, std::size_t size) {
  for (;;) {
    if (may_wait_ && !wait_readable(descriptor_, stop_, &cancelled_)) return 0;
    const auto got = ::read(descriptor_, buffer, size);
    if (got >= 0) return static_cast<std::size_t>(got);
    if (errno != EINTR && errno != EAGAIN) throw StorageError(failure_text("read", name_, errno));
  }
}

void throw_damaged(const RawFile& file, const std::string& why) {
  throw FormatError(file.name() + ": damaged or truncated near byte " + grouped_digits(file.offset()) + " (" + why +
                    "); compare its size and checksum with the published ones and download it again");
}

}  // namespace touchstone::extractors::dump::internal
