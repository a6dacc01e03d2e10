#pragma once

#include "collection/automatic/leak_check.hpp"
#include "collection/automatic/manifest.hpp"
#include "collection/automatic/report/automatic_numbers.hpp"
#include "formats/html/html.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

/// The parts of the report of an automatic collection that describe it as a whole.
namespace touchstone::collection::automatic::report::internal {

using formats::html::Html;

/// A passage of a query page and the near-duplicate that represents it.
struct DuplicatePair {
  std::string topic;
  std::string id, text;
  std::string representative, representative_text;  ///< no text: it is not in the corpus
};

/// What the report shows besides query pages.
struct AutomaticOverview {
  Manifest manifest;
  SplitNumbers train, test;
  ScriptCount scripts;
  std::vector<std::string> languages;  ///< whose headings selection knows
  bool knows_headings = true;
  std::uint64_t distinct_passages = 0, shared_passages = 0;
  std::uint64_t duplicates = 0;  ///< in the whole corpus
  std::vector<DuplicatePair> pairs;
  std::array<std::uint64_t, std::size(automatic::kLeakKinds)> leaks{};  ///< by LeakKind
  std::vector<std::string> leak_samples;                                ///< the first few, each a sentence
};

Html automatic_tiles(const AutomaticOverview& overview);
/// Passages beside the numbers of table 1.
Html passage_table(const AutomaticOverview& overview);
/// Entities beside the numbers of table 2.
Html entity_table(const AutomaticOverview& overview);
/// Empty if there is one fold.
Html fold_table(const AutomaticOverview& overview);
Html distribution_table(const SplitNumbers& all);
Html duplicate_section(const AutomaticOverview& overview);
Html leak_section(const AutomaticOverview& overview);
Html automatic_facts(const AutomaticOverview& overview);

/// What a researcher should know before using the collection, each a sentence or more.
std::vector<std::string> automatic_warnings(const AutomaticOverview& overview);
Html warning_list(const std::vector<std::string>& warnings);

/// What selection left out. Throws FormatError if `json` is not what stage `facets` writes.
Html selection_section(std::string_view json);

}  // namespace touchstone::collection::automatic::report::internal
