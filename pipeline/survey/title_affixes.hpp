#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace touchstone::pipeline::survey {

/// How titles may start ("List of") or end ("*一覧"), in the form of groups.list_prefixes: up to three words at the
/// start, up to two at the end, what comes before a colon or behind a slash, and two to four characters at the end
/// where a script has no blanks between words. Never the whole title.
std::vector<std::string> affixes_of(std::string_view title);

/// Finds how the titles of list pages start and end, without knowing any language. First the titles of list-like pages
/// are added, then those of all pages are counted. Not thread-safe. Memory is bounded: of the affixes that few list
/// pages have, the rarest are forgotten.
class TitleAffixes {
 public:
  struct Affix {
    std::string text;                    ///< as groups.list_prefixes has it
    std::uint64_t pages = 0, lists = 0;  ///< pages with such a title, and list-like ones among them
  };
  static constexpr std::size_t kMaxCounted = 200'000;  ///< affixes in memory at once
  static constexpr std::size_t kMaxCandidates = 200;   ///< affixes that are counted exactly
  static constexpr std::uint64_t kLeastLists = 3;

  /// \param max_counted  for tests
  explicit TitleAffixes(std::size_t max_counted = kMaxCounted) : max_counted_(max_counted) {}

  /// Adds the title of a list-like page.
  void add_list(std::string_view title);

  /// Ends adding, and begins to count.
  /// \param known  affixes that the language is known to use; they are counted in any case
  void begin_counting(std::span<const std::string> known);
  /// Counts a page of the wiki.
  void count(std::string_view title, bool list_like);

  /// All affixes that were counted on at least one page, by lists, pages and text.
  std::vector<Affix> counted() const;

  /// The affixes by which to find the list pages: those known that some page has, then the others that add most list
  /// pages, as long as they add some. An affix counts if its pages are list-like clearly more often than others.
  std::vector<std::string> chosen() const;

 private:
  void forget_rare();
  bool is_typical(const Affix& affix) const;

  std::size_t max_counted_;
  std::map<std::string, std::uint64_t, std::less<>> lists_;
  std::vector<Affix> candidates_;  ///< the known ones first
  std::size_t known_ = 0;
  std::vector<std::vector<std::uint32_t>> covered_;  ///< by candidate: numbers of the list-like pages it matches
  std::uint64_t pages_ = 0;
  std::uint32_t list_pages_ = 0;
};

}  // namespace touchstone::pipeline::survey
