#include "pipeline/cluster/journal.hpp"

#include "common/error.hpp"
#include "common/files.hpp"
#include "common/json_tree.hpp"

#include <fstream>
#include <map>
#include <utility>

#include <nlohmann/json.hpp>

namespace touchstone::pipeline::cluster {
namespace {

using Json = nlohmann::ordered_json;

void add_line(const std::filesystem::path& file, const Json& json) {
  std::ofstream out(file, std::ios::app | std::ios::binary);
  out << json_text(json) + "\n" << std::flush;
  if (!out) throw StorageError("cannot write " + file.string() + "; is the disk full?");
}

}  // namespace

void Journal::submitted(const std::string& stage, const std::vector<std::string>& jobs, std::uint32_t shards) const {
  add_line(file_, {{"event", "submitted"}, {"stage", stage}, {"jobs", jobs}, {"shards", shards}});
}

void Journal::failed(const FailedTask& task) const {
  add_line(file_, {{"event", "failed"},
                   {"stage", task.stage},
                   {"index", task.index},
                   {"count", task.count},
                   {"job", task.job},
                   {"node", task.node},
                   {"reason", task.reason},
                   {"log", task.log},
                   {"command", task.command}});
}

void Journal::finished(const std::string& stage) const {
  add_line(file_, {{"event", "finished"}, {"stage", stage}});
}

std::vector<GivenStage> Journal::unfinished() const {
  using Task = std::pair<std::uint32_t, std::uint32_t>;  // count and index of its shard
  std::map<std::string, std::pair<GivenStage, std::map<Task, FailedTask>>> last;
  if (!std::filesystem::exists(file_)) return {};
  for_each_line(file_, [&](std::string_view line, std::uint64_t) {
    try {
      const Json json = parse_json(line);
      const std::string stage = json.at("stage"), event = json.at("event");
      if (event == "finished") last.erase(stage);
      if (event == "submitted") last[stage].first = {stage, json.at("jobs"), json.at("shards"), {}};
      if (event != "failed") return true;
      const FailedTask task{stage,           json.at("index"),  json.at("count"), json.at("job"),
                            json.at("node"), json.at("reason"), json.at("log"),   json.at("command")};
      last[stage].second[{task.count, task.index}] = task;
    } catch (const Json::exception&) {  // a line that was cut off
    } catch (const FormatError&) {
    }
    return true;
  });
  std::vector<GivenStage> all;
  for (auto& [name, found] : last) {
    auto& [stage, tasks] = found;
    stage.stage = name;
    for (auto& [key, task] : tasks) stage.failures.push_back(std::move(task));
    all.push_back(std::move(stage));
  }
  return all;
}

}  // namespace touchstone::pipeline::cluster
