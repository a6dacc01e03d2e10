#include "pipeline/release/topic_options.hpp"

namespace touchstone::pipeline::release {

std::vector<Option<TopicsOptions>> TopicsOptions::options() {
  return {
      {"topics.min_evidence", &TopicsOptions::min_evidence, between(0, 1e6),
       "Topics with fewer evidence passages are discarded. Passages that differ only in names and numbers count once."},
      {"topics.min_probability", &TopicsOptions::min_probability, between(0, 1),
       "Topics are doubtful, and discarded, if the mean probability of their evidence is lower."},
      {"topics.max_unsure", &TopicsOptions::max_unsure, between(0, 1),
       "Topics are doubtful, and discarded, if the judge is unsure about a larger share of their candidates."},
  };
}

}  // namespace touchstone::pipeline::release
