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
  const std::string_view data(reinterpret_cast<const char*>(partition.buffer.data()), bytes);
  if (!write_at(file_, data, place)) throw StorageError(failure_text("write a temporary file in", folder_, errno));
  partition.blocks.push_back(place);
  partition.buffer.clear();
}

void Partitions::read(std::uint64_t place, std::vector<std::uint64_t>& numbers) const {
  numbers.resize(block_numbers_);
  const std::size_t bytes = block_numbers_ * sizeof(std::uint64_t);
  const auto read = read_at(file_, numbers.data(), bytes, place);
  if (read != static_cast<ssize_t>(bytes))
    throw StorageError(failure_text("read a temporary file in", folder_, read < 0 ? errno : EIO));
}

}  // namespace touchstone::pipeline::passages::near_duplicates::internal
