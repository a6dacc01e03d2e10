#pragma once

#include "common/settings.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace touchstone {
namespace pipeline::evidence {

/// Who words the queries.
enum class QuerySource : std::uint8_t {
  kAuto,      ///< the judge's model where the judge is one, else the template
  kTemplate,  ///< titles and headings
  kJudge
};

/// How topics are worded.
struct PhraseOptions {
  QuerySource source = QuerySource::kAuto;
  std::string prompt = "query";
  std::string subject;
  std::string review;

  static std::vector<Option<PhraseOptions>> options();
};

}  // namespace pipeline::evidence

template <>
struct Choices<pipeline::evidence::QuerySource> {
  static constexpr Choice<pipeline::evidence::QuerySource> table[] = {
      {"auto", pipeline::evidence::QuerySource::kAuto},
      {"template", pipeline::evidence::QuerySource::kTemplate},
      {"judge", pipeline::evidence::QuerySource::kJudge}};
};

}  // namespace touchstone
