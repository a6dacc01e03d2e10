#pragma once

#include "pipeline/flow/stage.hpp"
#include "pipeline/flow/stage_manifest.hpp"
#include "pipeline/flow/work_paths.hpp"
#include "storage/store.hpp"

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

/// The files that a stage hands to others, and the digests by which an edited or damaged one is recognised.
namespace touchstone::pipeline::flow {

/// Calls `use(path in the work directory, path)` for each file that the stage wrote: those that its row names, and all
/// files in the folders that it names, by path.
void for_each_file(const StageInfo& stage, const WorkPaths& paths,
                   const std::function<void(const std::string&, const std::filesystem::path&)>& use);

/// Notes size, time and digest of all files that the stage wrote in its record. `output` becomes the digest of those in
/// the folder of stage files.
void record_files(const StageInfo& stage, const WorkPaths& paths, StageManifest& manifest);

/// The first file that the stage wrote and that is missing or has another size; or, of the files outside the folder of
/// stage files, another content. Content is read only of files whose inode changed since. Empty: all are as written.
std::string changed_file(const StageManifest& manifest, const WorkPaths& paths);

/// Compares the files that the stage's record names with their digests. Records of versions without digests for single
/// files have one of all stage files together, which is compared instead.
/// \param wanted  a file, or a folder that represents all files in it, by path in the work directory
/// Throws StorageError, with the command that writes the file again, when the content is not what the stage wrote.
void check_files(const StageInfo& stage, const StageManifest& manifest, const WorkPaths& paths,
                 std::string_view wanted);

/// The path of a stage's file, for readers that are not stages. The file is compared with the digest that the store has
/// of it; one of which the store knows nothing is taken as it is. Throws StorageError as `check_files` does.
std::filesystem::path checked_file(const storage::Store& store, const WorkPaths& paths, std::string_view name);

}  // namespace touchstone::pipeline::flow
