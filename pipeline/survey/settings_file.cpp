#include "pipeline/survey/settings_file.hpp"

#include "common/number_text.hpp"
#include "pipeline/automatic/selection/automatic_options.hpp"

#include <map>
#include <vector>

#include <fmt/format.h>

namespace touchstone::pipeline::survey {
namespace {

/// Why the survey recommends a value, by key.
std::map<std::string, std::string> reasons(const SurveyResult& result) {
  std::map<std::string, std::string> texts;
  if (result.templates.holds_templates()) {
    texts["ingest.templates"] =
        fmt::format("the dump holds {} of the templates that articles use", percent(result.templates.share()));
  }
  if (!result.heading_languages.empty()) {
    std::string text = "headings that the wiki's language does not know:";
    for (const auto& [language, headings] : result.heading_languages)
      text += fmt::format("{} {} in \"{}\"", text.ends_with(':') ? "" : ",", with_commas(headings), language);
    texts["automatic.heading_languages"] = text;
  }
  const auto& given = result.selection.front();
  const auto& chosen = result.recommended_selection;
  if (chosen.counts.query_pages() > given.counts.query_pages()) {
    texts["automatic.min_sections"] =
        fmt::format("{} query pages instead of {}", with_commas(chosen.counts.query_pages()),
                    with_commas(given.counts.query_pages()));
  }
  if (!result.likely_language.empty()) texts["wiki.text_language"] = "the headings are in this language";
  texts["phrase.subject"] = "many queries are one or two words, which mean little outside the wiki";
  texts["groups.list_prefixes"] = "how titles of list pages start, or with * end; [\"*\"]: all articles";
  texts["candidates.sources"] = "by trial, what these add reads right and is worth its questions";
  texts["passages.scope"] = "by trial, whole articles give more than their leads";
  return texts;
}

}  // namespace

std::string settings_file(const Settings& settings, const SurveyResult& result, const std::string& title) {
  std::vector<const OptionGroup*> groups;
  for (std::size_t i = 0; i < settings.size(); ++i) groups.push_back(&settings.group(i));
  const Settings defaults(groups);
  const auto why = reasons(result);
  std::string top, sections, section;
  for (std::size_t i = 0; i < settings.size(); ++i) {
    const auto& row = settings.row(i);
    const auto value = settings.value_text(i);
    if (row.effect == OptionEffect::kNone || value == defaults.value_text(i)) continue;
    const std::string key(row.key);
    const auto dot = key.find('.');
    if (dot == std::string::npos) {
      top += fmt::format("{} = {}\n", key, value);
      continue;
    }
    if (key.substr(0, dot) != section) {
      section = key.substr(0, dot);
      sections += fmt::format("\n[{}]\n", section);
    }
    const auto found = why.find(key);
    if (found != why.end()) sections += "# " + found->second + "\n";
    sections += fmt::format("{} = {}\n", key.substr(dot + 1), value);
  }
  return fmt::format("# {}\n# All other options have their defaults.\n", title) + top + sections;
}

}  // namespace touchstone::pipeline::survey
