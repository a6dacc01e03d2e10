#include "pipeline/survey/advice.hpp"

#include "common/display_text.hpp"
#include "common/number_text.hpp"
#include "pipeline/survey/settings_file.hpp"
#include "pipeline/survey/survey_text.hpp"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>

namespace touchstone::pipeline::survey {
namespace {

std::string command(const EmptyBuild& build, const std::string& target, const std::string& config) {
  return fmt::format("touchstone build {}{}--work {}", target.empty() ? "" : "--to " + target + " ",
                     config.empty() ? "" : "--config " + shell_word(config) + " ", shell_word(build.work));
}

/// The options of evidence collections that are not their defaults: "groups.min_members = 1000".
/// \param automatic  also those of automatic ones
std::string chosen_options(const Settings& settings, bool automatic) {
  std::vector<const OptionGroup*> groups;
  for (std::size_t i = 0; i < settings.size(); ++i) groups.push_back(&settings.group(i));
  const Settings defaults(groups);
  constexpr std::string_view kParts[] = {"groups.", "candidates.", "topics.", "passages."};
  std::string text;
  for (std::size_t i = 0; i < settings.size(); ++i) {
    const auto key = settings.row(i).key;
    const bool counts = std::any_of(std::begin(kParts), std::end(kParts),
                                    [&](std::string_view part) { return key.starts_with(part); }) ||
                        (automatic && key.starts_with("automatic."));
    if (!counts || settings.value_text(i) == defaults.value_text(i)) continue;
    text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", key, settings.value_text(i));
  }
  return text;
}

std::string further_command(const EmptyBuild& build) {
  return fmt::format("touchstone survey --work {} says more.\n", shell_word(build.work));
}

Advice of_choices(const SurveyResult& result, const EmptyBuild& build) {
  Advice advice;
  const std::string target = build.automatic ? "" : build.target;
  advice.text = build.automatic
                    ? "No page can be the query of an automatic collection. An evidence collection can be made; the "
                      "best settings for it, each with the command to run next:\n"
                    : "No topic was found with these settings. The best settings for this wiki, each with the command "
                      "to run next:\n";
  advice.text += choices_text(result);
  for (std::size_t i = 0; i < result.choices.size(); ++i) {
    const auto file = build.work + fmt::format("/survey-{}.toml", i + 1);
    advice.files.emplace_back(file, settings_file(result.choices[i].settings, result,
                                                  settings_title(result, fmt::format("Settings {}", i + 1))));
    advice.text += (i == 0 ? "next    " : "        ") + command(build, target, file) + "\n";
  }
  advice.text += further_command(build);
  return advice;
}

Advice of_query_pages(const SurveyResult& result, const EmptyBuild& build) {
  Advice advice;
  const auto pages = result.recommended_selection.counts.query_pages();
  const auto file = build.work + "/survey-1.toml";
  advice.text = build.automatic ? "No page can be a query with these settings.\n"
                                : fmt::format("No topic was found, and no settings that were tried give one: {}.\n",
                                              why_no_topic(result));
  advice.text += fmt::format("An automatic collection from titles and headings has {} query page{}:\n",
                             with_commas(pages), pages == 1 ? "" : "s");
  advice.files.emplace_back(file, settings_file(*result.recommended, result, settings_title(result, "Settings 1")));
  advice.text += "next    " + command(build, "automatic", file) + "\n" + further_command(build);
  return advice;
}

/// Why no page is a query page, even if one section were enough.
std::string why_no_query_page(const SurveyResult& result) {
  using automatic::selection::PageReason;
  if (result.selection.empty() || result.selection.back().counts.pages() == 0) return "none has a text";
  const auto& counts = result.selection.back().counts;
  std::string text;
  for (std::size_t i = 0; i < automatic::selection::kPageReasons; ++i) {
    const auto reason = static_cast<PageReason>(i);
    const auto pages = counts.first(reason);
    if (pages == 0) continue;
    text += fmt::format("{}{} ", text.empty() ? "" : ", ", with_commas(pages));
    if (reason == PageReason::kFewSections) {
      text += pages == 1 ? "has no section" : "have no section";
    } else if (reason == PageReason::kNoPassages) {
      text += pages == 1 ? "has no passage in its sections" : "have no passage in their sections";
    } else {
      text += fmt::format("{} left out by the rule \"{}\"", pages == 1 ? "is" : "are", to_string(reason));
    }
  }
  return text;
}

}  // namespace

bool gives_topics(const SurveyResult& result) noexcept {
  return !result.choices.empty() || result.recommended_selection.counts.query_pages() > 0;
}

std::string no_collection_text(const SurveyResult& result, const Settings& settings) {
  std::string text = fmt::format(
      "No collection can be made: {} {} article{}; {}. None can be the query of an automatic collection: {}. {}\n",
      result.is_dump ? "the dump has" : "there " + std::string(result.articles == 1 ? "is" : "are"),
      with_commas(result.articles), result.articles == 1 ? "" : "s", why_no_topic(result), why_no_query_page(result),
      result.is_dump ? "Use a dump with more articles."
                     : "Use pages that have headings with text below them; of a book, chapters can be the sections of "
                       "one page: --set "
                       "ingest.book_unit=book.");
  const auto chosen = chosen_options(settings, true);
  if (!chosen.empty()) text += "These options were kept; try again without them: " + chosen + "\n";
  return text;
}

Advice advice_without_topics(const SurveyResult& result, const Settings& settings, const EmptyBuild& build) {
  const bool pages = result.recommended_selection.counts.query_pages() > 0;
  if (build.automatic && pages) return of_query_pages(result, build);
  if (!result.choices.empty()) return of_choices(result, build);
  if (!pages) return {no_collection_text(result, settings), {}};
  auto advice = of_query_pages(result, build);
  const auto chosen = chosen_options(settings, false);
  if (!chosen.empty()) advice.text += "These options were kept; without them there may be topics: " + chosen + "\n";
  return advice;
}

}  // namespace touchstone::pipeline::survey
