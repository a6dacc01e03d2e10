#include "pipeline/release/topic_options.hpp"

namespace touchstone::pipeline::release {

std::vector<Option<TopicsOptions>> TopicsOptions::options() {
  return {
      {"topics.min_evidence", &TopicsOptions::min_evidence, between(0, 1e6),
       "Topics with fewer evidence passages are discarded."},
  };
}

}  // namespace touchstone::pipeline::release
