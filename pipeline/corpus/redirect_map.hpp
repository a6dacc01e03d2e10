#pragma once

#include "common/ids.hpp"
#include "storage/records.hpp"

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

namespace touchstone::pipeline::corpus {

/// Redirects followed in a row before a chain is taken for a circle.
inline constexpr int kMaxRedirectHops = 8;

/// Where the redirects of a corpus lead.
class RedirectMap {
 public:
  /// \param to_section  the redirect names a section of its target
  void add(PageId redirect, PageId target, bool to_section) { next_[redirect] = {target, to_section}; }

  struct End {
    PageId page;
    bool to_section = false;  ///< a redirect on the way names a section
  };
  /// The last page of the chain of redirects that begins at `page`; the page itself where it is not a redirect; nothing
  /// for a circle.
  std::optional<End> follow(PageId page) const;

  /// For each page that redirects lead to, ascending: those redirects, ascending.
  std::vector<std::pair<PageId, storage::AliasRecord>> aliases() const;

  /// Redirects that lead in a circle, ascending.
  std::vector<PageId> circles() const;

 private:
  std::unordered_map<PageId, End> next_;
};

}  // namespace touchstone::pipeline::corpus
