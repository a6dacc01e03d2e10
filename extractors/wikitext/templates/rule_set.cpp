#include "extractors/wikitext/templates/rule_set.hpp"

#include "common/digest.hpp"
#include "common/error.hpp"
#include "common/toml_bounds.hpp"
#include "common/unicode.hpp"
#include "extractors/scan/text_scan.hpp"
#include "extractors/wikitext/preprocessor/markers.hpp"
#include "extractors/wikitext/templates/renderers.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>

#include <toml++/toml.h>

namespace touchstone::extractors::wikitext::templates {
using namespace internal;
using namespace preprocessor;
using scan::trim;
namespace {

/// Reads `{a/b:text}` behind its brace; `i` ends behind the closing one.
bool read_hole(std::string_view text, std::size_t& i, Pattern::Piece& piece) {
  const std::size_t end = text.find('}', i);
  if (end == std::string_view::npos) return false;
  std::string_view inside = text.substr(i, end - i);
  const std::size_t colon = inside.find(':');
  if (colon != std::string_view::npos) {
    piece.has_default = true;
    piece.text = std::string(inside.substr(colon + 1));
    inside = inside.substr(0, colon);
  }
  while (true) {
    const std::size_t slash = inside.find('/');
    if (inside.substr(0, slash).empty()) return false;
    piece.names.emplace_back(inside.substr(0, slash));
    if (slash == std::string_view::npos) break;
    inside.remove_prefix(slash + 1);
  }
  i = end + 1;
  return true;
}

/// Reads a pattern. \param problem  what is wrong with the text, where it is not a pattern
Pattern read_pattern(std::string_view text, std::string& problem) {
  using Kind = Pattern::Piece::Kind;
  Pattern pattern;
  std::vector<std::size_t> groups;
  const auto literal = [&](char c) {
    if (pattern.pieces.empty() || pattern.pieces.back().kind != Kind::kText) pattern.pieces.emplace_back();
    pattern.pieces.back().text.push_back(c);
  };
  for (std::size_t i = 0; i < text.size();) {
    const char c = text[i++];
    if (c == '\\' && i < text.size()) {
      literal(text[i++]);
    } else if (c == '{') {
      Pattern::Piece piece;
      piece.kind = Kind::kArgument;
      if (!read_hole(text, i, piece)) {
        problem = "a hole without end or name";
        return {};
      }
      pattern.pieces.push_back(std::move(piece));
    } else if (c == '[') {
      groups.push_back(pattern.pieces.size());
      pattern.pieces.emplace_back();
      pattern.pieces.back().kind = Kind::kGroupBegin;
    } else if (c == ']') {
      if (groups.empty()) {
        problem = "a ']' without '['";
        return {};
      }
      pattern.pieces[groups.back()].group_end = pattern.pieces.size();
      groups.pop_back();
      pattern.pieces.emplace_back();
      pattern.pieces.back().kind = Kind::kGroupEnd;
    } else {
      literal(c);
    }
  }
  if (!groups.empty()) problem = "a '[' without ']'";
  return groups.empty() ? pattern : Pattern{};
}

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

/// A table of texts: keys and what they represent.
void read_texts(const toml::table* table, const std::string& file, std::string_view what, TextMap<std::string>& out) {
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

/// Adds the rules of one file to `rules`; they win over rules of the same name that it has already.
///
/// \param source  the file's text, TOML; the head of configs/templates/common.toml explains the form
/// \param file    its name, for messages
/// \param scope   which wiki the rules are for
/// Throws ConfigError (what, file, line).
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

/// A call as patterns see it.
struct PatternCall {
  const CallArguments& arguments;
  std::string_view template_title, page_title;

  /// Holes that no argument fills: {@} is the template's own title, {PAGENAME} that of the page. Else empty.
  std::string_view special(std::string_view hole) const {
    return hole == "@" ? template_title : hole == "PAGENAME" ? page_title : std::string_view();
  }

  bool is_given(const std::string& name) const {
    return !special(name).empty() || arguments.find_filled(name) != nullptr;
  }

  bool fills(const Pattern::Piece& piece) const {
    return std::any_of(piece.names.begin(), piece.names.end(), [&](const std::string& name) { return is_given(name); });
  }

  bool is_unknown(const std::string& name) const { return special(name).empty() && arguments.is_unknown(name); }

  /// Appends the first argument of a hole that is not empty. Returns false if all are empty. One that is not known
  /// shows nothing; those behind it, and the text of the hole, do not represent it.
  bool append(const Pattern::Piece& piece, ExpandedText& out) const {
    for (const std::string& name : piece.names) {
      if (const std::string_view value = special(name); !value.empty()) {
        out.text.append(value);
        return true;
      }
      if (const CallArguments::Argument* argument = arguments.find_filled(name)) {
        arguments.expand_trimmed(*argument, out);
        return true;
      }
      if (is_unknown(name)) {
        arguments.expand_trimmed(name, out);  // its mark
        return true;
      }
    }
    return false;
  }
};

/// Links that are in the pattern are made by the rule.
void append_own(std::string_view text, ExpandedText& out) {
  const std::size_t begin = out.text.size();
  out.text.append(text);
  if (text.find("[[") != std::string_view::npos) out.made.push_back({begin, out.text.size()});
}

void fill(const Pattern& pattern, const PatternCall& call, ExpandedText& out) {
  using Kind = Pattern::Piece::Kind;
  for (std::size_t i = 0; i < pattern.pieces.size(); ++i) {
    const Pattern::Piece& piece = pattern.pieces[i];
    switch (piece.kind) {
      case Kind::kText:
        append_own(piece.text, out);
        break;
      case Kind::kArgument:
        if (!call.append(piece, out)) append_own(piece.text, out);
        break;
      case Kind::kGroupBegin:
        for (std::size_t k = i + 1; k < piece.group_end; ++k) {
          const Pattern::Piece& inner = pattern.pieces[k];
          if (inner.kind == Kind::kGroupBegin) {
            k = inner.group_end;
          } else if (inner.kind == Kind::kArgument && !inner.has_default && !call.fills(inner)) {
            i = piece.group_end;
            break;
          }
        }
        break;
      case Kind::kGroupEnd:
        break;
    }
  }
}

}  // namespace

RuleScope scope_of(WikimediaRules choice, const site::SiteInfo& site) {
  const bool all = choice == WikimediaRules::kOn || (choice == WikimediaRules::kAuto && site.is_wikimedia());
  return all ? RuleScope::kWikimedia : RuleScope::kAnyWiki;
}

RuleSet RuleSet::load(std::string_view language, std::span<const std::filesystem::path> files, RuleScope scope) {
  RuleSet rules = built_in(language, scope);
  for (const std::filesystem::path& file : files) {
    std::ifstream in(file, std::ios::binary);
    if (!in) throw ConfigError(file.string() + ": the template rules cannot be read; check the path");
    const std::string source{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
    add_rules(rules, source, file.string(), scope);
  }
  return rules;
}

RuleSet RuleSet::built_in(std::string_view language, RuleScope scope) {
  RuleSet rules;
  if (language == "simple") language = "en";  // the Simple English Wikipedia has the templates of the English one
  for (const std::string_view wanted : {std::string_view("common"), language}) {
    for (const BuiltinRules& file : builtin_rules()) {
      if (file.language == wanted) add_rules(rules, file.source, "built-in rules for " + std::string(wanted), scope);
    }
  }
  return rules;
}

std::string RuleSet::built_in_digest() {
  Sha256 digest;
  for (const BuiltinRules& file : builtin_rules()) digest.update_field(file.language).update_field(file.source);
  return digest.hex();
}

std::string RuleSet::digest() const {
  return sha256_hex(digest_source);
}

RuleNumber RuleSet::find_rule(std::string_view title) const {
  const auto found = by_name.find(title);
  if (found != by_name.end()) return found->second;
  for (const auto& [prefix, index] : by_prefix) {
    if (title.size() > prefix.size() && title.front() == prefix.front() && title.starts_with(prefix)) return index;
  }
  return kNoRule;
}

bool RuleSet::is_aside(std::string_view title) const {
  return aside.count(title) != 0 ||
         std::any_of(aside_prefixes.begin(), aside_prefixes.end(),
                     [&](const std::string& prefix) { return title.starts_with(prefix); }) ||
         std::any_of(aside_suffixes.begin(), aside_suffixes.end(),
                     [&](const std::string& suffix) { return title.ends_with(suffix); });
}

bool RuleSet::is_note(RuleNumber number) const {
  return number != kNoRule && rules[number].renderer == find_renderer("hatnote");
}

bool RuleSet::render(RuleNumber number, const PageContext& page, std::string_view title, const CallArguments& arguments,
                     ExpandedText& out) const {
  const Rule& rule = rules[number];
  const PatternCall call{arguments, title, page.page.text};
  const auto is_given = [&](const std::string& argument) { return call.is_given(argument); };
  const auto may_be_given = [&](const std::string& argument) {
    return call.is_given(argument) || call.is_unknown(argument);
  };
  if (!std::all_of(rule.required.begin(), rule.required.end(), is_given)) return false;
  if (std::any_of(rule.refused.begin(), rule.refused.end(), may_be_given)) return false;
  if (rule.renderer != nullptr) {
    const ExpandedText::Size before = out.size();
    bool certain = true;
    if (rule.renderer({arguments, title, page, *this, certain}, out) && certain) return true;
    out.resize(before);  // what a renderer gives when it cannot tell does not count
    return false;
  }
  if (rule.link.empty()) {
    fill(rule.show, call, out);
    return true;
  }
  ExpandedText target;
  fill(rule.link, call, target);
  if (trim(target.text).empty() || find_unknown(target.text)) return false;
  ExpandedText text;
  fill(rule.show, call, text);
  append_link(trim(target.text), has_only_marks(text.text) ? trim(target.text) : std::string_view(text.text), out);
  return true;
}

}  // namespace touchstone::extractors::wikitext::templates
