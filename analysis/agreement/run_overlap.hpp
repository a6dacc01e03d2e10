#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace touchstone::analysis::agreement {

/// How much the rankings of each two systems have in common; matrices by row, `runs.size()` numbers a row.
struct RunOverlap {
  std::vector<std::string> names;
  std::size_t depth = 0;
  std::size_t topics = 0;               ///< of any run
  std::vector<double> average_overlap;  ///< down to `depth`
  std::vector<double> top_ten;          ///< share of the first 10 documents that both have

  double at(const std::vector<double>& matrix, std::size_t a, std::size_t b) const {
    return matrix[a * names.size() + b];
  }
};

/// One run and what to call it.
struct NamedRun {
  std::string name;
  std::filesystem::path path;
};

/// Average overlap: the mean over depths 1 to `depth` of the share of documents that both rankings have down to it; if
/// both rankings are shorter, down to the end of the longer one. Both numbers are means over the topics that one of
/// the two has at least; a topic that only one of them has counts 0. Lines of a topic that are no result are left out,
/// as `evaluate` does. Throws as RunFile does; ConfigError if `depth` is 0. Uses the threads of the caller's TBB arena.
/// Source: R. Fagin, R. Kumar, D. Sivakumar, Comparing top k lists, SODA 2003.
RunOverlap run_overlap(std::span<const NamedRun> runs, std::size_t depth);

namespace internal {

struct TopicOverlap {
  double average = 0, top_ten = 0;
};

/// Of two rankings of distinct documents, given as digests of their ids. \pre one of them is not empty, depth > 0
TopicOverlap topic_overlap(std::span<const std::uint64_t> a, std::span<const std::uint64_t> b, std::size_t depth);

}  // namespace internal

}  // namespace touchstone::analysis::agreement
