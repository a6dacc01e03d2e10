#include "pipeline/corpus/ingest_progress.hpp"

#include "common/error.hpp"
#include "common/json_tree.hpp"

#include <nlohmann/json.hpp>

namespace touchstone::pipeline::corpus {

using Json = nlohmann::ordered_json;

std::string IngestProgress::encode() const {
  Json json;
  json["included_done"] = included_done;
  json["file"] = file;
  json["offset"] = offset;
  json["before_file"] = before_file;
  json["highest_page"] = highest_page;
  json["newest_timestamp"] = newest_timestamp;
  json["counts"] = counts;
  json["issues"] = issues.to_json();
  return json_text(json);
}

IngestProgress IngestProgress::decode(std::string_view text) {
  IngestProgress progress;
  if (text.empty()) return progress;
  try {
    const auto json = parse_json(text);
    progress.included_done = json.at("included_done");
    progress.file = json.at("file");
    progress.offset = json.at("offset");
    progress.before_file = json.at("before_file");
    progress.highest_page = json.at("highest_page");
    progress.newest_timestamp = json.at("newest_timestamp");
    progress.counts = json.at("counts").get<std::map<std::string, std::uint64_t>>();
    progress.issues = PageIssues::from_json(json.at("issues"));
  } catch (const Json::exception&) {
    throw StorageError("the store's record of how far ingest came cannot be read; run ingest again with --force");
  }
  return progress;
}

}  // namespace touchstone::pipeline::corpus
