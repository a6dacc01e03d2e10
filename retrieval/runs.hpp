#pragma once

#include "retrieval/document.hpp"
#include "retrieval/index.hpp"

#include <cstddef>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace touchstone::retrieval {

/// The lines of one topic in a TREC run. Scores are printed so that each is smaller than the one before, also in single
/// precision, with which trec_eval compares: equal ones go down by the least step. Every reader therefore keeps the
/// order.
std::string run_lines(const Index& index, std::string_view topic, const Ranking& ranking, std::string_view tag);

struct CheckedRun {
  std::string tag;           ///< of the run; the file's name without a tag
  std::size_t answered = 0;  ///< topics with a document at least
};

/// Reads a run and checks that every line is a result and that the collection has every topic and docid. Throws
/// FormatError for the first that it has not, and as formats::trec::RunFile does.
CheckedRun check_run(const std::filesystem::path& path, std::span<const Topic> topics,
                     const std::function<bool(std::string_view docid)>& has_document);

namespace internal {

/// Scores in single precision, each smaller than the one before. \pre descending
std::vector<float> strictly_descending(const Ranking& ranking);

}  // namespace internal

}  // namespace touchstone::retrieval
