#pragma once

#include "common/stop.hpp"
#include "pipeline/flow/build.hpp"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

/// What a build will take, told from builds of small samples of its wiki.
namespace touchstone::pipeline::forecast {

/// What a stage will take.
struct StageForecast {
  std::string stage;
  double cpu_seconds = 0;
  double seconds = 0;            ///< with the threads of the build
  std::uint64_t memory = 0;      ///< bytes, of a process that runs it alone
  std::uint64_t part_bytes = 0;  ///< between map and merge
};

struct Forecast {
  std::uint64_t text_bytes = 0;    ///< of the decompressed dumps
  std::uint64_t sample_bytes = 0;  ///< of the larger sample
  bool sample_is_all = false;
  int threads = 1;
  std::vector<StageForecast> stages;
  std::uint64_t disk_bytes = 0;       ///< of the finished work directory
  std::uint64_t peak_disk_bytes = 0;  ///< with what stages hand to their own merge
  // What a language model is asked. From a sample few members of a list are known, so that this is least certain.
  std::uint64_t requests = 0, prompt_tokens = 0;
  double judge_dollars = 0;
  bool priced = false;

  const StageForecast* find(std::string_view stage) const;
  double cpu_seconds() const;
  double seconds() const;
  std::uint64_t memory() const;  ///< of the stage that needs most
};

/// Builds two samples of the wiki in the folder for temporary files, up to the stages of the build, with the embedded
/// judge in place of language models, and continues what their stages took to the whole. Nothing is asked that costs.
///
/// Throws ConfigError for sources that cannot be looked at first, Error if a sample cannot be built, Interrupted.
/// \param build    with sources
/// \param program  that is run
Forecast forecast_build(const flow::Build& build, const std::filesystem::path& program, const StopFlag& stop);

/// The forecast as a table for people.
/// \param core_hour_dollars  price of a core for an hour; 0: no prices of machines
std::string forecast_text(const Forecast& forecast, double core_hour_dollars);

}  // namespace touchstone::pipeline::forecast
