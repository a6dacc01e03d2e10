#include "pipeline/flow/source_records.hpp"

#include "common/digest.hpp"
#include "common/error.hpp"
#include "common/json_tree.hpp"
#include "common/log.hpp"
#include "common/system_failure.hpp"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstddef>
#include <system_error>
#include <utility>

#include <nlohmann/json.hpp>
#include <sys/stat.h>

namespace touchstone::pipeline::flow {
namespace {

using Json = nlohmann::ordered_json;

std::int64_t nanoseconds(const timespec& time) {
  return static_cast<std::int64_t>(time.tv_sec) * 1'000'000'000 + time.tv_nsec;
}

/// Whether name, size and time are the same. Another file may have them too.
bool looks_same(const SourceRecord& a, const SourceRecord& b) {
  return a.path != "-" && a.kind == b.kind && a.name == b.name && a.bytes == b.bytes && a.modified_ns == b.modified_ns;
}

bool is_same_file(const SourceRecord& a, const SourceRecord& b) {
  return looks_same(a, b) && a.inode == b.inode && a.changed_ns == b.changed_ns;
}

/// What `given` is, where the store remembers `recorded` in its place.
SourceRecord compared(SourceRecord given, const SourceRecord& recorded) {
  const bool alike = looks_same(given, recorded);
  const bool known = recorded.inode != 0 || recorded.changed_ns != 0;
  SourceRecord as_recorded = recorded;  // as the store knows it, where it is now
  as_recorded.path = given.path;
  as_recorded.inode = given.inode;
  as_recorded.changed_ns = given.changed_ns;
  as_recorded.reader = given.reader;
  // Stores of older versions know name, size and time only.
  if (is_same_file(given, recorded) || (alike && !known)) return as_recorded;
  std::error_code ignored;
  const bool folder = std::filesystem::is_directory(given.path, ignored);
  const bool comparable = !folder && given.path != "-" && given.kind == recorded.kind &&
                          given.bytes == recorded.bytes && !recorded.sha256.empty();
  if (comparable) {
    log_info("{}: same size as the dump that was ingested; comparing its digest", given.name);
    const auto sha256 = sha256_file(given.path);
    if (sha256 == recorded.sha256) return as_recorded;
    if (alike) given.replaced = sha256;
  } else if (alike) {  // it was not read to its end, so that nothing is lost by starting anew
    given.replaced = std::to_string(given.inode) + " " + std::to_string(given.changed_ns);
  }
  return given;
}

/// Size and time of a folder are those of the files in it, so that a changed file is seen.
void look_below(const std::filesystem::path& folder, SourceRecord& source) {
  source.bytes = 0;
  std::error_code error;
  std::filesystem::recursive_directory_iterator at(folder, error), end;
  for (; !error && at != end; at.increment(error)) {
    struct stat info {};
    if (::lstat(at->path().c_str(), &info) != 0) continue;
    if (S_ISREG(info.st_mode)) source.bytes += static_cast<std::uint64_t>(info.st_size);
    source.modified_ns = std::max(source.modified_ns, nanoseconds(info.st_mtim));
    source.changed_ns = std::max(source.changed_ns, nanoseconds(info.st_ctim));
  }
}

}  // namespace

SourceRecord look_at_source(const SourceInput& input) {
  const auto& path = input.path;
  SourceRecord source;
  source.path = path.string();
  source.kind = input.kind;
  if (path == "-") {
    source.name = "-";
    source.modified_ns = std::chrono::system_clock::now().time_since_epoch().count();
    return source;
  }
  // "book/" and "book" are one folder.
  source.name = (path.has_filename() ? path : path.parent_path()).filename().string();
  struct stat info {};
  if (::stat(path.c_str(), &info) != 0) throw StorageError(failure_text("open " + input.kind, path, errno));
  source.bytes = static_cast<std::uint64_t>(info.st_size);
  source.modified_ns = nanoseconds(info.st_mtim);
  source.changed_ns = nanoseconds(info.st_ctim);
  source.inode = info.st_ino;
  if (S_ISDIR(info.st_mode)) look_below(path, source);
  return source;
}

std::vector<SourceRecord> compare_sources(std::vector<SourceRecord> given, const std::vector<SourceRecord>& recorded) {
  if (given.empty()) return recorded;
  for (std::size_t i = 0; i < given.size() && i < recorded.size(); ++i)
    given[i] = compared(std::move(given[i]), recorded[i]);
  return given;
}

std::string identity_of_sources(const std::vector<SourceRecord>& sources) {
  std::string identity;
  for (const auto& source : sources) {
    const std::uint64_t bytes = source.path == "-" ? 0 : source.bytes;  // known only once it was read
    identity += source.kind + "\n" + source.name + "\n" + std::to_string(bytes) + "\n" +
                std::to_string(source.modified_ns) + "\n";
    if (!source.replaced.empty()) identity += source.replaced + "\n";
    if (!source.reader.empty()) identity += "read with " + source.reader + "\n";
  }
  return identity;
}

std::string encode_sources(const std::vector<SourceRecord>& sources) {
  Json list = Json::array();
  for (const auto& source : sources) {
    list.push_back({{"path", source.path},
                    {"name", source.name},
                    {"bytes", source.bytes},
                    {"modified_ns", source.modified_ns},
                    {"sha256", source.sha256},
                    {"kind", source.kind},
                    {"inode", source.inode},
                    {"changed_ns", source.changed_ns},
                    {"replaced", source.replaced}});
    if (!source.reader.empty()) list.back()["reader"] = source.reader;
  }
  return json_text(list);
}

std::vector<SourceRecord> decode_sources(std::string_view text) {
  std::vector<SourceRecord> sources;
  if (text.empty()) return sources;
  try {
    // The fields behind the digest are missing in stores of older versions.
    for (const auto& json : parse_json(text)) {
      sources.push_back({json.at("path"), json.at("name"), json.at("bytes"), json.at("modified_ns"), json.at("sha256"),
                         json.value("kind", SourceRecord().kind), json.value("inode", std::uint64_t{0}),
                         json.value("changed_ns", std::int64_t{0}), json.value("replaced", std::string()),
                         json.value("reader", std::string())});
    }
  } catch (const Json::exception& error) {
    throw StorageError(std::string("the store's list of dumps cannot be read (") + error.what() +
                       "); remove the work directory and build it again");
  }
  return sources;
}

}  // namespace touchstone::pipeline::flow
