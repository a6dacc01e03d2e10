#pragma once

#include <string_view>

/// The files of a released collection.
namespace touchstone::collection::release {

struct CollectionFile {
  std::string_view name;
  std::string_view encoding;     ///< media type
  std::string_view summary;      ///< for the dataset card
  bool is_reading_copy = false;  ///< the corpus once more, in the format of another tool
  bool is_run = false;           ///< of the baseline run (baseline_run.hpp), which is made of the other files
  bool is_history = false;       ///< only in a collection that has one before it
  bool is_audit = false;         ///< only in a collection that people have audited
};

inline constexpr CollectionFile kCard{"README.md", "text/markdown", "this card"};
inline constexpr CollectionFile kCroissant{"croissant.json", "application/ld+json", "the same facts for machines"};
inline constexpr CollectionFile kManifest{"manifest.json", "application/json",
                                          "program, configuration, dumps, numbers, digests"};
inline constexpr CollectionFile kDigests{"sha256sums.txt", "text/plain", "for `sha256sum -c sha256sums.txt`"};

}  // namespace touchstone::collection::release
