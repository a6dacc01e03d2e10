#pragma once

#include <string_view>

namespace touchstone::cli {

/// How a command ends. The numbers are what shells and scripts see.
enum class ExitStatus : int { kDone = 0, kFailed = 1, kWrongUsage = 2, kStopped = 3, kNoTopics = 4 };

struct ExitStatusMeaning {
  ExitStatus status;
  std::string_view text;  ///< for --help
};

/// All statuses, in the order of their numbers. --help shows them; docs/man and docs/manual.md are checked against it.
inline constexpr ExitStatusMeaning kExitStatuses[] = {
    {ExitStatus::kDone, "done"},
    {ExitStatus::kFailed, "failed"},
    {ExitStatus::kWrongUsage, "wrong usage"},
    {ExitStatus::kStopped, "stopped early and resumable"},
    {ExitStatus::kNoTopics, "done, but there are no topics"},
};

}  // namespace touchstone::cli
