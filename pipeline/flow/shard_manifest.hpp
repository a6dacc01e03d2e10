#pragma once

#include "common/descriptor.hpp"
#include "pipeline/flow/shard.hpp"

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

/// What a shard of a stage leaves on disk: a folder with its part files and, written last, a manifest. A shard counts
/// only if every byte of it is what its manifest says, so that whoever merges shards need not trust who wrote them.
namespace touchstone::pipeline::flow {

/// What all shards of one run of a stage have in common. Shards of another run differ in at least one field.
struct ShardRun {
  std::string stage;
  std::string options;  ///< fingerprint of the options that affect the output
  std::string inputs;   ///< digest of what the stage reads
  std::string program;  ///< version of the program

  friend bool operator==(const ShardRun&, const ShardRun&) = default;
};

struct ShardPart {
  std::uint64_t bytes = 0;
  std::string sha256;

  friend bool operator==(const ShardPart&, const ShardPart&) = default;
};

struct ShardManifest {
  ShardRun run;
  Shard shard;
  std::string attempt;                     ///< of the writer; empty: of a process that ran all shards
  std::map<std::string, ShardPart> parts;  ///< by file name in the shard's folder

  friend bool operator==(const ShardManifest&, const ShardManifest&) = default;
};

enum class ShardState : std::uint8_t {
  kWhole,
  kMissing,
  kUnreadable,  ///< the manifest is damaged
  kOtherShard,  ///< the manifest is that of another shard, as after a copy
  kOtherStage,
  kOtherOptions,
  kOtherInputs,
  kOtherProgram,
  kPartMissing,
  kPartTruncated,  ///< has another length than the shard wrote
  kPartEdited,     ///< has the right length and other bytes
  kPartUnknown,    ///< a file that the manifest does not name
};

struct ShardFinding {
  Shard shard;
  ShardState state = ShardState::kMissing;
  std::filesystem::path file;  ///< what the finding is about
};

/// One sentence: which shard, what is wrong, and what happens with it.
std::string shard_sentence(const ShardFinding& finding);

/// The folder of a shard below the folder of a stage's shards, such as "2-of-3" for index 1 of 3.
std::filesystem::path shard_folder(const std::filesystem::path& shards, Shard shard);

/// What becomes of the files that an earlier writer of a shard left.
enum class EarlierParts : std::uint8_t { kRemove, kKeep };

/// The one writer of a shard. It holds a lock file beside the folder, which the system releases when the process ends,
/// takes away the manifest and then, if they are not to be kept, the files that an earlier writer left, and gives a
/// manifest to what is whole.
/// Without `finish()` the shard is not whole. Not thread-safe. All functions throw StorageError.
class ShardWriter {
 public:
  /// Throws StorageError if another process or writer has the shard.
  ShardWriter(const std::filesystem::path& shards, ShardRun run, Shard shard,
              EarlierParts earlier = EarlierParts::kRemove);
  ShardWriter(const ShardWriter&) = delete;
  ShardWriter& operator=(const ShardWriter&) = delete;

  /// Where parts are written. They must be flushed to disk before `finish()`.
  const std::filesystem::path& folder() const noexcept { return folder_; }

  /// Digests the files in the folder and writes the manifest beside them, by temporary file, fsync and rename.
  void finish();

 private:
  std::filesystem::path folder_;
  ShardRun run_;
  Shard shard_;
  Descriptor lock_;
};

/// A writer of a shard that may have others beside it on other machines, and that may sleep and wake up when another
/// one has long taken its place. It writes into a folder of its own, which gets the name of the shard in one step when
/// it is whole; a whole shard is never written over. It relies on no locks, which shared disks may not have. Not
/// thread-safe. All functions throw StorageError.
class ShardAttempt {
 public:
  /// \param name  that no other attempt has
  ShardAttempt(std::filesystem::path shards, ShardRun run, Shard shard, std::string name);
  ShardAttempt(const ShardAttempt&) = delete;
  ShardAttempt& operator=(const ShardAttempt&) = delete;

  /// Where parts are written. They must be flushed to disk before `finish()`.
  const std::filesystem::path& folder() const noexcept { return folder_; }

  /// Makes the folder the shard. False if a whole one of the same run is there: then this one is removed.
  bool finish();

 private:
  std::filesystem::path shards_, folder_;
  ShardRun run_;
  Shard shard_;
  std::string name_;
};

/// Compares one shard with its manifest and with the run that asks for it. Reads all its bytes.
ShardFinding verify_shard(const std::filesystem::path& shards, const ShardRun& run, Shard shard);

/// The shards of `count` that are not whole, by index: those that have to run (again).
std::vector<ShardFinding> shards_to_run(const std::filesystem::path& shards, const ShardRun& run, std::uint32_t count);

}  // namespace touchstone::pipeline::flow
