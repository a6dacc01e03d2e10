#include "pipeline/flow/stage_graph.hpp"

#include "common/error.hpp"
#include "pipeline/flow/disk_options.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace touchstone::pipeline::flow {
namespace {

bool writes(const StageInfo& stage, const Artifact& artifact) {
  return std::find(stage.outputs.begin(), stage.outputs.end(), artifact) != stage.outputs.end();
}

std::string text_of(const Artifact& artifact) {
  switch (artifact.kind) {
    case Artifact::Kind::kFamily:
      return std::string(storage::to_string(artifact.family));
    case Artifact::Kind::kFile:
      return std::string(artifact.name);
    case Artifact::Kind::kMeta:
      return "meta:" + std::string(artifact.name);
    case Artifact::Kind::kFolder:
      return std::string(artifact.name) + "/";
    case Artifact::Kind::kSources:
      return "dumps";
  }
  return {};
}

std::string list_of(const std::vector<Artifact>& artifacts) {
  std::string text;
  for (const auto& artifact : artifacts) text += " " + text_of(artifact);
  return text;
}

}  // namespace

StageGraph::StageGraph(std::vector<StageInfo> stages, std::vector<Target> targets,
                       std::vector<const OptionGroup*> first_options)
    : stages_(std::move(stages)), targets_(std::move(targets)), first_options_(std::move(first_options)) {
  needs_.resize(stages_.size());
  before_.assign(stages_.size(), std::vector<bool>(stages_.size(), false));
  for (std::size_t i = 0; i < stages_.size(); ++i) {
    TS_CHECK(find(stages_[i].name) == &stages_[i], "two stages are called " + std::string(stages_[i].name));
    connect(i);
    check_options(i);
  }
  for (const auto& target : targets_) {
    TS_CHECK(find(target.name) == nullptr, "a target is called like stage " + std::string(target.name));
    for (const auto name : target.stages)
      TS_CHECK(find(name) != nullptr, "target " + std::string(target.name) + " names no stage: " + std::string(name));
  }
}

void StageGraph::connect(std::size_t index) {
  const auto& stage = stages_[index];
  for (const auto& output : stage.outputs) {
    for (std::size_t other = 0; other < index; ++other) {
      TS_CHECK(!writes(stages_[other], output),
               fmt::format("stages {} and {} both write {}", stages_[other].name, stage.name, text_of(output)));
    }
  }
  std::vector<std::size_t> direct;
  for (const auto& input : stage.inputs) {
    if (input.kind == Artifact::Kind::kSources) continue;
    const auto found = std::find_if(stages_.begin(), stages_.begin() + static_cast<std::ptrdiff_t>(index),
                                    [&](const StageInfo& other) { return writes(other, input); });
    const auto producer = static_cast<std::size_t>(found - stages_.begin());
    TS_CHECK(producer < index, fmt::format("no stage before {} writes {}", stage.name, text_of(input)));
    direct.push_back(producer);
    before_[index][producer] = true;
    for (std::size_t other = 0; other < producer; ++other) {
      if (before_[producer][other]) before_[index][other] = true;
    }
  }
  std::sort(direct.begin(), direct.end());
  direct.erase(std::unique(direct.begin(), direct.end()), direct.end());
  for (const auto need : direct) {
    const bool implied =
        std::any_of(direct.begin(), direct.end(), [&](std::size_t other) { return before_[other][need]; });
    if (!implied) needs_[index].push_back(&stages_[need]);
  }
}

void StageGraph::check_options(std::size_t index) const {
  const auto& stage = stages_[index];
  const auto reads_whole = [](const StageInfo& other, const OptionGroup* group) {
    return std::any_of(other.options.begin(), other.options.end(),
                       [&](const OptionUse& use) { return use.group == group && use.part == OptionUse::Part::kWhole; });
  };
  for (const auto& use : stage.options) {
    const auto name = use.group->rows.front().key;
    if (use.part == OptionUse::Part::kDescribed) {
      TS_CHECK(stage.extra_fingerprint != nullptr,
               fmt::format("stage {} does not say what of the group with {} changes its output", stage.name, name));
    }
    if (use.part != OptionUse::Part::kInherited) continue;
    bool inherited = false;
    for (std::size_t other = 0; other < index; ++other)
      inherited = inherited || (before_[index][other] && reads_whole(stages_[other], use.group));
    TS_CHECK(inherited, fmt::format("no stage before {} reads the group with {}", stage.name, name));
  }
}

std::vector<const StageInfo*> StageGraph::all() const {
  std::vector<const StageInfo*> all;
  for (const auto& stage : stages_) all.push_back(&stage);
  return all;
}

const StageInfo* StageGraph::find(std::string_view name) const {
  const auto found =
      std::find_if(stages_.begin(), stages_.end(), [&](const auto& stage) { return stage.name == name; });
  return found == stages_.end() ? nullptr : &*found;
}

const std::vector<const StageInfo*>& StageGraph::needs(const StageInfo& stage) const {
  return needs_.at(index_of(stage));
}

std::vector<const StageInfo*> StageGraph::closure(std::span<const StageInfo* const> chosen) const {
  std::vector<const StageInfo*> result;
  for (std::size_t i = 0; i < stages_.size(); ++i) {
    const bool wanted = std::any_of(chosen.begin(), chosen.end(), [&](const StageInfo* stage) {
      return stage == &stages_[i] || before_[index_of(*stage)][i];
    });
    if (wanted) result.push_back(&stages_[i]);
  }
  return result;
}

void StageGraph::check_topics(const StageInfo& stage, const StageReport& report,
                              std::span<const StageInfo* const> chosen) const {
  if (!stage.finds_topics || !report.no_settings_help || report.warnings.empty()) return;
  const bool all = std::all_of(chosen.begin(), chosen.end(), [&](const StageInfo* last) {
    const bool is_needed = std::any_of(chosen.begin(), chosen.end(), [&](const StageInfo* other) {
      return before_[index_of(*other)][index_of(*last)];
    });
    return is_needed || before_[index_of(*last)][index_of(stage)];
  });
  if (all) throw ConfigError(report.warnings.front());
}

std::vector<const StageInfo*> StageGraph::stages_for(std::string_view target, std::string_view from) const {
  std::vector<const StageInfo*> ends;
  if (const auto* stage = find(target); stage != nullptr) {
    ends.push_back(stage);
  } else {
    const auto found = std::find_if(targets_.begin(), targets_.end(), [&](const auto& t) { return t.name == target; });
    if (found == targets_.end()) throw ConfigError("there is no stage or target \"" + std::string(target) + "\"");
    for (const auto name : found->stages) ends.push_back(find(name));
  }
  auto chosen = closure(ends);
  if (from.empty()) return chosen;
  const auto first = std::find(chosen.begin(), chosen.end(), find(from));
  if (first == chosen.end())
    throw ConfigError(fmt::format("{} does not need stage {}: name another --from or --to", target, from));
  chosen.erase(chosen.begin(), first);
  return chosen;
}

std::vector<std::string> StageGraph::target_names() const {
  std::vector<std::string> names;
  for (const auto& target : targets_) names.emplace_back(target.name);
  for (const auto& stage : stages_) names.emplace_back(stage.name);
  return names;
}

Settings StageGraph::settings() const {
  std::vector<const OptionGroup*> groups;
  const auto section = [](const OptionGroup* group) {
    const std::string_view key = group->rows.front().key;
    return key.substr(0, key.find('.'));
  };
  // A section of a file stands in one place, though several stages may read parts of it.
  const auto add = [&](const OptionGroup* group) {
    const auto same = std::find_if(groups.rbegin(), groups.rend(),
                                   [&](const auto* other) { return section(other) == section(group); });
    groups.insert(same == groups.rend() ? groups.end() : same.base(), group);
  };
  std::for_each(first_options_.begin(), first_options_.end(), add);
  add(&option_group<DiskOptions>());
  for (const auto& stage : stages_) {
    for (const auto& use : stage.options) add(use.group);
  }
  return Settings(groups);
}

std::string StageGraph::listing() const {
  constexpr std::size_t kIndent = 11;
  std::size_t width = kIndent;  // of the names
  for (const auto& stage : stages_) width = std::max(width, stage.name.size());
  std::string text;
  for (const auto& stage : stages_) {
    text += fmt::format("{:<{}} {}\n", stage.name, width, stage.summary);
    std::string needed;
    for (const auto* need : needs(stage)) needed += " " + std::string(need->name);
    text += fmt::format("{:<{}}   needs{}\n", "", kIndent, needed.empty() ? " nothing" : needed);
    text += fmt::format("{:<{}}   reads{}\n", "", kIndent, list_of(stage.inputs));
    text += fmt::format("{:<{}}   writes{}{}\n", "", kIndent, list_of(stage.outputs), list_of(stage.keeps));
  }
  if (!targets_.empty()) text += "\nTargets, besides the stages:\n";
  for (const auto& target : targets_)
    text += fmt::format("{:<{}} {}: all that is needed for {}\n", target.name, width, target.summary,
                        fmt::join(target.stages, ", "));
  return text;
}

}  // namespace touchstone::pipeline::flow
