#include "pipeline/automatic/shuffled_records.hpp"

#include "common/descriptor.hpp"
#include "common/digest.hpp"
#include "common/error.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <tuple>
#include <vector>

#include <fmt/format.h>

namespace touchstone::pipeline::automatic {
namespace {

/// A record within the bytes of a part.
struct Entry {
  std::uint64_t hash = 0;
  std::string_view id, record;
};

template <class Number>
void append_number(std::string& out, Number number) {
  out.append(reinterpret_cast<const char*>(&number), sizeof number);
}

template <class Number>
Number take_number(std::string_view& bytes) {
  Number number{};
  std::memcpy(&number, bytes.data(), sizeof number);
  bytes.remove_prefix(sizeof number);
  return number;
}

std::string_view take_text(std::string_view& bytes) {
  const auto size = take_number<std::uint64_t>(bytes);
  const auto text = bytes.substr(0, size);
  bytes.remove_prefix(size);
  return text;
}

std::vector<Entry> entries_of(std::string_view bytes) {
  std::vector<Entry> entries;
  while (!bytes.empty()) {
    Entry entry;
    entry.hash = take_number<std::uint64_t>(bytes);
    entry.id = take_text(bytes);
    entry.record = take_text(bytes);
    entries.push_back(entry);
  }
  return entries;
}

}  // namespace

ShuffledRecords::ShuffledRecords(std::filesystem::path folder, std::string name, std::uint64_t seed)
    : folder_(std::move(folder)), name_(std::move(name)), seed_(seed) {}

ShuffledRecords::~ShuffledRecords() {
  for (std::size_t part = 0; part < kParts; ++part) {
    if (!files_[part]) continue;
    files_[part].reset();
    std::error_code ignored;  // the next run of the same name overwrites the file
    std::filesystem::remove(path_of(part), ignored);
  }
}

std::filesystem::path ShuffledRecords::path_of(std::size_t part) const {
  return folder_ / fmt::format("{}-{:03}.part", name_, part);
}

void ShuffledRecords::fail(std::size_t part, const char* doing) const {
  throw StorageError(fmt::format("cannot {} {}: {}", doing, path_of(part).string(), system_reason(errno)));
}

std::FILE* ShuffledRecords::file_of(std::size_t part) {
  auto& file = files_[part];
  if (!file) {
    file.reset(std::fopen(path_of(part).c_str(), "w+be"));
    if (!file) fail(part, "create");
  }
  return file.get();
}

void ShuffledRecords::add(std::string_view id, std::string_view record) {
  const std::uint64_t hash = xxh3_64(id, seed_);
  std::string bytes;
  append_number(bytes, hash);
  for (const auto text : {id, record}) {
    append_number(bytes, static_cast<std::uint64_t>(text.size()));
    bytes += text;
  }
  const std::size_t part = hash >> 56;
  if (std::fwrite(bytes.data(), 1, bytes.size(), file_of(part)) != bytes.size()) fail(part, "write");
}

std::string ShuffledRecords::read_part(std::size_t part) {
  std::FILE* file = files_[part].get();
  if (std::fflush(file) != 0) fail(part, "write");
  const long size = std::ftell(file);
  if (size < 0 || std::fseek(file, 0, SEEK_SET) != 0) fail(part, "read");
  std::string bytes(static_cast<std::size_t>(size), '\0');
  if (std::fread(bytes.data(), 1, bytes.size(), file) != bytes.size()) fail(part, "read");
  return bytes;
}

void ShuffledRecords::for_each(const std::function<void(std::string_view id, std::string_view record)>& take) {
  for (std::size_t part = 0; part < kParts; ++part) {
    if (!files_[part]) continue;
    const std::string bytes = read_part(part);
    auto entries = entries_of(bytes);
    std::stable_sort(entries.begin(), entries.end(),
                     [](const Entry& a, const Entry& b) { return std::tie(a.hash, a.id) < std::tie(b.hash, b.id); });
    const auto last =
        std::unique(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) { return a.id == b.id; });
    entries.erase(last, entries.end());
    for (const auto& entry : entries) take(entry.id, entry.record);
  }
}

}  // namespace touchstone::pipeline::automatic
