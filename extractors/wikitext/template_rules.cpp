#include "extractors/wikitext/template_rules.hpp"

#include "common/digest.hpp"
#include "common/error.hpp"
#include "common/unicode.hpp"
#include "extractors/wikitext/templates/builtin_rules.hpp"
#include "extractors/wikitext/templates/renderers.hpp"
#include "extractors/wikitext/templates/rule_set.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <sstream>

#include <toml++/toml.h>

namespace touchstone::extractors {
namespace {

using internal::Rule;

/// Where a message about a rule points.
std::string place(const std::string& file, const toml::node& node) {
  return file + ", line " + std::to_string(node.source().begin.line) + ": ";
}

std::vector<std::string> read_strings(const toml::node* node, const std::string& file, std::string_view key) {
  std::vector<std::string> out;
  if (node == nullptr) return out;
  if (const auto* one = node->as_string()) {
    out.push_back(one->get());
    return out;
  }
  const toml::array* list = node->as_array();
  if (list == nullptr)
    throw ConfigError(place(file, *node) + "'" + std::string(key) + "' must be a string or a list of strings");
  for (const toml::node& item : *list) {
    if (!item.is_string()) throw ConfigError(place(file, item) + "'" + std::string(key) + "' must hold strings only");
    out.push_back(item.as_string()->get());
  }
  return out;
}

internal::Pattern read_pattern_of(const toml::table& table, std::string_view key, const std::string& file) {
  const toml::node* node = table.get(key);
  if (node == nullptr) return {};
  const auto* text = node->as_string();
  if (text == nullptr) throw ConfigError(place(file, *node) + "'" + std::string(key) + "' must be a string");
  std::string problem;
  internal::Pattern pattern = internal::read_pattern(text->get(), problem);
  if (!problem.empty())
    throw ConfigError(place(file, *node) + "the pattern of '" + std::string(key) + "' has " + problem);
  return pattern;
}

Rule read_rule(const toml::table& table, const std::string& file) {
  for (const auto& [key, node] : table) {
    constexpr std::string_view kKnown[] = {"names", "show", "link", "require", "refuse", "render"};
    if (std::find(std::begin(kKnown), std::end(kKnown), key.str()) == std::end(kKnown)) {
      throw ConfigError(place(file, node) + "unknown key '" + std::string(key.str()) +
                        "' in a template rule; known are names, show, link, require, refuse and render");
    }
  }
  Rule rule;
  rule.show = read_pattern_of(table, "show", file);
  rule.link = read_pattern_of(table, "link", file);
  rule.required = read_strings(table.get("require"), file, "require");
  rule.refused = read_strings(table.get("refuse"), file, "refuse");
  if (const auto* renderer = table.get_as<std::string>("render")) {
    rule.renderer = internal::find_renderer(renderer->get());
    if (rule.renderer == nullptr) {
      throw ConfigError(place(file, *renderer) + "there is no renderer '" + renderer->get() + "'; known are " +
                        internal::renderer_names());
    }
  }
  return rule;
}

/// Template titles begin with an upper-case letter and hold spaces.
std::string normalise(std::string name) {
  std::replace(name.begin(), name.end(), '_', ' ');
  return upper_case_first(name);
}

void add_rules(TemplateRules::Impl& impl, std::string_view source, const std::string& file) {
  toml::table document;
  try {
    document = toml::parse(source);
  } catch (const toml::parse_error& error) {
    throw ConfigError(file + ", line " + std::to_string(error.source().begin.line) + ": " +
                      std::string(error.description()) + "; correct the file or leave it out");
  }
  impl.digest_source.append(source).push_back('\0');
  if (const toml::table* languages = document["languages"].as_table()) {
    for (const auto& [code, name] : *languages) {
      if (const auto* text = name.as_string()) impl.languages[std::string(code.str())] = text->get();
    }
  }
  if (const toml::table* countries = document["countries"].as_table()) {
    for (const auto& [code, name] : *countries) {
      const auto* text = name.as_string();
      if (text == nullptr)
        throw ConfigError(place(file, name) + "a country must be a string, its name or \"name|article\"");
      impl.countries[std::string(code.str())] = text->get();
    }
  }
  for (const std::string& name : read_strings(document.get("aside"), file, "aside")) {
    if (name.size() > 1 && name.back() == '*') {
      impl.aside_prefixes.push_back(normalise(name.substr(0, name.size() - 1)));
    } else if (name.size() > 1 && name.front() == '*') {
      impl.aside_suffixes.push_back(name.substr(1));
    } else {
      impl.aside[normalise(name)] = true;
    }
  }
  const toml::array* templates = document["template"].as_array();
  if (templates == nullptr) return;
  for (const toml::node& node : *templates) {
    const toml::table* table = node.as_table();
    if (table == nullptr) throw ConfigError(place(file, node) + "a rule must be a [[template]] table");
    const std::vector<std::string> names = read_strings(table->get("names"), file, "names");
    if (names.empty())
      throw ConfigError(place(file, node) + "a rule needs 'names', the titles of the templates it is for");
    const auto index = static_cast<std::uint32_t>(impl.rules.size());
    impl.rules.push_back(read_rule(*table, file));
    for (const std::string& name : names) {
      if (name.size() > 1 && name.back() == '*') {
        impl.by_prefix.insert(impl.by_prefix.begin(), {normalise(name.substr(0, name.size() - 1)), index});
      } else {
        impl.by_name[normalise(name)] = index;
      }
    }
  }
}

}  // namespace

TemplateRules::TemplateRules() : impl_(std::make_unique<Impl>()) {}
TemplateRules::~TemplateRules() = default;
TemplateRules::TemplateRules(TemplateRules&&) noexcept = default;
TemplateRules& TemplateRules::operator=(TemplateRules&&) noexcept = default;

TemplateRules TemplateRules::load(std::string_view language, std::span<const std::filesystem::path> files) {
  TemplateRules rules = built_in(language);
  for (const std::filesystem::path& file : files) {
    std::ifstream in(file, std::ios::binary);
    if (!in) throw ConfigError(file.string() + ": the template rules cannot be read; check the path");
    const std::string source{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
    add_rules(*rules.impl_, source, file.string());
  }
  return rules;
}

TemplateRules TemplateRules::built_in(std::string_view language) {
  TemplateRules rules;
  if (language == "simple") language = "en";  // the Simple English Wikipedia has the templates of the English one
  for (const std::string_view wanted : {std::string_view("common"), language}) {
    for (const internal::BuiltinRules& file : internal::builtin_rules()) {
      if (file.language == wanted) add_rules(*rules.impl_, file.source, "built-in rules for " + std::string(wanted));
    }
  }
  return rules;
}

std::string TemplateRules::built_in_digest() {
  Sha256 digest;
  for (const internal::BuiltinRules& file : internal::builtin_rules()) {
    digest.update_field(file.language).update_field(file.source);
  }
  return digest.hex();
}

std::string TemplateRules::digest() const {
  return sha256_hex(impl_->digest_source);
}

}  // namespace touchstone::extractors
