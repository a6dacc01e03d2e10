#include "pipeline/flow/stage_files.hpp"

#include "common/digest.hpp"
#include "common/error.hpp"
#include "common/system_failure.hpp"
#include "storage/meta_keys.hpp"

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <vector>

#include <fmt/format.h>
#include <sys/stat.h>

namespace touchstone::pipeline::flow {
namespace {

namespace fs = std::filesystem;

/// Files in a folder, at any depth, as paths in the work directory.
std::vector<std::string> files_in(const WorkPaths& paths, std::string_view folder) {
  std::vector<std::string> names;
  const auto root = paths.file(folder);
  if (!fs::is_directory(root)) return names;
  for (const auto& entry : fs::recursive_directory_iterator(root)) {
    if (entry.is_regular_file())
      names.push_back(std::string(folder) + "/" + entry.path().lexically_relative(root).string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

bool is_or_is_in(std::string_view file, std::string_view wanted) {
  return file.starts_with(wanted) && (file.size() == wanted.size() || file[wanted.size()] == '/');
}

/// What the stage files of a stage come to.
std::string output_digest(const StageInfo& stage, const WorkPaths& paths,
                          const std::function<std::string(const std::string&, const fs::path&)>& digest_of) {
  Sha256 digest;
  for_each_file(stage, paths, [&](const std::string& name, const fs::path& path) {
    if (path.parent_path() == paths.stages()) digest.update_field(digest_of(name, path));
  });
  return digest.hex();
}

/// When the inode of a file changed last, in ns since 1970. Unlike the time of the content, no program can set it back.
std::int64_t change_time(const fs::path& path) {
  struct stat info {};
  if (::stat(path.c_str(), &info) != 0) throw StorageError(failure_text("look at", path, errno));
  return std::int64_t{info.st_ctim.tv_sec} * 1'000'000'000 + info.st_ctim.tv_nsec;
}

[[noreturn]] void refuse(const fs::path& path, std::string_view stage, const WorkPaths& paths) {
  throw StorageError(fmt::format(
      "{} is not as stage {} wrote it, so it was edited or damaged; write it again with touchstone {} --work {} "
      "--force, which uses the stored replies again",
      path.string(), stage, stage, paths.root.string()));
}

void check_file(const WorkPaths& paths, const std::string& name, const std::string& sha256, std::string_view stage) {
  const auto path = paths.file(name);
  if (sha256_file(path) != sha256) refuse(path, stage, paths);
}

}  // namespace

void for_each_file(const StageInfo& stage, const WorkPaths& paths,
                   const std::function<void(const std::string&, const fs::path&)>& use) {
  const auto in_folder = [&](std::string_view name) {
    return std::any_of(stage.outputs.begin(), stage.outputs.end(), [&](const Artifact& output) {
      return output.kind == Artifact::Kind::kFolder && is_or_is_in(name, output.name);
    });
  };
  for (const auto& output : stage.outputs) {
    if (output.kind == Artifact::Kind::kFolder) {
      for (const auto& name : files_in(paths, output.name)) use(name, paths.file(name));
    } else if (output.kind == Artifact::Kind::kFile && !in_folder(output.name)) {
      const auto path = paths.file(output.name);
      if (!output.optional || fs::exists(path)) use(std::string(output.name), path);
    }
  }
}

void record_files(const StageInfo& stage, const WorkPaths& paths, StageManifest& manifest) {
  for_each_file(stage, paths, [&](const std::string& name, const fs::path& path) {
    manifest.file_bytes[name] = fs::file_size(path);
    manifest.file_times[name] = change_time(path);
    manifest.file_digests[name] = sha256_file(path);
  });
  manifest.output = output_digest(
      stage, paths, [&](const std::string& name, const fs::path&) { return manifest.file_digests.at(name); });
}

std::string changed_file(const StageManifest& manifest, const WorkPaths& paths) {
  for (const auto& [name, bytes] : manifest.file_bytes) {
    const auto path = paths.file(name);
    std::error_code error;
    if (fs::file_size(path, error) != bytes || error) return name;
    const auto time = manifest.file_times.find(name);
    // Stages refuse files of other stages that were edited; what people read is made again.
    if (time == manifest.file_times.end() || path.parent_path() == paths.stages()) continue;
    if (change_time(path) != time->second && sha256_file(path) != manifest.file_digests.at(name)) return name;
  }
  return {};
}

void check_files(const StageInfo& stage, const StageManifest& manifest, const WorkPaths& paths,
                 std::string_view wanted) {
  for (const auto& [name, sha256] : manifest.file_digests) {
    if (is_or_is_in(name, wanted)) check_file(paths, name, sha256, stage.name);
  }
  if (!manifest.file_digests.empty() || manifest.output.empty()) return;
  const auto digest = [](const std::string&, const fs::path& path) { return sha256_file(path); };
  if (output_digest(stage, paths, digest) != manifest.output) refuse(paths.file(wanted), stage.name, paths);
}

fs::path checked_file(const storage::Store& store, const WorkPaths& paths, std::string_view name) {
  auto record = store.cursor(storage::Family::kMeta);
  for (record.seek(storage::kMetaStagePrefix); record.valid() && record.key().starts_with(storage::kMetaStagePrefix);
       record.next()) {
    const auto manifest = decode_manifest(std::string(record.value()));
    const auto found = manifest.file_digests.find(std::string(name));
    if (found == manifest.file_digests.end()) continue;
    if (fs::exists(paths.file(name)))
      check_file(paths, found->first, found->second, record.key().substr(storage::kMetaStagePrefix.size()));
  }
  return paths.file(name);
}

}  // namespace touchstone::pipeline::flow
