#pragma once

#include "common/stop.hpp"

#include <chrono>
#include <filesystem>
#include <string>

namespace touchstone::pipeline::cluster {

/// The right of one process to give out the jobs of a work directory. It is a file that names its owner and is written
/// anew at every beat. A second process takes it only if the owner is dead or has stopped to write; an owner that wakes
/// up later finds another name in it and ends. No locks of the disk and no clocks of other machines are needed. Not
/// thread-safe.
class DriverClaim {
 public:
  /// Waits for up to `patience` to see whether the owner on another machine still writes. Throws ConfigError if another
  /// process has the claim, and Interrupted.
  DriverClaim(std::filesystem::path file, std::chrono::seconds patience, const StopFlag& stop);
  ~DriverClaim();  ///< gives the claim up
  DriverClaim(const DriverClaim&) = delete;
  DriverClaim& operator=(const DriverClaim&) = delete;

  /// Says that the owner lives. Throws Error if another process took the claim.
  void beat();

 private:
  bool is_ours() const;
  void write();

  std::filesystem::path file_;
  std::string owner_;  ///< host, process and a random number
  std::uint64_t beats_ = 0;
};

}  // namespace touchstone::pipeline::cluster
