#pragma once

#include "common/progress.hpp"
#include "common/settings.hpp"
#include "common/stop.hpp"
#include "pipeline/flow/artifact.hpp"
#include "pipeline/flow/parts.hpp"
#include "pipeline/flow/shard.hpp"
#include "pipeline/flow/source_records.hpp"
#include "pipeline/flow/stage_report.hpp"
#include "pipeline/flow/work_paths.hpp"
#include "storage/store.hpp"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <typeindex>
#include <vector>

namespace touchstone::pipeline::flow {

class Stage;

/// An option group that a stage reads, and how a change of it reaches the stage's fingerprint.
struct OptionUse {
  enum class Part : std::uint8_t {
    kWhole,      ///< by its values: those of all its options that output depends on
    kInherited,  ///< by the fingerprint of a stage before, which reads the whole group
    kDescribed   ///< by what the stage's `extra_fingerprint` says of it
  };
  const OptionGroup* group = nullptr;
  Part part = Part::kWhole;
};

/// The common case: a change of an option that output depends on runs the stage again.
template <class Group>
OptionUse reads() {
  return {&option_group<Group>(), OptionUse::Part::kWhole};
}
/// For a group that a stage before reads whole, and with which this one runs again anyway. StageGraph checks it.
template <class Group>
OptionUse inherits() {
  return {&option_group<Group>(), OptionUse::Part::kInherited};
}
/// For a group of which only some things matter to this stage: its `extra_fingerprint` says which.
template <class Group>
OptionUse reads_in_part() {
  return {&option_group<Group>(), OptionUse::Part::kDescribed};
}

/// A work directory to look at: what functions of a stage's row get that run no stage.
struct WorkView {
  const Settings& settings;
  const WorkPaths& paths;
  storage::Store& store;
  const StopFlag& stop;
  int threads = 1;
};

/// A flag of the command line that sets one option.
struct Shorthand {
  std::string_view flag, key, summary;
  std::string_view type_name;  ///< of its value; empty: it has none, and sets an option that is true or false
  bool of_build = true;        ///< a flag of `build` too, not of the stage's own command alone
  bool is_list = false;        ///< takes one value or more, for an option that is a list of texts
};

/// A log that a stage keeps over all runs, and that can be moved between work directories.
struct KeptLog {
  struct Count {
    std::uint64_t read = 0, added = 0;
  };
  std::string_view records;  ///< what it holds: "replies"
  Count (*import_from)(const WorkPaths& work, const std::filesystem::path& file) = nullptr;
  Count (*export_to)(const WorkPaths& work, const std::filesystem::path& file) = nullptr;
};

/// A row of the stage table: all that is known about a stage without running it.
struct StageInfo {
  std::string_view name, summary;
  int format_version = 1;              ///< raised when the same input gives other bytes
  std::vector<Artifact> inputs = {};   ///< all it reads
  std::vector<Artifact> outputs = {};  ///< all it writes; no other stage writes any of it
  std::vector<Artifact> keeps = {};    ///< what it adds to over all runs: never emptied, and other stages may too
  std::vector<OptionUse> options = {};
  std::string_view progress_unit = "items", progress_records = "items";
  std::function<std::unique_ptr<Stage>()> make = {};
  bool is_cut = false;    ///< its cuts can be mapped by several processes, which read the store only
  bool prepares = false;  ///< `prepare` fills what `map` reads: a process that writes the store has to run before them
  /// Number of processes that may work ahead for the stage, which is not cut, before it runs (Stage::work_ahead); 0:
  /// none can with these settings. May be null: none ever can.
  std::uint32_t (*tasks_ahead)(const Settings& settings) = nullptr;

  /// What its output depends on besides its input and the values of its options, as text: the content of files that
  /// options name, versions of models. May be null, like all that follows.
  std::string (*extra_fingerprint)(const Settings& settings) = nullptr;
  /// Meta key under which `prepare` notes how far it came; erased when it starts anew.
  std::string_view resume_key = {};
  /// After a kill, `map` goes on with the parts that it finished. Else it starts with none.
  bool resumes_parts = false;
  /// Called before the work directory is made. Throws ConfigError for options with which the stage cannot start.
  void (*check_start)(const Settings& settings) = nullptr;
  /// Called before what the stage made of other sources is emptied. Throws ConfigError if the new sources should not
  /// take its place, which the user may ask for (`replace`), or do not go with the options.
  void (*check_sources)(const WorkView& work, const std::vector<SourceInput>& sources, bool replace) = nullptr;
  /// Name and version of another program that reads a source, as far as pages depend on it; empty: none does.
  std::string (*reader_of_source)(const SourceInput& source) = nullptr;
  /// It keeps records of failures, and can be told to try them once more.
  bool can_ask_again = false;
  /// What running it would take, for --dry-run. Called when all it reads is there; empty: nothing to say.
  std::string (*forecast)(const WorkView& work) = nullptr;
  /// What to print after a build that ends with it, and after its own command.
  std::string (*outcome_of_build)(const WorkView& work) = nullptr;
  std::string (*outcome_of_command)(const WorkView& work) = nullptr;
  std::vector<Shorthand> shorthands = {};
  const KeptLog* log = nullptr;
  bool finds_topics = false;  ///< its report has their number
};

/// The same as without stages, with what they say of its reader.
SourceRecord look_at_source(const SourceInput& source, std::span<const StageInfo> stages);
/// True when the stage reads the files that the user names.
bool reads_sources(const StageInfo& stage);
/// The families that a stage fills, and that are emptied before it fills them anew.
std::vector<storage::Family> families_of(const StageInfo& stage);
/// The option groups whose values are in the stage's own fingerprint.
std::vector<const OptionGroup*> groups_of(const StageInfo& stage);

/// What the stages before a stage did, and with which options; for the record that a collection carries.
struct Provenance {
  struct Value {
    std::string key, text;  ///< of an option that output depends on; TOML
  };
  struct StageRecord {
    std::string stage;
    StageReport report;
  };
  std::vector<Value> options;       ///< of the stage itself too
  std::vector<StageRecord> stages;  ///< in the order of the table
};

/// Objects that live as long as a run and that its stages share, one a type; the run's budget is one.
class RunObjects {
 public:
  RunObjects();
  ~RunObjects();
  RunObjects(const RunObjects&) = delete;
  RunObjects& operator=(const RunObjects&) = delete;

  /// The run's object of this type; `make` gives a `std::shared_ptr<Object>` the first time.
  template <class Object, class Make>
  Object& get(Make make) {
    auto& slot = slot_of(typeid(Object));
    if (slot == nullptr) slot = std::shared_ptr<Object>(make());
    return *static_cast<Object*>(slot.get());
  }

 private:
  std::shared_ptr<void>& slot_of(std::type_index type);
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// What a run gives to each of its stages.
struct RunServices {
  const Settings& settings;
  WorkPaths paths;
  storage::Store& store;
  const StopFlag& stop;
  ProgressCounters& progress;
  RunObjects& objects;
  std::vector<SourceInput> sources = {};
  Provenance provenance = {};
  std::string fingerprint = {};
  int threads = 1;
  bool ask_again = false;
  bool is_shared = false;              ///< other processes may work on the same build at the same time, as on a cluster
  std::filesystem::path scratch = {};  ///< empty: the folder of what stages hand to each other
  std::uint32_t shards = 1;
};

/// What a stage reads with: its options, its inputs, and the services of the run. It gives only what the stage's row
/// declares; all else is a programmer's mistake and fails by TS_CHECK. Column families are read through `store`, which
/// records them; `check_store_use` compares them with the row when the stage is done. Thread-safe.
class ReadContext {
 public:
  ReadContext(const StageInfo& stage, RunServices services);

  /// The values of a group that the stage reads.
  template <class Group>
  const Group& options() const {
    check_reads(option_group<Group>());
    return services_.settings.get<Group>();
  }

  /// Path of a file or folder by the name that it is declared under. An optional one need not exist.
  std::filesystem::path input(std::string_view name) const;
  /// An existing folder for temporary files, which their names tell apart from other stages' files.
  std::filesystem::path scratch() const {
    return services_.scratch.empty() ? services_.paths.stages() : services_.scratch;
  }

  const std::vector<SourceInput>& sources() const;
  const Provenance& provenance() const noexcept { return services_.provenance; }
  /// Digest of the stage's inputs, options and version, and of all before it.
  const std::string& fingerprint() const noexcept { return services_.fingerprint; }

 protected:
  const StageInfo& stage_;
  const RunServices services_;

 private:
  void check_reads(const OptionGroup& group) const;

 public:
  const storage::Store& store;
  const StopFlag& stop;
  ProgressCounters& progress;
  const int threads;
  const std::uint32_t shards;  ///< that share the cuts, for stages that make no more cuts than are of use
};

/// What a stage writes its results with.
class WriteContext : public ReadContext {
 public:
  WriteContext(const StageInfo& stage, RunServices services);

  /// Paths of files and folders by the name that they are declared under.
  std::filesystem::path output(std::string_view name) const;
  std::filesystem::path kept(std::string_view name) const;
  RunObjects& objects() const noexcept { return services_.objects; }

  storage::Store& store;
  const bool ask_again;  ///< try once more what failed before
  const bool is_shared;  ///< other processes may work on the same build
};

/// TS_CHECKs that the stage read and wrote only families and meta keys that its row declares.
void check_store_use(const StageInfo& stage, const storage::StoreUse& use);

/// One step of the flow, in the one form that all steps have: the work is cut, the cuts are mapped, and what came of
/// them is merged. Threads, shards and machines differ only in who maps which cuts. A stage may be killed at any
/// moment; running it again completes it. Throws Interrupted when the stop flag is set, Error when the run cannot go
/// on.
class Stage {
 public:
  virtual ~Stage() = default;

  /// Cuts the work. The cuts in their order are all of it, and what comes of them must not depend on where it was cut.
  /// The same store and options give the same cuts. Without cuts, the merge is the stage.
  virtual Cuts plan(const ReadContext& context);
  /// Fills the families that `map` reads and no stage before fills. Called before `open`.
  virtual void prepare(WriteContext& context);
  /// Reads what `map` needs. Called once in a process, before the first `map`.
  virtual void open(const ReadContext& context);
  /// Reads the store and earlier artifacts and writes parts, nothing else. Called for several cuts at once, from
  /// several threads.
  virtual void map(const ReadContext& context, const Cut& cut, const PartWriter& parts) const;
  /// Does its share of what the stage would have to do, and leaves it in what the stage keeps. Others may do so at the
  /// same time, even for the same share. It reads the store only, and returns when it can do no more, whatever the
  /// reason; throws Interrupted on a stop request alone.
  /// \param attempt  a name that no other attempt has
  virtual void work_ahead(WriteContext& context, Shard share, const std::string& attempt);
  /// Makes the outputs from the parts of all cuts.
  virtual StageReport merge(WriteContext& context, const Parts& parts) = 0;
};

/// Makes a stage of a type, for the row's `make`.
template <class Type>
std::unique_ptr<Stage> make_stage() {
  return std::make_unique<Type>();
}

}  // namespace touchstone::pipeline::flow
