#include "pipeline/flow/disk_options.hpp"

namespace touchstone::pipeline::flow {

std::vector<Option<DiskOptions>> DiskOptions::options() {
  return {
      {"run.keep_free_mb", &DiskOptions::keep_free_mb, between(0, 1e9), OptionEffect::kRemembered,
       "Megabytes that stay free on the disk of the work directory for others, but at most a hundredth of the disk. "
       "With less, a run stops cleanly. 0: it does not look."}};
}

}  // namespace touchstone::pipeline::flow
