#pragma once

#include "retrieval/document.hpp"

#include <cstddef>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <string_view>

namespace touchstone::retrieval {

struct CheckedRun {
  std::string tag;           ///< of the run; the file's name without a tag
  std::size_t answered = 0;  ///< topics with a document at least
};

/// Reads a run and checks that every line is a result and that the collection has every topic and docid. Throws
/// FormatError for the first that it has not, and as formats::trec::RunFile does.
CheckedRun check_run(const std::filesystem::path& path, std::span<const Topic> topics,
                     const std::function<bool(std::string_view docid)>& has_document);

}  // namespace touchstone::retrieval
