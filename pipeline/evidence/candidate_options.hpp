#pragma once

#include "common/candidate_source.hpp"
#include "common/settings.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace touchstone {
namespace pipeline::evidence {

/// Which passages become candidates.
struct CandidatesOptions {
  std::vector<CandidateSource> sources = {CandidateSource::kLink};
  bool own_article = true;
  bool list_page = false;
  std::int64_t max_per_member = 0;
  std::int64_t max_added_per_member = 200;
  std::int64_t max_added_per_topic = 10'000;

  bool uses(CandidateSource source) const noexcept;

  static std::vector<Option<CandidatesOptions>> options();
  static std::vector<std::string> problems(const Settings& settings);
};

}  // namespace pipeline::evidence

template <>
struct Choices<CandidateSource> {
  static constexpr Choice<CandidateSource> table[] = {{to_string(CandidateSource::kLink), CandidateSource::kLink},
                                                      {to_string(CandidateSource::kMention), CandidateSource::kMention},
                                                      {to_string(CandidateSource::kPage), CandidateSource::kPage}};
};

}  // namespace touchstone
