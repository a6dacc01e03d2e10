#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace touchstone::collection::release {

inline constexpr std::size_t kMaxProblems = 100;

/// Something that is wrong with a collection.
struct Problem {
  std::string file;
  std::uint64_t line = 0;  ///< 0: the file as a whole
  std::string what;        ///< one sentence, with the offending value and what to do
};

struct ValidationReport {
  std::vector<Problem> problems;                ///< at most kMaxProblems
  std::uint64_t problem_count = 0;              ///< all of them
  std::vector<std::string> warnings;            ///< failed health checks, a sentence each; they are no problems
  std::map<std::string, std::uint64_t> counts;  ///< topics, passages, qrels, ...
  bool ok() const noexcept { return problem_count == 0; }
};
}  // namespace touchstone::collection::release
