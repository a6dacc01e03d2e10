#include "common/records/stored_bytes.hpp"

#include "common/error.hpp"
#include "common/system_failure.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace touchstone::records {

StoredBytes StoredBytes::of_file(const std::filesystem::path& path) {
  StoredBytes stored(path, 0);
  stored.file_ = Descriptor(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  struct stat facts {};
  if (!stored.file_.is_open() || ::fstat(stored.file_.get(), &facts) != 0)
    throw StorageError(failure_text("open", path, errno));
  stored.in_file_ = static_cast<std::uint64_t>(facts.st_size);
  return stored;
}

void StoredBytes::add(std::string_view bytes) {
  last_ += bytes;
  if (last_.size() > memory_bytes_) write_out();
}

void StoredBytes::write_out() {
  if (!file_.is_open()) {
    file_ = open_file_without_name(path_);
    if (!file_.is_open()) throw StorageError(failure_text("write a temporary file in", path_, errno));
  }
  if (!write_at(file_, last_, in_file_)) throw StorageError(failure_text("write a temporary file in", path_, errno));
  in_file_ += last_.size();
  last_.clear();
}

void StoredBytes::read(std::uint64_t offset, void* to, std::size_t bytes) const {
  auto* out = static_cast<char*>(to);
  if (offset < in_file_) {
    const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(bytes, in_file_ - offset));
    const auto read = read_at(file_, out, count, offset);
    if (read < 0) throw StorageError(failure_text("read", path_, errno));
    if (static_cast<std::size_t>(read) != count)
      throw StorageError("cannot read " + path_.string() + ": it is shorter than it was; run again");
    offset += count;
    out += count;
    bytes -= count;
  }
  if (bytes > 0) std::memcpy(out, last_.data() + (offset - in_file_), bytes);
}

}  // namespace touchstone::records
