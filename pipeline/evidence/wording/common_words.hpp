#pragma once

#include "storage/store.hpp"
#include "text/terms.hpp"

#include <string>
#include <unordered_set>

namespace touchstone::pipeline::evidence::wording {

/// The words that so many articles of a wiki have that they tell none of its topics: "application" and "settings" in
/// the wiki of a telephone. Known from a sample of at most 2,000 articles; a small wiki has none. Also
/// tells words from names. Thread-safe.
class CommonWords {
 public:
  /// \param splitter  that of the words that are asked for
  CommonWords(const storage::Store& store, text::TermSplitter& splitter);

  /// \param stem  as the splitter gives it
  bool contain(const std::string& stem) const { return stems_.contains(stem); }
  /// Whether some article of the sample has the word in lower case, so that it is not a name.
  bool is_plain_word(const std::string& stem) const { return plain_.contains(stem); }

 private:
  std::unordered_set<std::string> stems_, plain_;
};

}  // namespace touchstone::pipeline::evidence::wording
