#pragma once

#include "collection/automatic/derivation.hpp"
#include "formats/car/records.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

/// What the query pages of an automatic collection add up to.
namespace touchstone::collection::automatic::report::internal {

/// How often each value occurs.
class Distribution {
 public:
  void add(std::uint64_t value) {
    ++counts_[value];
    ++size_;
    sum_ += value;
  }
  void add(const Distribution& other);

  std::uint64_t size() const noexcept { return size_; }
  std::uint64_t sum() const noexcept { return sum_; }
  std::uint64_t count(std::uint64_t value) const;
  double mean() const noexcept;
  /// The smallest value that at least `share` of all values do not exceed; 0 if there are no values. \pre 0 to 1
  std::uint64_t quantile(double share) const;
  const std::map<std::uint64_t, std::uint64_t>& counts() const noexcept { return counts_; }

 private:
  std::map<std::uint64_t, std::uint64_t> counts_;
  std::uint64_t size_ = 0, sum_ = 0;
};

/// One split of the collection. Pairs are those of the hierarchical qrels, which the paper counts.
struct SplitNumbers {
  std::uint64_t topics = 0;
  std::uint64_t facets = 0;                ///< headings
  std::uint64_t facets_with_passages = 0;  ///< with a passage of their own, not only below inner headings
  std::uint64_t facets_with_entities = 0;
  std::uint64_t passages = 0, lead_passages = 0;  ///< (facet or topic, passage) pairs; of them, in leads
  std::uint64_t entities = 0, lead_entities = 0;  ///< (facet or topic, entity) pairs; of them, in leads
  std::uint64_t tree_passages = 0;                ///< pairs of the qrels with all prefixes
  std::uint64_t article_passages = 0, article_entities = 0;
  std::uint64_t replaced = 0;  ///< passages that a near-duplicate represents
  Distribution facets_per_topic, passages_per_topic, passages_per_facet, entities_per_facet;

  void add(const SplitNumbers& other);
};

/// Headings in scripts that no language of the selection uses.
struct ScriptCount {
  std::uint64_t headings = 0;        ///< with letters
  std::uint64_t foreign = 0;         ///< most of whose letters are in other scripts
  std::vector<std::string> samples;  ///< title » heading, the first few
};

/// Adds up query pages. Not thread-safe.
class NumberCollector {
 public:
  /// \param languages  whose headings selection knows; scripts are not looked at if ICU knows none of them
  explicit NumberCollector(const std::vector<std::string>& languages);

  void add(const automatic::Derivation& derivation, bool test);

  const SplitNumbers& split(bool test) const { return splits_[test ? 1 : 0]; }
  const ScriptCount& scripts() const { return scripts_; }
  /// Passages that are relevant to more than one query page. Sorts; call after the last page.
  std::uint64_t shared_passages();
  std::uint64_t distinct_passages();

 private:
  void add_scripts(const automatic::Derivation& derivation);
  bool is_foreign(std::string_view heading) const;
  void sort_passages();

  SplitNumbers splits_[2];
  std::vector<std::uint64_t> passages_;  // a hash for each (query page, passage)
  std::vector<int> known_scripts_;       // UScriptCode
  ScriptCount scripts_;
};

}  // namespace touchstone::collection::automatic::report::internal
