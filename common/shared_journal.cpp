#include "common/shared_journal.hpp"

#include "common/descriptor.hpp"
#include "common/error.hpp"
#include "common/files.hpp"
#include "common/system_failure.hpp"

#include <cerrno>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

namespace touchstone {
namespace {

constexpr std::uint64_t kMostEntryBytes = 4096;

void write_and_flush(const std::filesystem::path& path, std::string_view bytes) {
  const Descriptor file(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
  if (!file.is_open()) throw StorageError(failure_text("write", path, errno));
  while (!bytes.empty()) {
    const auto written = ::write(file.get(), bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) throw StorageError(failure_text("write", path, errno));
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  if (::fsync(file.get()) != 0) throw StorageError(failure_text("write", path, errno));
}

}  // namespace

SharedJournal::SharedJournal(std::filesystem::path folder, std::string writer)
    : folder_(std::move(folder)), writer_(std::move(writer)) {
  std::error_code error;
  std::filesystem::create_directories(folder_, error);
  if (error) throw StorageError(failure_text("make folder", folder_, error));
}

std::filesystem::path SharedJournal::entry_path(std::uint64_t number) const {
  return folder_ / fmt::format("{:08}", number);
}

std::vector<std::string> SharedJournal::news() {
  std::vector<std::string> entries;
  for (;;) {
    const auto path = entry_path(read_ + 1);
    const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    if (!file.is_open() && errno == ENOENT) return entries;
    if (!file.is_open()) throw StorageError(failure_text("open", path, errno));
    entries.push_back(read_file(path, kMostEntryBytes));
    ++read_;
  }
}

bool SharedJournal::add(std::string_view entry) {
  TS_CHECK(entry.size() <= kMostEntryBytes, "an entry of a journal is short");
  const auto draft = folder_ / fmt::format("{}.{}.draft", writer_, ++written_);
  write_and_flush(draft, entry);
  const auto path = entry_path(read_ + 1);
  const bool linked = ::link(draft.c_str(), path.c_str()) == 0;
  const int reason = errno;
  // The answer of a file server may be lost, so that a link which was made is said to be in its own way.
  struct stat status {};
  const bool is_mine = linked || (::stat(draft.c_str(), &status) == 0 && status.st_nlink > 1);
  ::unlink(draft.c_str());
  if (!is_mine && reason != EEXIST) throw StorageError(failure_text("write", path, reason));
  if (!is_mine) return false;
  sync_folder(folder_);
  ++read_;
  return true;
}

}  // namespace touchstone
