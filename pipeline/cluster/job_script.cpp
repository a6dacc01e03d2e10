#include "pipeline/cluster/job_script.hpp"

#include "common/digest.hpp"
#include "common/display_text.hpp"

#include <algorithm>
#include <fstream>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace touchstone::pipeline::cluster {
namespace {

/// The program gets this long to leave its work in order before Slurm ends it.
constexpr int kSecondsToLeave = 60;

/// The words of the command for a shell.
std::string shell_words(const std::vector<std::string>& words) {
  std::string text;
  for (const auto& word : words)
    text += (text.empty() ? "" : " ") + (word == "{index}" ? "\"$index\"" : shell_word(word));
  return text;
}

/// A path as Slurm has to read it where "%j" stands for the number of a job.
std::string output_pattern(const std::filesystem::path& path) {
  std::string pattern;
  for (const char c : path.string()) pattern += c == '%' ? "%%" : std::string(1, c);
  return pattern;
}

}  // namespace

std::string job_name_prefix(const std::filesystem::path& work) {
  constexpr std::size_t kDigits = 8;
  return "ts-" + sha256_hex(std::filesystem::absolute(work).lexically_normal().string()).substr(0, kDigits) + "-";
}

std::vector<std::string> last_lines(const std::filesystem::path& log, std::size_t most) {
  constexpr std::streamoff kShownBytes = 4000;
  std::ifstream file(log, std::ios::binary | std::ios::ate);
  if (!file) return {};
  const std::streamoff size = file.tellg();
  file.seekg(std::max<std::streamoff>(0, size - kShownBytes));
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) {
    if (!line.empty()) lines.push_back(line);
  }
  if (lines.size() > most) lines.erase(lines.begin(), lines.end() - static_cast<std::ptrdiff_t>(most));
  return lines;
}

std::filesystem::path end_file(const Job& job, const ClusterPaths& paths, std::uint32_t index) {
  return paths.ends() / fmt::format("{}-{}", job.label, index);
}

std::filesystem::path log_file(const Job& job, const ClusterPaths& paths, const std::string& id) {
  return paths.logs() / fmt::format("{}-{}.log", job.label, id);
}

std::vector<std::string> sbatch_options(const Job& job, const SlurmOptions& options, const ClusterPaths& paths) {
  std::vector<std::string> all{
      "--job-name=" + job.name,
      "--no-requeue",  // the driver gives out again what is missing; two that retry would do it twice
      "--open-mode=append",
      "--output=" + output_pattern(paths.logs()) + "/" + job.label + (job.indexes.empty() ? "-%j.log" : "-%A_%a.log"),
      fmt::format("--time={}", job.resources.minutes),
      fmt::format("--mem={}M", job.resources.memory_mb),
      fmt::format("--cpus-per-task={}", job.resources.cpus),
      "--nodes=1",
      "--ntasks=1",
  };
  // Slurm looks at time limits every half minute, so that a signal just before the end could be too late.
  if (job.resources.minutes > 2) all.push_back(fmt::format("--signal=B:USR1@{}", kSecondsToLeave));
  if (!options.partition.empty()) all.push_back("--partition=" + options.partition);
  if (!options.account.empty()) all.push_back("--account=" + options.account);
  if (!job.indexes.empty()) all.push_back(fmt::format("--array=0-{}", job.indexes.size() - 1));
  if (!job.after.empty()) all.push_back(fmt::format("--dependency=afterany:{}", fmt::join(job.after, ":")));
  if (!job.excluded_nodes.empty()) all.push_back(fmt::format("--exclude={}", fmt::join(job.excluded_nodes, ",")));
  all.insert(all.end(), options.more.begin(), options.more.end());
  return all;
}

std::string job_script(const Job& job, const ClusterPaths& paths, const std::filesystem::path& program,
                       const std::filesystem::path& folder) {
  std::string text = "#!/bin/sh\n# Written by touchstone build --executor slurm.\n";
  if (job.indexes.empty()) {
    text += "index=0\n";
  } else {
    text += fmt::format("set -- {}\nshift \"$SLURM_ARRAY_TASK_ID\"\nindex=$1\n", fmt::join(job.indexes, " "));
  }
  std::vector<std::string> command{program.string()};
  command.insert(command.end(), job.command.begin(), job.command.end());
  text += "cd " + shell_word(folder.string()) + " || exit 1\n";
  text += "end=" + shell_word((paths.ends() / (job.label + "-")).string()) + "$index\n";
  text += "rm -f \"$end\"\n";
  text += "echo \"on $(hostname), job $SLURM_JOB_ID\" >&2\n";
  text += shell_words(command) + " &\nchild=$!\n";
  text += "trap 'kill -TERM $child' USR1 TERM\n";
  // A signal ends a wait, so that one waits again until the program has ended.
  text += "while :; do\n  wait $child; status=$?\n  kill -0 $child 2>/dev/null || break\ndone\n";
  text += "echo $status > \"$end.partial\" && mv \"$end.partial\" \"$end\"\nexit $status\n";
  return text;
}

}  // namespace touchstone::pipeline::cluster
