#include "extractors/wikitext/workspace.hpp"

#include <algorithm>
#include <cstddef>

namespace touchstone::extractors::wikitext::internal {
using preprocessor::MarkupTree;

bool Workspace::is_small() const noexcept {
  constexpr std::size_t kMaxTextBytes = std::size_t{4} << 20;
  constexpr std::size_t kMaxItems = std::size_t{1} << 18;
  const auto small_scratch = [](const Scratch& s) {
    return s.expanded.text.capacity() <= kMaxTextBytes && s.tokens.capacity() <= kMaxItems &&
           s.linked.capacity() <= kMaxItems;
  };
  const auto small_tree = [](const MarkupTree& t) {
    return t.nodes.capacity() <= kMaxItems && t.parts.capacity() <= kMaxItems;
  };
  return links.capacity() <= kMaxItems / 4 && extensions.capacity() <= kMaxItems &&
         std::all_of(scratch.begin(), scratch.end(), small_scratch) &&
         std::all_of(trees.begin(), trees.end(), small_tree);
}

}  // namespace touchstone::extractors::wikitext::internal
