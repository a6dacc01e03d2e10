#pragma once

#include "pipeline/corpus/results_before.hpp"
#include "storage/store.hpp"
#include "text/terms.hpp"

#include <cstdint>
#include <string>
#include <unordered_set>

namespace touchstone::pipeline::evidence::wording {

/// The words that so many articles of a wiki have that they tell none of its topics: "application" and "settings" in
/// the wiki of a telephone. Known from a sample of some 2,000 articles; a small wiki has none. Also
/// tells words from names. Thread-safe.
class CommonWords {
 public:
  /// \param splitter  that of the words that are asked for
  /// \param files     of the articles that were looked at
  CommonWords(const storage::Store& store, text::TermSplitter& splitter, const corpus::ResultPlaces& files = {});

  /// \param stem  as the splitter gives it
  bool contain(const std::string& stem) const;
  /// Whether some article of the sample has the word in lower case, so that it is not a name.
  bool is_plain_word(const std::string& stem) const;

 private:
  std::unordered_set<std::uint64_t> common_, plain_;  ///< by hash
};

}  // namespace touchstone::pipeline::evidence::wording
