#include "pipeline/cluster/slurm.hpp"

#include "common/child_process.hpp"
#include "common/error.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

#include <fmt/format.h>

namespace touchstone::pipeline::cluster {
namespace {

/// Calls `take` with each line, without its end.
template <class Take>
void for_each_line_of(std::string_view text, const Take& take) {
  while (!text.empty()) {
    const auto end = std::min(text.find('\n'), text.size());
    take(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

std::string_view trimmed(std::string_view text) {
  const auto begin = text.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t") + 1 - begin);
}

/// The word behind `name=`, up to a blank or line end; empty if there is none.
std::string_view field(std::string_view text, std::string_view name) {
  for (auto at = text.find(name); at != std::string_view::npos; at = text.find(name, at + 1)) {
    const bool begins = at == 0 || text[at - 1] == ' ' || text[at - 1] == '\n';
    if (!begins || at + name.size() >= text.size() || text[at + name.size()] != '=') continue;
    text.remove_prefix(at + name.size() + 1);
    return text.substr(0, text.find_first_of(" \n"));
  }
  return {};
}

/// Minutes of a time as Slurm writes it, "1-02:30:00" or "00:15:00"; nothing for "UNLIMITED".
std::optional<std::int64_t> minutes_of(std::string_view time) {
  constexpr std::int64_t kHours = 24, kMinutes = 60;
  std::int64_t days = 0, hours = 0, minutes = 0;
  const auto number = [&](std::string_view until, std::int64_t& value) {
    const auto end = time.find(until);
    if (end == std::string_view::npos) return false;
    const auto [stop, error] = std::from_chars(time.data(), time.data() + end, value);
    time.remove_prefix(end + 1);
    return error == std::errc{};
  };
  number("-", days);
  if (!number(":", hours) || !number(":", minutes)) return std::nullopt;
  return (days * kHours + hours) * kMinutes + minutes;
}

/// The parts of a line between its bars.
std::vector<std::string> split_line(std::string_view line) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0; begin <= line.size();) {
    const auto end = std::min(line.find('|', begin), line.size());
    parts.emplace_back(trimmed(line.substr(begin, end - begin)));
    begin = end + 1;
  }
  return parts;
}

JobEnd end_named(std::string_view state) {
  constexpr std::pair<std::string_view, JobEnd> kEnds[] = {
      {"COMPLETED", JobEnd::kDone},     {"FAILED", JobEnd::kFailed},       {"OUT_OF_MEMORY", JobEnd::kOutOfMemory},
      {"TIMEOUT", JobEnd::kTimeout},    {"DEADLINE", JobEnd::kTimeout},    {"NODE_FAIL", JobEnd::kNodeFail},
      {"BOOT_FAIL", JobEnd::kNodeFail}, {"PREEMPTED", JobEnd::kPreempted}, {"CANCELLED", JobEnd::kCancelled},
      {"REVOKED", JobEnd::kCancelled},
  };
  for (const auto& [name, end] : kEnds) {
    if (state.starts_with(name)) return end;  // "CANCELLED by 0"
  }
  return JobEnd::kUnknown;
}

std::string first_line(std::string_view text) {
  return std::string(trimmed(text.substr(0, std::min(text.find('\n'), text.size()))));
}

}  // namespace

std::string_view to_string(JobEnd end) noexcept {
  switch (end) {
    case JobEnd::kUnknown:
      return "ended for a reason that Slurm does not tell";
    case JobEnd::kDone:
      return "ended";
    case JobEnd::kFailed:
      return "failed";
    case JobEnd::kOutOfMemory:
      return "needed more memory than it had";
    case JobEnd::kTimeout:
      return "needed more time than it had";
    case JobEnd::kNodeFail:
      return "was on a node that failed";
    case JobEnd::kPreempted:
      return "gave way to another job";
    case JobEnd::kCancelled:
      return "was cancelled";
  }
  return "";
}

std::vector<QueuedJob> parse_queue(std::string_view text) {
  std::vector<QueuedJob> jobs;
  for_each_line_of(text, [&](std::string_view line) {
    const auto parts = split_line(line);
    if (parts.size() == 5 && !parts[0].empty()) jobs.push_back({parts[0], parts[1], parts[2], parts[3], parts[4]});
  });
  return jobs;
}

EndedJob parse_job(std::string_view text) {
  return {end_named(field(text, "JobState")), std::string(field(text, "NodeList")),
          std::string(field(text, "JobName"))};
}

EndedJob parse_accounting(std::string_view text) {
  const auto parts = split_line(text.substr(0, std::min(text.find('\n'), text.size())));
  if (parts.size() < 3) return {};
  return {end_named(parts[0]), parts[1], parts[2]};
}

std::optional<std::string> config_value(std::string_view text, std::string_view name) {
  std::optional<std::string> value;
  for_each_line_of(text, [&](std::string_view line) {
    const auto sign = line.find('=');
    if (sign != std::string_view::npos && trimmed(line.substr(0, sign)) == name)
      value = std::string(trimmed(line.substr(sign + 1)));
  });
  return value;
}

std::optional<std::int64_t> most_minutes(std::string_view partitions, std::string_view name) {
  std::optional<std::int64_t> least;
  const auto names = "," + std::string(name) + ",";
  for_each_line_of(partitions, [&](std::string_view line) {
    const bool is_meant = name.empty() ? field(line, "Default") == "YES"
                                       : names.find(fmt::format(",{},", field(line, "PartitionName"))) != names.npos;
    const auto minutes = is_meant ? minutes_of(field(line, "MaxTime")) : std::nullopt;
    if (minutes) least = std::min(*minutes, least.value_or(*minutes));
  });
  return least;
}

std::optional<std::string> submitted_id(std::string_view text) {
  std::optional<std::string> id;
  for_each_line_of(text, [&](std::string_view line) {  // a plugin of the site may write lines of its own
    const auto word = line.substr(0, std::min(line.find(';'), line.size()));
    if (!word.empty() && word.find_first_not_of("0123456789") == std::string_view::npos) id = std::string(word);
  });
  return id;
}

std::uint32_t most_array_tasks() {
  constexpr std::string_view kRemedy =
      "; --executor slurm has to run where sbatch, squeue and scontrol reach the cluster, such as its login node";
  ChildOutput said;
  try {
    said = run_child({"scontrol", "show", "config"});
  } catch (const Error& error) {
    throw Error(error.what() + std::string(kRemedy));
  }
  const auto text = config_value(said.out, "MaxArraySize");
  if (said.status != 0 || !text)
    throw Error("scontrol does not tell MaxArraySize: " + first_line(said.errors) + std::string(kRemedy));
  std::uint32_t size = 0;
  std::from_chars(text->data(), text->data() + text->size(), size);
  if (size < 2) throw Error("the cluster takes no job arrays (MaxArraySize = " + *text + "), which shards need");
  return size;  // indexes are below it
}

std::optional<std::int64_t> most_minutes_in(std::string_view partition) {
  const auto said = run_child({"scontrol", "show", "partition", "--oneliner"});
  return said.status == 0 ? most_minutes(said.out, partition) : std::nullopt;
}

std::string submit(const std::vector<std::string>& options, const std::filesystem::path& script) {
  std::vector<std::string> command{"sbatch", "--parsable"};
  command.insert(command.end(), options.begin(), options.end());
  command.push_back(script.string());
  const auto said = run_child(command);
  const auto id = submitted_id(said.out);
  if (said.status != 0 || !id)
    throw Error("sbatch refused " + script.string() + ": " + first_line(said.errors.empty() ? said.out : said.errors));
  return *id;
}

std::optional<std::vector<QueuedJob>> queued(std::string_view name_prefix) {
  const auto said = run_child({"squeue", "--noheader", "--me", "--array", "--format=%i|%j|%T|%r|%N"});
  if (said.status != 0) return std::nullopt;
  auto jobs = parse_queue(said.out);
  std::erase_if(jobs, [&](const QueuedJob& job) { return !job.name.starts_with(name_prefix); });
  return jobs;
}

EndedJob end_of(const std::string& id, std::string_view name) {
  const auto shown = run_child({"scontrol", "show", "job", id});
  if (shown.status == 0) {
    auto ended = parse_job(shown.out);
    if (ended.end != JobEnd::kUnknown && ended.name == name) return ended;
  }
  try {
    const auto counted =
        run_child({"sacct", "--parsable2", "--noheader", "--format=State,NodeList,JobName", "--jobs=" + id});
    if (counted.status == 0) {
      auto ended = parse_accounting(counted.out);
      if (ended.name == name) return ended;
    }
  } catch (const Error&) {  // a site without accounting need not have the program
  }
  return {};
}

void cancel(const std::vector<std::string>& ids) {
  if (ids.empty()) return;
  std::vector<std::string> command{"scancel"};
  command.insert(command.end(), ids.begin(), ids.end());
  run_child(command);
}

}  // namespace touchstone::pipeline::cluster
