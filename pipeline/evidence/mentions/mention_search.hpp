#pragma once

#include "common/ids.hpp"
#include "pipeline/evidence/mentions/member_names.hpp"
#include "pipeline/evidence/mentions/name_automaton.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace touchstone::pipeline::evidence::mentions {

/// A member's name in a text.
struct Mention {
  PageId member;
  std::uint32_t begin = 0, end = 0;  ///< code points
  friend auto operator<=>(const Mention&, const Mention&) = default;
};

/// What a capitalised word before a name says.
enum class WordBefore : std::uint8_t {
  kBeginsLongerName,  ///< likely that the name is the rest of a longer one
  kSaysNothing,       ///< "President Lincoln" names Lincoln: for texts that are expected to name what is looked for
};

/// Finds the names of members in texts. An occurrence counts if
/// - it is at the bounds of words (WordBounds);
/// - letters that the name has in upper case are in upper case in the text; the first letter of a name of several words
///   may differ, since titles begin with a capital whether or not the name does;
/// - it is not a part of a longer name or of a longer title of the wiki: the leftmost counts, and of those the longest;
/// - it does not follow a capitalised word within a sentence, which is likely the beginning of a longer name ("at Kamo
///   Mioya Shrine"), unless WordBefore::kSaysNothing. German and its kin, which capitalise nouns, are exempt;
/// - it is not a part of a link.
/// Thread-safe.
class MentionSearch {
 public:
  /// \param language  of the wiki: MediaWiki's code
  MentionSearch(MemberNames names, std::string_view language, WordBefore before = WordBefore::kBeginsLongerName);

  using Range = std::pair<std::uint32_t, std::uint32_t>;
  /// Mentions in a text, ascending by (member, begin), apart from each other.
  /// \param links  of the text, in code points
  std::vector<Mention> find(std::string_view text, std::span<const Range> links) const;

  const NameCounts& counts() const noexcept { return counts_; }

 private:
  bool has_capitals_of(const Name& name, std::u32string_view occurrence) const;

  std::vector<Name> names_;
  NameAutomaton automaton_;
  NameCounts counts_;
  bool capitals_begin_names_;
};

}  // namespace touchstone::pipeline::evidence::mentions
