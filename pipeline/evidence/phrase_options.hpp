#pragma once

#include "common/settings.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace touchstone {
namespace pipeline::evidence {

/// Who words the queries.
enum class QuerySource : std::uint8_t { kTemplate, kJudge };

/// How topics are worded.
struct PhraseOptions {
  QuerySource source = QuerySource::kTemplate;
  std::string prompt = "query";

  static std::vector<Option<PhraseOptions>> options();
};

}  // namespace pipeline::evidence

template <>
struct Choices<pipeline::evidence::QuerySource> {
  static constexpr Choice<pipeline::evidence::QuerySource> table[] = {
      {"template", pipeline::evidence::QuerySource::kTemplate}, {"judge", pipeline::evidence::QuerySource::kJudge}};
};

}  // namespace touchstone
