#include "extractors/wikitext/templates/rule_reader.hpp"

#include "common/error.hpp"
#include "common/toml_bounds.hpp"
#include "common/unicode.hpp"
#include "extractors/wikitext/templates/renderers.hpp"

#include <algorithm>
#include <iterator>

#include <toml++/toml.h>

namespace touchstone::extractors::wikitext::templates {
using namespace internal;
namespace {

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

Pattern read_pattern_of(const toml::table& table, std::string_view key, const std::string& file) {
  const toml::node* node = table.get(key);
  if (node == nullptr) return {};
  const auto* text = node->as_string();
  if (text == nullptr) throw ConfigError(place(file, *node) + "'" + std::string(key) + "' must be a string");
  std::string problem;
  Pattern pattern = read_pattern(text->get(), problem);
  if (!problem.empty())
    throw ConfigError(place(file, *node) + "the pattern of '" + std::string(key) + "' has " + problem);
  return pattern;
}

Rule read_rule(const toml::table& table, const std::string& file) {
  for (const auto& [key, node] : table) {
    constexpr std::string_view kKnown[] = {"names", "show", "link", "require", "refuse", "render", "wikimedia"};
    if (std::find(std::begin(kKnown), std::end(kKnown), key.str()) == std::end(kKnown)) {
      throw ConfigError(place(file, node) + "unknown key '" + std::string(key.str()) +
                        "' in a template rule; known are names, show, link, require, refuse, render and wikimedia");
    }
  }
  Rule rule;
  rule.show = read_pattern_of(table, "show", file);
  rule.link = read_pattern_of(table, "link", file);
  rule.required = read_strings(table.get("require"), file, "require");
  rule.refused = read_strings(table.get("refuse"), file, "refuse");
  if (const auto* renderer = table.get_as<std::string>("render")) {
    rule.renderer = find_renderer(renderer->get());
    if (rule.renderer == nullptr) {
      throw ConfigError(place(file, *renderer) + "there is no renderer '" + renderer->get() + "'; known are " +
                        renderer_names());
    }
  }
  return rule;
}

/// True for a rule that only wikis of Wikimedia have.
bool is_of_wikimedia(const toml::table& table, const std::string& file) {
  const toml::node* node = table.get("wikimedia");
  if (node == nullptr) return false;
  const auto* value = node->as_boolean();
  if (value == nullptr) throw ConfigError(place(file, *node) + "'wikimedia' must be true or false");
  return value->get();
}

/// A table of texts: keys and what they stand for.
void read_texts(const toml::table* table, const std::string& file, std::string_view what, NameMap<std::string>& out) {
  if (table == nullptr) return;
  for (const auto& [key, node] : *table) {
    const auto* text = node.as_string();
    if (text == nullptr) throw ConfigError(place(file, node) + std::string(what));
    out[std::string(key.str())] = text->get();
  }
}

/// Template titles begin with an upper-case letter and hold spaces.
std::string normalise(std::string name) {
  std::replace(name.begin(), name.end(), '_', ' ');
  return upper_case_first(name);
}

}  // namespace

void add_rules(RuleSet& rules, std::string_view source, const std::string& file, RuleScope scope) {
  toml::table document;
  if (const auto line = line_of_deep_toml_key(source); line > 0)
    throw ConfigError(file + ", line " + std::to_string(line) + ": " + deep_toml_key_text());
  try {
    document = toml::parse(source);
  } catch (const toml::parse_error& error) {
    throw ConfigError(file + ", line " + std::to_string(error.source().begin.line) + ": " +
                      std::string(error.description()) + "; correct the file or leave it out");
  }
  rules.digest_source.append(source).append(scope == RuleScope::kAnyWiki ? "any" : "").push_back('\0');
  read_texts(document["languages"].as_table(), file, "the name of a language must be a string", rules.languages);
  read_texts(document["countries"].as_table(), file, "a country must be a string, its name or \"name|article\"",
             rules.countries);
  read_texts(document["words"].as_table(), file, "a wording must be a string", rules.words);
  for (const std::string& name : read_strings(document.get("aside"), file, "aside")) {
    if (name.size() > 1 && name.back() == '*') {
      rules.aside_prefixes.push_back(normalise(name.substr(0, name.size() - 1)));
    } else if (name.size() > 1 && name.front() == '*') {
      rules.aside_suffixes.push_back(name.substr(1));
    } else {
      rules.aside[normalise(name)] = true;
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
    const auto index = static_cast<std::uint32_t>(rules.rules.size());
    Rule rule = read_rule(*table, file);
    if (is_of_wikimedia(*table, file) && scope == RuleScope::kAnyWiki) continue;
    rules.rules.push_back(std::move(rule));
    for (const std::string& name : names) {
      if (name.size() > 1 && name.back() == '*') {
        rules.by_prefix.insert(rules.by_prefix.begin(), {normalise(name.substr(0, name.size() - 1)), index});
      } else {
        rules.by_name[normalise(name)] = index;
      }
    }
  }
}

}  // namespace touchstone::extractors::wikitext::templates
