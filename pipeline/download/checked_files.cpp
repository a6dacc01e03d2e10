#include "pipeline/download/checked_files.hpp"

#include "common/files.hpp"
#include "common/json_tree.hpp"

#include <chrono>
#include <system_error>

#include <nlohmann/json.hpp>

namespace touchstone::pipeline::download {

namespace {

constexpr std::uint64_t kMaxRecordBytes = std::uint64_t{16} << 20;

}  // namespace

CheckedFiles::CheckedFiles(std::filesystem::path folder)
    : folder_(std::move(folder)), record_(folder_ / "downloads.json") {
  std::error_code error;
  const auto bytes = std::filesystem::file_size(record_, error);
  if (error || bytes > kMaxRecordBytes) return;
  const auto json = parse_json_or_discard(read_file(record_));
  if (!json.is_object()) return;
  for (const auto& [name, facts] : json.items()) {
    if (!facts.is_object()) continue;
    const auto sha1 = facts.find("sha1"), size = facts.find("bytes"), changed = facts.find("changed_ns");
    if (sha1 == facts.end() || size == facts.end() || changed == facts.end() || !sha1->is_string() ||
        !size->is_number_unsigned() || !changed->is_number_integer())
      continue;
    stamps_[name] = {sha1->get<std::string>(), size->get<std::uint64_t>(), changed->get<std::int64_t>()};
  }
}

CheckedFiles::Stamp CheckedFiles::stamp_of(const ListedFile& file) const {
  const auto path = folder_ / file.name;
  std::error_code error;
  Stamp stamp{file.sha1, std::filesystem::file_size(path, error), 0};
  const auto changed = std::filesystem::last_write_time(path, error);
  stamp.changed = std::chrono::duration_cast<std::chrono::nanoseconds>(changed.time_since_epoch()).count();
  return stamp;
}

bool CheckedFiles::knows(const ListedFile& file) const {
  const auto found = stamps_.find(file.name);
  return found != stamps_.end() && found->second == stamp_of(file);
}

void CheckedFiles::add(const ListedFile& file) {
  stamps_[file.name] = stamp_of(file);
  nlohmann::ordered_json json = nlohmann::ordered_json::object();
  for (const auto& [name, stamp] : stamps_)
    json[name] = {{"sha1", stamp.sha1}, {"bytes", stamp.bytes}, {"changed_ns", stamp.changed}};
  write_file_atomically(record_, json_text(json, {.indent = 2}) + "\n");
}

}  // namespace touchstone::pipeline::download
