#include "pipeline/headings/heading_words.hpp"

#include "common/error.hpp"
#include "common/toml_bounds.hpp"
#include "extractors/site/moment.hpp"
#include "pipeline/headings/builtin_headings.hpp"
#include "pipeline/headings/wiki_language.hpp"
#include "text/characters.hpp"

#include <algorithm>
#include <iterator>

#include <toml++/toml.h>

namespace touchstone::pipeline::headings {
namespace {

constexpr std::string_view kCommon = "common";

struct PhraseKey {
  std::string_view name;
  PhraseSet HeadingWords::*set;
};
constexpr PhraseKey kPhraseKeys[] = {{"forbidden", &HeadingWords::forbidden},
                                     {"navigation", &HeadingWords::navigation},
                                     {"miscellaneous", &HeadingWords::miscellaneous},
                                     {"boilerplate", &HeadingWords::boilerplate},
                                     {"prose", &HeadingWords::prose},
                                     {"dates", &HeadingWords::dates},
                                     {"ordering", &HeadingWords::ordering},
                                     {"attributes", &HeadingWords::attributes},
                                     {"drafts", &HeadingWords::drafts}};

std::string place_of(const std::string& file, const toml::source_region& region) {
  return file + ", line " + std::to_string(region.begin.line) + ": ";
}

/// The names of the months as they are alone and as they are in a date.
std::vector<std::string> month_names(std::string_view language) {
  std::vector<std::string> names;
  for (int month = 1; month <= 12; ++month) {
    extractors::site::Moment moment;
    moment.month = month;
    for (const auto* form : {"F", "xg"})
      names.push_back(extractors::site::format_moment(moment, form, std::string(language)));
  }
  return names;
}

void add_phrase(PhraseSet& set, const std::string& phrase, const std::vector<std::string>& months) {
  const auto at = phrase.find('@');
  if (at == std::string::npos) {
    set.add(phrase);
    return;
  }
  for (const auto& month : months) set.add(std::string(phrase).replace(at, 1, month));
}

const BuiltinHeadings* builtin(std::string_view language) {
  const auto files = builtin_headings();
  const auto found =
      std::find_if(files.begin(), files.end(), [&](const auto& file) { return file.language == language; });
  return found == files.end() ? nullptr : &*found;
}

/// The file of a language or of the language that it is a variant of.
const BuiltinHeadings* find_file(std::string_view language) {
  if (language == "simple") return builtin("en");
  if (language == kCommon) return nullptr;
  if (const auto* exact = builtin(language)) return exact;
  const auto dash = language.find('-');
  return dash == std::string_view::npos ? nullptr : find_file(language.substr(0, dash));
}

/// "List of" as a phrase for whole titles. A prefix that ends in no letter ("Liste d'") needs no blank after it.
std::string list_phrase(const std::string& prefix) {
  if (prefix.starts_with('*')) return prefix;
  const bool joined = prefix.ends_with(':') || prefix.ends_with('\'') || prefix.ends_with("’");
  return prefix + (joined ? "*" : " *");
}

void add_builtin(HeadingWords& words, const BuiltinHeadings& file) {
  add_heading_words(words, file.source, std::string(file.language) + ".toml", file.language);
}

}  // namespace

void add_heading_words(HeadingWords& words, std::string_view source, const std::string& file,
                       std::string_view language) {
  if (const auto line = line_of_deep_toml_key(source); line != 0)
    throw ConfigError(file + ", line " + std::to_string(line) + ": " + deep_toml_key_text());
  toml::table document;
  try {
    document = toml::parse(source);
  } catch (const toml::parse_error& error) {
    throw ConfigError(place_of(file, error.source()) + std::string(error.description()));
  }
  const auto months = month_names(language);
  for (const auto& [key, node] : document) {
    const bool is_first_person = key.str() == "first_person";
    const auto* row = std::find_if(std::begin(kPhraseKeys), std::end(kPhraseKeys),
                                   [&name = key](const auto& known) { return known.name == name.str(); });
    if (row == std::end(kPhraseKeys) && !is_first_person) {
      throw ConfigError(
          place_of(file, node.source()) + "unknown key '" + std::string(key.str()) +
          "'; known are forbidden, navigation, miscellaneous, boilerplate, prose, dates, ordering, attributes, drafts "
          "and first_person");
    }
    const auto* list = node.as_array();
    const auto is_text = [](const toml::node& item) { return item.is_string(); };
    if (list == nullptr || !std::all_of(list->begin(), list->end(), is_text))
      throw ConfigError(place_of(file, node.source()) + "'" + std::string(key.str()) + "' must be a list of strings");
    for (const auto& item : *list) {
      if (is_first_person) {
        words.first_person.push_back(item.as_string()->get());
      } else {
        add_phrase(words.*(row->set), item.as_string()->get(), months);
      }
    }
  }
}

HeadingWords heading_words(std::string_view language) {
  HeadingWords words;
  add_builtin(words, *builtin(kCommon));
  if (const auto* file = find_file(language)) add_builtin(words, *file);
  for (const auto& prefix : list_prefixes(language)) words.lists.add(list_phrase(prefix));
  return words;
}

std::vector<std::string> heading_languages() {
  std::vector<std::string> languages;
  for (const auto& file : builtin_headings()) {
    if (file.language != kCommon) languages.emplace_back(file.language);
  }
  return languages;
}

std::vector<std::string> languages_in_other_scripts(std::string_view language) {
  std::vector<std::string> others;
  const auto own = text::scripts_of_language(language);
  if (own.empty()) return others;
  for (const auto& other : heading_languages()) {
    const auto scripts = text::scripts_of_language(other);
    const auto is_shared = [&](UScriptCode script) {
      return script == USCRIPT_LATIN || std::find(own.begin(), own.end(), script) != own.end();
    };
    if (!scripts.empty() && std::none_of(scripts.begin(), scripts.end(), is_shared)) others.push_back(other);
  }
  return others;
}

bool has_heading_file(std::string_view language) {
  return find_file(language) != nullptr;
}

HeadingWords wiki_heading_words(std::string_view language) {
  auto words = heading_words(language);
  for (const auto& other : languages_in_other_scripts(language)) add_language(words, other);
  return words;
}

void add_language(HeadingWords& words, std::string_view language) {
  const auto further = heading_words(language);
  for (const auto set : {&HeadingWords::forbidden, &HeadingWords::navigation, &HeadingWords::miscellaneous,
                         &HeadingWords::prose, &HeadingWords::dates, &HeadingWords::ordering, &HeadingWords::attributes,
                         &HeadingWords::drafts, &HeadingWords::lists})
    (words.*set).add(further.*set);
}

}  // namespace touchstone::pipeline::headings
