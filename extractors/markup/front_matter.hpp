#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace touchstone::extractors::markup {

/// What the metadata at the beginning of a page say: YAML between lines of `---`, or TOML between lines of `+++`.
struct FrontMatter {
  std::string title, sidebar_label, slug;
  std::optional<double> position;  ///< `sidebar_position`, `weight` or `nav_order`: smaller ones come first
  bool damaged = false;            ///< it is there, but cannot be read
};

/// Removes the metadata from the beginning of `text` and returns them, if there are any. Pure and thread-safe.
std::optional<FrontMatter> take_front_matter(std::string_view& text);

}  // namespace touchstone::extractors::markup
