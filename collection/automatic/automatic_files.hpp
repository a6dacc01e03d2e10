#pragma once

#include "collection/release/staged_directory.hpp"

#include <cstddef>
#include <cstdint>
#include <string_view>

/// Names of the files of an automatic collection, besides those of `ReleaseFileNames` and `FormatDirectories`.
namespace touchstone::collection::automatic {

/// All articles but the query pages, in the form and under the name of TREC CAR's releases.
inline constexpr std::string_view kKnowledgeBase = "allButBenchmark";
/// The passages of all articles, each text once.
inline constexpr std::string_view kCorpusFile = "dedup.articles-paragraphs.cbor";

/// Each fold has some ten files open at once.
inline constexpr std::uint32_t kMostFolds = 20;
inline constexpr std::size_t kPagesPerSplit = 100'000;         ///< of a file of JSON lines
inline constexpr std::size_t kParagraphsPerSplit = 1'000'000;  ///< of a file of JSON lines

/// Of an automatic collection.
const release::DirectoryLayout& automatic_layout();

}  // namespace touchstone::collection::automatic
