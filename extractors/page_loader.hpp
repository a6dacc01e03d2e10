#pragma once

#include "common/title.hpp"

#include <optional>
#include <string>

namespace touchstone::extractors {

/// Finds the pages that the pages of a source include. Implementations are thread-safe.
class PageLoader {
 public:
  virtual ~PageLoader() = default;

  /// The source text of the page, such as its wikitext, or nothing when the source has no such page.
  virtual std::optional<std::string> load(const Title& title) const = 0;

  /// Whether the source has the page, for {{#ifexist:}}; also for pages whose text is not at hand.
  virtual bool exists(const Title& title) const { return load(title).has_value(); }
};

}  // namespace touchstone::extractors
