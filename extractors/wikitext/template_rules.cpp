#include "extractors/wikitext/template_rules.hpp"

#include "common/digest.hpp"
#include "common/error.hpp"
#include "extractors/wikitext/templates/builtin_rules.hpp"
#include "extractors/wikitext/templates/rule_reader.hpp"
#include "extractors/wikitext/templates/rule_set.hpp"

#include <fstream>
#include <iterator>

namespace touchstone::extractors::wikitext {
using templates::add_rules;
using templates::builtin_rules;
using templates::BuiltinRules;
using templates::RuleSet;

TemplateRules::TemplateRules() : rules_(std::make_unique<RuleSet>()) {}
TemplateRules::~TemplateRules() = default;
TemplateRules::TemplateRules(TemplateRules&&) noexcept = default;
TemplateRules& TemplateRules::operator=(TemplateRules&&) noexcept = default;

RuleScope scope_of(WikimediaRules choice, const site::SiteInfo& site) {
  const bool all = choice == WikimediaRules::kOn || (choice == WikimediaRules::kAuto && site.is_wikimedia());
  return all ? RuleScope::kWikimedia : RuleScope::kAnyWiki;
}

TemplateRules TemplateRules::load(std::string_view language, std::span<const std::filesystem::path> files,
                                  RuleScope scope) {
  TemplateRules rules = built_in(language, scope);
  for (const std::filesystem::path& file : files) {
    std::ifstream in(file, std::ios::binary);
    if (!in) throw ConfigError(file.string() + ": the template rules cannot be read; check the path");
    const std::string source{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
    add_rules(*rules.rules_, source, file.string(), scope);
  }
  return rules;
}

TemplateRules TemplateRules::built_in(std::string_view language, RuleScope scope) {
  TemplateRules rules;
  if (language == "simple") language = "en";  // the Simple English Wikipedia has the templates of the English one
  for (const std::string_view wanted : {std::string_view("common"), language}) {
    for (const BuiltinRules& file : builtin_rules()) {
      if (file.language == wanted)
        add_rules(*rules.rules_, file.source, "built-in rules for " + std::string(wanted), scope);
    }
  }
  return rules;
}

std::string TemplateRules::built_in_digest() {
  Sha256 digest;
  for (const BuiltinRules& file : builtin_rules()) {
    digest.update_field(file.language).update_field(file.source);
  }
  return digest.hex();
}

std::string TemplateRules::digest() const {
  return sha256_hex(rules_->digest_source);
}

}  // namespace touchstone::extractors::wikitext
