#pragma once

#include "common/stop.hpp"
#include "pipeline/cluster/job_script.hpp"
#include "pipeline/cluster/slurm_options.hpp"
#include "pipeline/flow/build.hpp"
#include "pipeline/forecast/forecast.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string_view>

namespace touchstone::pipeline::cluster {

/// What the tasks of a stage and its merge get.
struct StageResources {
  Resources task, merge;
};

/// What the options say; what they leave open is told from the forecast: of memory a third more than it says and 200
/// MB, of time three times what it says and ten minutes. Without a forecast 2 GB, 4 GB and an hour. Pure. \param tasks
/// that share the stage; 0: it is not cut
StageResources stage_resources(const SlurmOptions& options, std::string_view stage, std::uint32_t tasks,
                               const forecast::Forecast* forecast);

/// The forecast of a build whose options leave memory or time of a stage open; nothing if none is needed or none can be
/// made, which the log says. It is kept in a file for the next run of the same build.
std::optional<forecast::Forecast> forecast_for_jobs(const flow::Build& build, const std::filesystem::path& program,
                                                    const ClusterPaths& paths, const StopFlag& stop);

}  // namespace touchstone::pipeline::cluster
