#pragma once

#include "extractors/site/site_info.hpp"
#include "extractors/wikitext/templates/rule_scope.hpp"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace touchstone::extractors::wikitext {

namespace templates {
struct RuleSet;
}

using templates::RuleScope;

/// When rules of templates that only wikis of Wikimedia have are used.
enum class WikimediaRules : std::uint8_t {
  kAuto,  ///< if the address of the wiki is one of Wikimedia's, or not known
  kOn,
  kOff,
};

RuleScope scope_of(WikimediaRules choice, const site::SiteInfo& site);

/// The rules of one language that say what a template shows or links to (`configs/templates/<language>.toml`).
/// Immutable after loading and thread-safe.
class TemplateRules {
 public:
  TemplateRules();
  ~TemplateRules();
  TemplateRules(TemplateRules&&) noexcept;
  TemplateRules& operator=(TemplateRules&&) noexcept;

  /// The built-in rules of `language` and, on top of them, rule files in order: a later rule of the same name wins.
  /// Throws ConfigError (what, file, line, remedy).
  static TemplateRules load(std::string_view language, std::span<const std::filesystem::path> files,
                            RuleScope scope = RuleScope::kWikimedia);

  /// The rules compiled into the program for `language`, on top of those of "common".
  static TemplateRules built_in(std::string_view language, RuleScope scope = RuleScope::kWikimedia);

  /// Digest of the built-in rules of all languages.
  static std::string built_in_digest();

  /// Digest of all rules, for stage fingerprints.
  std::string digest() const;

  const templates::RuleSet& rule_set() const noexcept { return *rules_; }

 private:
  std::unique_ptr<templates::RuleSet> rules_;
};

}  // namespace touchstone::extractors::wikitext
