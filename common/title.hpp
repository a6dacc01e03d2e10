#pragma once

#include <compare>
#include <cstdint>
#include <string>

namespace touchstone {

/// Numbers of MediaWiki's built-in namespaces (mediawiki.org Manual:Namespace, read 2025-01).
enum NamespaceId : std::int32_t {
  kNamespaceMedia = -2,
  kNamespaceSpecial = -1,
  kNamespaceMain = 0,
  kNamespaceTalk = 1,
  kNamespaceUser = 2,
  kNamespaceProject = 4,
  kNamespaceFile = 6,
  kNamespaceMediaWiki = 8,
  kNamespaceTemplate = 10,
  kNamespaceHelp = 12,
  kNamespaceCategory = 14,
  kNamespaceModule = 828,
};

/// A page title in MediaWiki's text form: NFC, trimmed, with spaces for underscores, the first letter by the
/// namespace's case rule, without namespace prefix and fragment. `SiteInfo::parse_title` makes a Title from foreign
/// text.
struct Title {
  std::int32_t ns = kNamespaceMain;
  std::string text;

  friend auto operator<=>(const Title&, const Title&) = default;
  bool empty() const noexcept { return text.empty(); }
};

}  // namespace touchstone
