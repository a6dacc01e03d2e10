#pragma once

#include "collection/health/words.hpp"

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace touchstone::collection::evidence::internal {

/// Longer titles are not searched for.
inline constexpr std::size_t kMaxNameWords = 16;

/// Finds the titles of members in texts. A title counts as a whole sequence of words, with the same case and the same
/// characters between the words; "(village)" at its end is left out. Titles of fewer than four characters (three if
/// they are not ASCII), of digits only, and those that several members share are not searched for.
/// Memory: two entries of a hash table for each title. Time for a text: its words, times kMaxNameWords where a word
/// begins a title.
class MentionFinder {
 public:
  void add_member(std::uint64_t page_id, std::string_view title);

  /// Another page, or the member itself. A member whose name is also that of another page is not searched for.
  void add_other(std::uint64_t page_id, std::string_view title);
  /// Whether the member's name is searched for, after all pages are known.
  bool is_searched(std::uint64_t page_id) const { return !ambiguous_.contains(page_id); }

  /// Pages of the members whose titles are in the text, each once, ascending.
  /// \param words  of `text`
  std::vector<std::uint64_t> find(std::string_view text, const std::vector<health::Word>& words) const;

 private:
  std::unordered_set<std::uint64_t> ambiguous_;                 ///< pages of members whose name others have
  std::unordered_map<std::uint64_t, std::uint64_t> names_;      ///< hash of a name -> page; 0: of several
  std::unordered_map<std::uint64_t, std::size_t> first_words_;  ///< hash of the first word -> words of the longest name
};

}  // namespace touchstone::collection::evidence::internal
