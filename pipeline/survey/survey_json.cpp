#include "common/json_writer.hpp"
#include "common/number_text.hpp"
#include "pipeline/survey/settings_file.hpp"
#include "pipeline/survey/survey_text.hpp"

#include <algorithm>
#include <cmath>

namespace touchstone::pipeline::survey {
namespace {

void write_counts(JsonWriter& json, const GroupCounts& counts) {
  json.field("pages", counts.pages).field("columns", counts.columns).field("groups", counts.groups);
  json.field("members", counts.members).field("linked_members", counts.linked).field("topics", counts.topics);
  json.field("candidates", counts.candidates).field("candidates_outside", counts.outside);
  json.key("samples").begin_array();
  for (const auto& sample : counts.samples) json.value(sample);
  json.end_array();
}

/// \param more  writes the fields that only these rows have
template <class More>
void write_rows(JsonWriter& json, std::string_view key, std::string_view name, const std::vector<GroupRow>& rows,
                const More& more) {
  json.key(key).begin_array();
  for (const auto& row : rows) {
    json.begin_object().field(name, row.name);
    more(row);
    write_counts(json, row.counts);
    json.end_object();
  }
  json.end_array();
}

/// What a build gives, by trial.
void write_outcome(JsonWriter& json, const TrialOutcome& outcome) {
  json.key("trial").begin_object().field("groups", outcome.groups).field("judged", outcome.judged);
  json.field("topics", std::llround(outcome.topics)).field("subjects", outcome.of_all_groups(outcome.subjects));
  json.field("evidence", outcome.of_all_groups(outcome.evidence)).field("outside_share", outcome.outside_share());
  json.field("damaged_share", outcome.texts.damaged_share()).field("queries", outcome.queries);
  json.key("sources").begin_array();
  for (const auto& [source, trial] : outcome.tried) {
    const bool used = source == CandidateSource::kOwnArticle ||
                      std::find(outcome.sources.begin(), outcome.sources.end(), source) != outcome.sources.end();
    json.begin_object()
        .field("source", to_string(source))
        .field("questions", trial.questions)
        .field("judged", trial.judged);
    json.field("evidence", trial.evidence).field("expected_precision", trial.expected_precision());
    json.field("used", used).end_object();
  }
  json.end_array();
  json.key("left_out").begin_object();
  for (const auto& [reason, groups] : outcome.left_out) json.field(reason, groups);
  json.end_object().end_object();
}

void write_choice(JsonWriter& json, const SettingsChoice& choice, const SurveyResult& result) {
  json.begin_object().field("name", choice.name);
  write_counts(json, choice.counts);
  write_outcome(json, choice.outcome);
  json.field("toml", settings_file(choice.settings, result, settings_title(result, "Settings"))).end_object();
}

void write_templates(JsonWriter& json, const SurveyResult& result) {
  const auto& templates = result.templates;
  json.key("templates").begin_object().field("known", templates.known);
  json.field("template_pages", templates.template_pages).field("uses", templates.uses).field("held", templates.held);
  json.field("expanded", result.expands).end_object();
}

void write_selection(JsonWriter& json, const SurveyResult& result) {
  json.key("automatic").begin_object().key("selection");
  result.selection.front().counts.write(json);
  json.key("by_min_sections").begin_array();
  for (const auto& alternative : result.selection) {
    json.begin_object().field("min_sections", alternative.min_sections);
    json.field("query_pages", alternative.counts.query_pages()).end_object();
  }
  json.end_array().key("heading_languages").begin_array();
  for (const auto& [language, headings] : result.heading_languages)
    json.begin_object().field("language", language).field("headings", headings).end_object();
  json.end_array().key("recommended");
  result.recommended_selection.counts.write(json);
  json.end_object();
}

}  // namespace

std::string survey_json(const SurveyResult& result) {
  JsonWriter json({2, JsonEscapes::kLineBreaks});
  json.begin_object().field("wiki", result.wiki).field("language", result.language);
  json.field("likely_language", result.likely_language);
  json.field("articles", result.articles).field("list_pages", result.list_pages);
  json.field("all_pages_tried", result.all_pages_tried).field("min_evidence", result.min_evidence);
  json.key("other_pages").begin_array();
  for (const auto& [name, pages] : result.other_pages)
    json.begin_object().field("namespace", name).field("pages", pages).end_object();
  json.end_array();
  write_templates(json, result);
  write_rows(json, "titles", "title", result.titles,
             [&](const GroupRow& row) { json.field("pages_with_title", row.pages_of_name); });
  write_rows(json, "headers", "header", result.headers,
             [&](const GroupRow& row) { json.field("tables_named", row.first); });
  write_rows(json, "headings", "heading", result.headings, [](const GroupRow&) {});
  json.key("current");
  write_choice(json, *result.current, result);
  json.key("settings").begin_array();
  for (const auto& choice : result.choices) write_choice(json, choice, result);
  json.end_array();
  write_selection(json, result);
  json.field("toml", settings_file(*result.recommended, result, settings_title(result, "Settings"))).end_object();
  return json.take() + "\n";
}

}  // namespace touchstone::pipeline::survey
