#include "pipeline/flow/stage.hpp"

#include "common/error.hpp"

#include <algorithm>
#include <map>

namespace touchstone::pipeline::flow {
namespace {

bool holds(const std::vector<Artifact>& artifacts, const Artifact& wanted) {
  return std::find(artifacts.begin(), artifacts.end(), wanted) != artifacts.end();
}

/// Whether one of the artifacts is the file or folder of this name.
bool holds_path(const std::vector<Artifact>& artifacts, std::string_view name) {
  return holds(artifacts, file(name)) || holds(artifacts, folder(name));
}

std::string mistake(const StageInfo& stage, std::string_view verb, std::string_view what) {
  return "stage " + std::string(stage.name) + " " + std::string(verb) + " " + std::string(what) +
         ", which its row does not declare";
}

}  // namespace

void StageReport::add(const RejectReason& reason, std::string_view detail, std::span<const std::string> first,
                      std::uint64_t count) {
  const std::string text = std::string(reason.text) + std::string(detail);
  rejected[text] += count;
  severities[text] = reason.severity;
  auto& kept = samples[text];
  for (const auto& sample : first) {
    if (kept.size() < kSamplesPerReason) kept.push_back(sample);
  }
}

std::vector<storage::Family> families_of(const StageInfo& stage) {
  std::vector<storage::Family> families;
  for (const auto& output : stage.outputs) {
    if (output.kind == Artifact::Kind::kFamily) families.push_back(output.family);
  }
  return families;
}

std::vector<const OptionGroup*> groups_of(const StageInfo& stage) {
  std::vector<const OptionGroup*> groups;
  for (const auto& use : stage.options) {
    if (use.part == OptionUse::Part::kWhole) groups.push_back(use.group);
  }
  return groups;
}

SourceRecord look_at_source(const SourceInput& source, std::span<const StageInfo> stages) {
  auto record = look_at_source(source);
  for (const auto& stage : stages) {
    if (stage.reader_of_source != nullptr) record.reader += stage.reader_of_source(source);
  }
  return record;
}

bool reads_sources(const StageInfo& stage) {
  return holds(stage.inputs, sources());
}

struct RunObjects::Impl {
  std::map<std::type_index, std::shared_ptr<void>> objects;
};
RunObjects::RunObjects() : impl_(std::make_unique<Impl>()) {}
RunObjects::~RunObjects() = default;
std::shared_ptr<void>& RunObjects::slot_of(std::type_index type) {
  return impl_->objects[type];
}

ReadContext::ReadContext(const StageInfo& stage, RunServices services)
    : stage_(stage),
      services_(std::move(services)),
      store(services_.store),
      stop(services_.stop),
      progress(services_.progress),
      threads(services_.threads),
      shards(services_.shards) {}

WriteContext::WriteContext(const StageInfo& stage, RunServices services)
    : ReadContext(stage, std::move(services)),
      store(services_.store),
      ask_again(services_.ask_again),
      is_shared(services_.is_shared) {}

void ReadContext::check_reads(const OptionGroup& group) const {
  const bool declared =
      std::any_of(stage_.options.begin(), stage_.options.end(), [&](const auto& use) { return use.group == &group; });
  TS_CHECK(declared, mistake(stage_, "reads the option group with", group.rows.front().key));
}

std::filesystem::path ReadContext::input(std::string_view name) const {
  TS_CHECK(holds_path(stage_.inputs, name), mistake(stage_, "reads", name));
  return services_.paths.file(name);
}

std::filesystem::path WriteContext::output(std::string_view name) const {
  TS_CHECK(holds_path(stage_.outputs, name), mistake(stage_, "writes", name));
  return services_.paths.file(name);
}

std::filesystem::path WriteContext::kept(std::string_view name) const {
  TS_CHECK(holds_path(stage_.keeps, name), mistake(stage_, "keeps", name));
  return services_.paths.file(name);
}

const std::vector<SourceInput>& ReadContext::sources() const {
  TS_CHECK(reads_sources(stage_), mistake(stage_, "reads", "the sources"));
  return services_.sources;
}

Cuts Stage::plan(const ReadContext&) {
  return {};
}
void Stage::prepare(WriteContext&) {}
void Stage::open(const ReadContext&) {}
void Stage::map(const ReadContext&, const Cut&, const PartWriter&) const {
  TS_CHECK(false, "a stage that cuts its work maps the cuts");
}
void Stage::work_ahead(WriteContext&, Shard, const std::string&) {
  TS_CHECK(false, "a stage that has tasks ahead can work ahead");
}

void check_store_use(const StageInfo& stage, const storage::StoreUse& use) {
  const auto may_write = [&](const Artifact& artifact) {
    return holds(stage.outputs, artifact) || holds(stage.keeps, artifact);
  };
  const auto may_read = [&](const Artifact& artifact) { return holds(stage.inputs, artifact) || may_write(artifact); };
  for (std::size_t i = 0; i < storage::kFamilyCount; ++i) {
    const auto number = static_cast<storage::Family>(i);
    TS_CHECK(!use.read[i] || may_read(family(number)), mistake(stage, "reads family", storage::to_string(number)));
    TS_CHECK(!use.written[i] || may_write(family(number)), mistake(stage, "writes family", storage::to_string(number)));
  }
  for (const auto& key : use.meta_read) TS_CHECK(may_read(meta(key)), mistake(stage, "reads meta key", key));
  for (const auto& key : use.meta_written) TS_CHECK(may_write(meta(key)), mistake(stage, "writes meta key", key));
}

}  // namespace touchstone::pipeline::flow
