#include "pipeline/flow/shard_manifest.hpp"

#include "common/digest.hpp"
#include "common/error.hpp"
#include "common/files.hpp"
#include "common/json_tree.hpp"
#include "common/stop.hpp"
#include "common/system_failure.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <functional>
#include <optional>
#include <utility>

#include <fcntl.h>
#include <nlohmann/json.hpp>
#include <sys/file.h>

namespace touchstone::pipeline::flow {
namespace {

namespace fs = std::filesystem;
using ShardJson = nlohmann::ordered_json;

constexpr const char* kManifestName = "manifest.json";
constexpr std::uint64_t kMaxManifestBytes = std::uint64_t{1} << 30;

/// A file that was not complete when its writer was killed. It is not a part of the shard.
bool is_partial(const fs::path& path) {
  return path.extension() == ".partial";
}

void for_each_entry(const fs::path& folder, const std::function<void(const fs::directory_entry&)>& use) {
  std::error_code error;
  std::vector<fs::directory_entry> entries;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error))
    entries.push_back(*entry);
  if (error) throw StorageError(failure_text("read folder", folder, error));
  std::sort(entries.begin(), entries.end());
  for (const auto& entry : entries) use(entry);
}

std::string shard_name(Shard shard) {
  return "shard " + std::to_string(shard.index + 1) + " of " + std::to_string(shard.count);
}

Descriptor lock_shard(const fs::path& path, Shard shard) {
  Descriptor lock(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666));
  if (!lock.is_open()) throw StorageError(failure_text("open", path, errno));
  if (::flock(lock.get(), LOCK_EX | LOCK_NB) == 0) return lock;
  if (errno != EWOULDBLOCK) throw StorageError(failure_text("lock", path, errno));
  throw StorageError(shard_name(shard) + " is being written by another process (" + path.string() +
                     "); wait until it is done, or end it");
}

std::string manifest_text(const ShardManifest& manifest) {
  ShardJson json;
  json["stage"] = manifest.run.stage;
  json["options"] = manifest.run.options;
  json["inputs"] = manifest.run.inputs;
  json["program"] = manifest.run.program;
  json["index"] = manifest.shard.index;
  json["count"] = manifest.shard.count;
  if (!manifest.attempt.empty()) json["attempt"] = manifest.attempt;
  json["parts"] = ShardJson::object();
  for (const auto& [name, part] : manifest.parts)
    json["parts"][name] = {{"bytes", part.bytes}, {"sha256", part.sha256}};
  return json_text(json);
}

/// The manifest on the first line, its digest on the second.
std::string signed_text(const std::string& text) {
  return text + "\n" + sha256_hex(text) + "\n";
}

std::optional<ShardManifest> parse_manifest(const std::string& signed_bytes) {
  const std::size_t end = signed_bytes.find('\n');
  if (end == std::string::npos || signed_text(signed_bytes.substr(0, end)) != signed_bytes) return std::nullopt;
  try {
    const ShardJson json = parse_json(signed_bytes.substr(0, end));
    ShardManifest manifest;
    manifest.run = {json.at("stage"), json.at("options"), json.at("inputs"), json.at("program")};
    manifest.shard = {json.at("index"), json.at("count")};
    manifest.attempt = json.value("attempt", "");
    for (const auto& [name, part] : json.at("parts").items()) {
      if (fs::path(name).filename() != name) return std::nullopt;
      manifest.parts[name] = {part.at("bytes"), part.at("sha256")};
    }
    return manifest;
  } catch (const ShardJson::exception&) {
    return std::nullopt;
  }
}

std::optional<ShardManifest> load_manifest(const fs::path& path) {
  try {
    return parse_manifest(read_file(path, kMaxManifestBytes));
  } catch (const StorageError&) {
    return std::nullopt;
  }
}

ShardState compare_run(const ShardManifest& manifest, const ShardRun& run, Shard shard) {
  if (manifest.run.stage != run.stage) return ShardState::kOtherStage;
  if (manifest.shard != shard) return ShardState::kOtherShard;
  if (manifest.run.program != run.program) return ShardState::kOtherProgram;
  if (manifest.run.options != run.options) return ShardState::kOtherOptions;
  if (manifest.run.inputs != run.inputs) return ShardState::kOtherInputs;
  return ShardState::kWhole;
}

ShardState compare_part(const fs::path& path, const ShardPart& part) {
  std::error_code error;
  if (!fs::is_regular_file(path, error)) return ShardState::kPartMissing;
  if (fs::file_size(path, error) != part.bytes) return ShardState::kPartTruncated;
  return sha256_file(path) == part.sha256 ? ShardState::kWhole : ShardState::kPartEdited;
}

const char* state_text(ShardState state) {
  switch (state) {
    case ShardState::kWhole:
      return "is whole";
    case ShardState::kMissing:
      return "has no manifest, so it did not finish";
    case ShardState::kUnreadable:
      return "has a damaged manifest";
    case ShardState::kOtherShard:
      return "has the manifest of another shard";
    case ShardState::kOtherStage:
      return "has the manifest of another stage";
    case ShardState::kOtherOptions:
      return "was made with other settings";
    case ShardState::kOtherInputs:
      return "was made from other inputs";
    case ShardState::kOtherProgram:
      return "was made by another version of the program";
    case ShardState::kPartMissing:
      return "lacks a file that it wrote";
    case ShardState::kPartTruncated:
      return "has a file of another length than it wrote";
    case ShardState::kPartEdited:
      return "has a file whose bytes were changed";
    case ShardState::kPartUnknown:
      return "has a file that it did not write";
  }
  return "";
}

/// Digests the files in the folder and writes the manifest beside them, by temporary file, fsync and rename.
void write_manifest(const fs::path& folder, ShardManifest manifest) {
  for_each_entry(folder, [&](const fs::directory_entry& entry) {
    if (is_partial(entry.path())) return;
    if (!entry.is_regular_file())
      throw StorageError(entry.path().string() + " is no plain file, and a shard holds plain files only; remove it");
    manifest.parts[entry.path().filename().string()] = {entry.file_size(), sha256_file(entry.path())};
  });
  write_file_atomically(folder / kManifestName, signed_text(manifest_text(manifest)));
}

void make_folder(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) throw StorageError(failure_text("make folder", folder, error));
}

}  // namespace

std::string shard_sentence(const ShardFinding& finding) {
  std::string text = shard_name(finding.shard) + " " + state_text(finding.state) + " (" + finding.file.string() + ")";
  if (finding.state != ShardState::kWhole) text += "; it has to run again";
  return text;
}

fs::path shard_folder(const fs::path& shards, Shard shard) {
  return shards / (std::to_string(shard.index + 1) + "-of-" + std::to_string(shard.count));
}

ShardWriter::ShardWriter(const fs::path& shards, ShardRun run, Shard shard, EarlierParts earlier)
    : folder_(shard_folder(shards, shard)), run_(std::move(run)), shard_(shard) {
  make_folder(folder_);
  lock_ = lock_shard(folder_.string() + ".lock", shard);
  std::error_code error;
  // The manifest goes first and for good: else a power cut could leave an old manifest beside new files.
  fs::remove_all(folder_ / kManifestName, error);
  if (error) throw StorageError(failure_text("remove", folder_ / kManifestName, error));
  sync_folder(folder_);
  if (earlier == EarlierParts::kKeep) return;
  for_each_entry(folder_, [&](const fs::directory_entry& entry) {
    std::error_code failure;
    fs::remove_all(entry.path(), failure);
    if (failure) throw StorageError(failure_text("remove", entry.path(), failure));
  });
}

void ShardWriter::finish() {
  write_manifest(folder_, {run_, shard_, {}, {}});
}

ShardAttempt::ShardAttempt(fs::path shards, ShardRun run, Shard shard, std::string name)
    : shards_(std::move(shards)),
      folder_(shard_folder(shards_, shard).string() + "." + name),
      run_(std::move(run)),
      shard_(shard),
      name_(std::move(name)) {
  std::error_code error;
  fs::remove_all(folder_, error);
  make_folder(folder_);
}

bool ShardAttempt::finish() {
  constexpr int kMostTries = 100;
  write_manifest(folder_, {run_, shard_, name_, {}});
  const auto place = shard_folder(shards_, shard_);
  for (int tries = 0; tries < kMostTries; ++tries) {
    kill_point("shard.before_publish");
    if (::rename(folder_.c_str(), place.c_str()) == 0) {
      sync_folder(shards_);
      return true;
    }
    if (errno != ENOTEMPTY && errno != EEXIST) throw StorageError(failure_text("rename", folder_, errno));
    std::error_code error;
    if (verify_shard(shards_, run_, shard_).state == ShardState::kWhole) {
      fs::remove_all(folder_, error);
      return false;
    }
    // What is there is of another run, or damaged. It is moved away first, since removing takes several steps.
    const fs::path old = place.string() + ".refused-by-" + name_;
    if (::rename(place.c_str(), old.c_str()) == 0) fs::remove_all(old, error);
  }
  throw StorageError("cannot give " + folder_.string() + " the name " + place.string() +
                     ", because others keep writing there; stop them and run again");
}

ShardFinding verify_shard(const fs::path& shards, const ShardRun& run, Shard shard) {
  const fs::path folder = shard_folder(shards, shard), path = folder / kManifestName;
  std::error_code error;
  if (!fs::exists(path, error)) return {shard, ShardState::kMissing, path};
  const auto manifest = load_manifest(path);
  if (!manifest) return {shard, ShardState::kUnreadable, path};
  const ShardState of_run = compare_run(*manifest, run, shard);
  if (of_run != ShardState::kWhole) return {shard, of_run, path};
  for (const auto& [name, part] : manifest->parts) {
    const ShardState state = compare_part(folder / name, part);
    if (state != ShardState::kWhole) return {shard, state, folder / name};
  }
  ShardFinding finding{shard, ShardState::kWhole, path};
  for_each_entry(folder, [&](const fs::directory_entry& entry) {
    const std::string name = entry.path().filename().string();
    if (name == kManifestName || manifest->parts.contains(name) || is_partial(entry.path())) return;
    finding.state = ShardState::kPartUnknown;
    finding.file = entry.path();
  });
  return finding;
}

std::vector<ShardFinding> shards_to_run(const fs::path& shards, const ShardRun& run, std::uint32_t count) {
  std::vector<ShardFinding> found;
  for (std::uint32_t index = 0; index < count; ++index) {
    ShardFinding finding = verify_shard(shards, run, {index, count});
    if (finding.state != ShardState::kWhole) found.push_back(std::move(finding));
  }
  return found;
}

}  // namespace touchstone::pipeline::flow
