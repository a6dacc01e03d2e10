#pragma once

#include "common/ids.hpp"
#include "common/stop.hpp"
#include "pipeline/corpus/title_index.hpp"
#include "storage/store.hpp"
#include "text/terms.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace touchstone::pipeline::evidence::mentions {

/// A text that is looked for.
struct Name {
  std::u32string folded;
  std::u32string letters;  ///< as the title has it; empty for a longer title
  PageId member;           ///< 0: a longer title in which a name is, and which names something else
};

/// How many names there are, and how many are left out by which rule.
struct NameCounts {
  std::uint64_t names = 0;
  std::uint64_t too_short = 0, common = 0, ambiguous = 0;
  std::uint64_t linked_elsewhere = 0;  ///< AnchorCensus
  std::uint64_t longer_titles = 0;
  std::uint64_t beyond_limit = 0;  ///< names and longer titles that there was no room for

  template <class Fields>
  void fields(Fields& field) {
    field("names", names)("too_short", too_short)("common", common)("ambiguous", ambiguous)(
        "linked_elsewhere", linked_elsewhere)("longer_titles", longer_titles)("beyond_limit", beyond_limit);
  }
};

/// The names of members: titles, titles of redirects to them (not of those to a section), both without a qualifier,
/// "(village)", and labels and aliases of their Wikidata items, where a dump of it was read. Left out are names
/// - of fewer than four letters, where a Han, Kana or Hangul character counts as two, and of two Hiragana;
/// - that are function words only;
/// - that are also the title of another page or of a redirect to one, with or without qualifier: disambiguation pages
///   among them;
/// - of members that are disambiguation pages.
struct MemberNames {
  /// Most letters of names and longer titles: 8 million, for at most 600 MB.
  static constexpr std::size_t kMostLetters = std::size_t{8} << 20;

  std::vector<Name> names;  ///< ascending by `folded`, distinct
  NameCounts counts;

  /// Goes over all titles of the wiki once.
  /// \param members   distinct pages
  /// \param language  of the wiki, for its function words
  static MemberNames collect(const storage::Store& store, const corpus::TitleIndex& titles,
                             std::span<const PageId> members, std::string_view language, const StopFlag& stop,
                             std::size_t most_letters = kMostLetters);
};

/// What is wrong with a title as a name, whatever other pages are called.
enum class NameFlaw : std::uint8_t { kNone, kTooShort, kCommon };

/// Tells which titles are fit to be looked for in texts: the first two rules of MemberNames. One object for one thread.
class NameFilter {
 public:
  /// \param language  of the wiki, for its function words
  explicit NameFilter(std::string_view language);

  NameFlaw flaw_of(std::string_view name);

 private:
  text::TermSplitter splitter_;
};

/// A title without a qualifier at its end.
std::string_view without_qualifier(std::string_view title) noexcept;

}  // namespace touchstone::pipeline::evidence::mentions
