#include "pipeline/flow/source_records.hpp"

#include "common/digest.hpp"
#include "common/error.hpp"
#include "common/log.hpp"

#include <cerrno>
#include <chrono>
#include <cstddef>
#include <system_error>

#include <nlohmann/json.hpp>
#include <sys/stat.h>

namespace touchstone::pipeline::flow {
namespace {

using Json = nlohmann::ordered_json;

bool same_file(const SourceRecord& a, const SourceRecord& b) {
  return a.path != "-" && a.kind == b.kind && a.name == b.name && a.bytes == b.bytes && a.modified_ns == b.modified_ns;
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
  source.name = path.filename().string();
  struct stat info {};
  if (::stat(path.c_str(), &info) != 0)
    throw StorageError("cannot open " + input.kind + " " + path.string() + ": " +
                       std::generic_category().message(errno));
  source.bytes = static_cast<std::uint64_t>(info.st_size);
  source.modified_ns = static_cast<std::int64_t>(info.st_mtim.tv_sec) * 1'000'000'000 + info.st_mtim.tv_nsec;
  return source;
}

std::string identity_of_sources(std::vector<SourceRecord> given, const std::vector<SourceRecord>& recorded) {
  for (std::size_t i = 0; i < given.size() && i < recorded.size(); ++i) {
    const bool worth_reading =
        given[i].path != "-" && given[i].bytes == recorded[i].bytes && !recorded[i].sha256.empty();
    if (!worth_reading || same_file(given[i], recorded[i])) continue;
    log_info("{}: same size as the dump that was ingested; comparing its digest", given[i].name);
    if (given[i].kind == recorded[i].kind && sha256_file(given[i].path) == recorded[i].sha256) given[i] = recorded[i];
  }
  if (given.empty()) given = recorded;
  std::string identity;
  for (const auto& source : given) {
    const std::uint64_t bytes = source.path == "-" ? 0 : source.bytes;  // known only once it was read
    identity += source.kind + "\n" + source.name + "\n" + std::to_string(bytes) + "\n" +
                std::to_string(source.modified_ns) + "\n";
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
                    {"kind", source.kind}});
  }
  return list.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::vector<SourceRecord> decode_sources(std::string_view text) {
  std::vector<SourceRecord> sources;
  if (text.empty()) return sources;
  try {
    // Records from before there were several kinds of sources have none.
    for (const auto& json : Json::parse(text)) {
      sources.push_back({json.at("path"), json.at("name"), json.at("bytes"), json.at("modified_ns"), json.at("sha256"),
                         json.value("kind", SourceRecord().kind)});
    }
  } catch (const Json::exception& error) {
    throw StorageError(std::string("the store's list of dumps cannot be read (") + error.what() +
                       "); remove the work directory and build it again");
  }
  return sources;
}

}  // namespace touchstone::pipeline::flow
