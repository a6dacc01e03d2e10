#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

namespace touchstone::extractors::site {

/// A script or spelling that wikis of a language are read in.
struct Variant {
  std::string_view code;
  std::string_view standard_code;  ///< by BCP 47, which texts may write instead
  std::string_view name;
  std::string_view fallbacks;  ///< codes of the variants that stand in for it, separated by blanks, the nearest first
};

/// A language whose wikis MediaWiki converts between scripts. Their texts have language conversion rules such as
/// `-{zh-hans:...;zh-hant:...}-`.
struct VariantLanguage {
  std::span<const Variant> variants;  ///< the wiki's own code first: readers who chose no variant get that one
  std::string_view flags;             ///< words for flags beside those of all languages: "word=F", separated by '|'
  std::string_view own_switches;      ///< local words for __NOCONTENTCONVERT__, lower-cased, separated by '|'
  std::string_view code_mark = ":", form_mark = ";";  ///< of a described form: behind a variant's name, behind its text
  bool shows_any = false;  ///< a form without text for the wiki's own code shows its first one, and not a message
  bool defines = true;     ///< definitions change what who chose no variant reads

  /// The index of the variant with this code (in any case), or nothing.
  std::optional<std::size_t> find(std::string_view code) const;
};

/// Null for languages without variants. Their wikis show conversion rules as written.
const VariantLanguage* find_variant_language(std::string_view code) noexcept;

/// Calls `use` for each part of a list.
template <class Use>
void for_each_in(std::string_view list, char mark, Use&& use) {
  while (!list.empty()) {
    const std::size_t end = list.find(mark);
    use(list.substr(0, end));
    if (end == std::string_view::npos) return;
    list.remove_prefix(end + 1);
  }
}

}  // namespace touchstone::extractors::site
