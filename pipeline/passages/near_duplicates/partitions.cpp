#include "pipeline/passages/near_duplicates/partitions.hpp"

#include "common/error.hpp"
#include "common/system_failure.hpp"

#include <algorithm>
#include <cerrno>
#include <utility>

#include <unistd.h>

namespace touchstone::pipeline::passages::near_duplicates::internal {

Partitions::Partitions(std::filesystem::path folder, std::size_t count, std::size_t memory_bytes)
    : folder_(std::move(folder)),
      file_(open_file_without_name(folder_)),
      block_numbers_(std::clamp(memory_bytes / std::max<std::size_t>(count, 1), kLeastBlockBytes, kMostBlockBytes) /
                     sizeof(std::uint64_t)),
      partitions_(count) {
  if (!file_.is_open()) throw StorageError(failure_text("write a temporary file in", folder_, errno));
}

void Partitions::write(Partition& partition) {
  const std::size_t bytes = block_numbers_ * sizeof(std::uint64_t);
  const std::uint64_t place = end_.fetch_add(bytes);
  const char* const data = reinterpret_cast<const char*>(partition.buffer.data());
  for (std::size_t done = 0; done < bytes;) {
    const auto count = ::pwrite(file_.get(), data + done, bytes - done, static_cast<off_t>(place + done));
    if (count < 0 && errno != EINTR) throw StorageError(failure_text("write a temporary file in", folder_, errno));
    done += static_cast<std::size_t>(std::max<ssize_t>(count, 0));
  }
  partition.blocks.push_back(place);
  partition.buffer.clear();
}

void Partitions::read(std::uint64_t place, std::vector<std::uint64_t>& numbers) const {
  numbers.resize(block_numbers_);
  const std::size_t bytes = block_numbers_ * sizeof(std::uint64_t);
  char* const data = reinterpret_cast<char*>(numbers.data());
  for (std::size_t done = 0; done < bytes;) {
    const auto count = ::pread(file_.get(), data + done, bytes - done, static_cast<off_t>(place + done));
    if (count == 0 || (count < 0 && errno != EINTR))
      throw StorageError(failure_text("read a temporary file in", folder_, count == 0 ? EIO : errno));
    done += static_cast<std::size_t>(std::max<ssize_t>(count, 0));
  }
}

}  // namespace touchstone::pipeline::passages::near_duplicates::internal
