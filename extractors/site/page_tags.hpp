#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace touchstone::extractors::site {

/// Tag of disambiguation pages; the others are those of extractors/data/page_tags.tsv.
inline constexpr std::string_view kDisambiguationTag = "disambiguation";

/// Tags of the pages of a book that list its terms.
inline constexpr std::string_view kGlossaryTag = "glossary", kIndexTag = "index";

enum class WikiKind : std::uint8_t { kWikimedia, kOther };

/// Says from the templates of a page what they mark it as. Immutable and thread-safe.
class PageTags {
 public:
  /// The templates of a wiki in `language`; a language that is not known has only those of all wikis.
  ///
  /// \param disambiguation  names instead of the known ones for disambiguation pages; empty: the known ones
  PageTags(std::string_view language, WikiKind kind, std::span<const std::string> disambiguation);

  /// Tags in ascending order, without duplicates. \param templates  names that a page uses
  std::vector<std::string> tags_of(std::span<const std::string> templates) const;

 private:
  void add(std::string_view tag, std::string_view pattern);

  using Marks = std::vector<std::pair<std::string, std::string_view>>;  ///< text in lower case, and tag
  std::unordered_map<std::string, std::string_view> names_;             ///< lower-case
  Marks starts_, ends_;
};

}  // namespace touchstone::extractors::site
