#pragma once

#include "annotation/campaign.hpp"
#include "common/stop.hpp"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

namespace touchstone::cli {

/// Flags of the commands that let people judge: who, in which order, on which server. What is not given is as in the
/// last run of the folder.
struct AnnotationFlags {
  std::string gold;  ///< the command adds the flag, if it has one
  std::string annotators, language, certificate, key, public_url, bind = "127.0.0.1:8080";
  std::optional<std::string> guidelines, title, order, mode;
  std::size_t probes = 0;
  std::optional<std::uint32_t> overlap;
  std::optional<double> lease_minutes;
  std::optional<std::uint64_t> seed;  ///< the command adds the flag
  bool rotate = false, plain_http = false, only_export = false;

  /// Of what is drawn at the first start.
  std::uint64_t draw_seed() const { return seed.value_or(1); }

  void add_to(CLI::App* command);
};

/// Serves tasks until a stop is requested; prints a link for each person first. Goes on with what an earlier run left
/// in the folder. Throws ConfigError for flags that do not go together, before anything is written.
/// \param folder  is made if it is missing; only its owner may enter it, since it holds names and links
/// \param tasks   gives the tasks where the folder has none
void run_annotation(const AnnotationFlags& flags, const std::filesystem::path& folder,
                    const std::function<std::vector<annotation::Task>()>& tasks, const StopFlag& stop);

}  // namespace touchstone::cli
