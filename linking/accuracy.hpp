#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <vector>

namespace touchstone::linking {

/// A phrase of a page with the title of the entity that it names.
struct NamedPhrase {
  std::uint32_t text = 0;            ///< number of the text of the page
  std::uint32_t begin = 0, end = 0;  ///< code points
  std::string title;
  friend auto operator<=>(const NamedPhrase&, const NamedPhrase&) = default;
};

/// How often a linker and the truth agree. Each rate is 0 where there is nothing to divide by.
struct Agreement {
  std::uint64_t right = 0;   ///< found, and true
  std::uint64_t wrong = 0;   ///< found, and not true
  std::uint64_t missed = 0;  ///< true, and not found

  double precision() const noexcept;
  double recall() const noexcept;
  double f1() const noexcept;
  Agreement& operator+=(const Agreement& other) noexcept;
  friend bool operator==(const Agreement&, const Agreement&) = default;
};

/// A linker against the links of a page's editors.
struct PageAgreement {
  Agreement mentions;  ///< the same phrase with the same entity
  Agreement entities;  ///< of the page, wherever they are named
};

/// Compares what a linker found on a page with the links of its editors. Editors link the first mention of an entity
/// only, and never the page itself. So a further mention of an entity that they link elsewhere on the page is neither
/// right nor wrong, and mentions of the page itself do not count.
/// \param own_title  of the page
PageAgreement compare_with_editors(std::vector<NamedPhrase> found, std::vector<NamedPhrase> links,
                                   const std::string& own_title);

/// Compares the entities found in a paragraph with those that it links to. Entities that are acceptable without being
/// true (linked elsewhere on the page, or the page itself) are neither right nor wrong.
Agreement compare_labels(std::vector<std::string> found, std::vector<std::string> truth,
                         std::vector<std::string> acceptable);

}  // namespace touchstone::linking
