#include "pipeline/survey/survey_text.hpp"

#include "common/number_text.hpp"
#include "pipeline/survey/settings_file.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace touchstone::pipeline::survey {
namespace {

constexpr std::size_t kRowsShown = 10;

std::string counted(std::uint64_t count, std::string_view one, std::string_view many) {
  return with_commas(count) + " " + std::string(count == 1 ? one : many);
}

std::string counts_line(const GroupCounts& counts) {
  return fmt::format(
      "{} from {} ({} on {}); {}, {} of them linked from elsewhere; {}, {} outside the members' own articles",
      counted(counts.topics, "topic", "topics"), counted(counts.groups, "group", "groups"),
      counted(counts.columns, "column or list", "columns and lists"), counted(counts.pages, "page", "pages"),
      counted(counts.members, "member", "members"), with_commas(counts.linked),
      counted(counts.candidates, "candidate passage", "candidate passages"), percent(counts.outside_share()));
}

/// What a build gives, by trial.
std::string outcome_line(const TrialOutcome& outcome) {
  auto text = fmt::format("By trial: {} from {}",
                          counted(static_cast<std::uint64_t>(std::llround(outcome.topics)), "topic", "topics"),
                          counted(outcome.of_all_groups(outcome.subjects), "list page", "list pages"));
  if (outcome.judged < outcome.groups)
    text += fmt::format(" ({} of {} groups were judged)", with_commas(outcome.judged), with_commas(outcome.groups));
  text += fmt::format("; {} of evidence, {} outside the members' own articles; {} of texts damaged.",
                      counted(outcome.of_all_groups(outcome.evidence), "passage", "passages"),
                      percent(outcome.outside_share()), percent(outcome.texts.damaged_share()));
  for (const auto& [source, trial] : outcome.tried) {
    if (source <= CandidateSource::kLink) continue;
    const auto questions = counted(trial.questions, "question", "questions");
    if (!trial.judged) {
      text += fmt::format(" The source {} would take {}, and is left out.", to_string(source), questions);
      continue;
    }
    const bool used = std::find(outcome.sources.begin(), outcome.sources.end(), source) != outcome.sources.end();
    text += fmt::format(
        " The source {} adds {} for {}{}; {}.", to_string(source), counted(trial.evidence, "passage", "passages"),
        questions,
        trial.evidence == 0 ? "" : fmt::format(", {} expected to be right", percent(trial.expected_precision())),
        used ? "it is used" : "it is left out");
  }
  for (const auto& [reason, groups] : outcome.left_out)
    text += fmt::format(" {} left out: {}.", with_commas(groups), reason);
  return text;
}

std::string header_line(std::string_view name) {
  return fmt::format("{:>7} {:>8} {:>7} {:>8} {:>8} {:>7} {:>10}  {}\n", "pages", "columns", "groups", "members",
                     "linked", "topics", "candidates", name);
}

std::string row_line(const GroupRow& row, const std::string& name) {
  const auto& counts = row.counts;
  auto line = fmt::format("{:>7} {:>8} {:>7} {:>8} {:>8} {:>7} {:>10}  {}\n", with_commas(counts.pages),
                          with_commas(counts.columns), with_commas(counts.groups), with_commas(counts.members),
                          with_commas(counts.linked), with_commas(counts.topics), with_commas(counts.candidates), name);
  for (const auto& sample : counts.samples) line += fmt::format("          e.g. {}\n", sample);
  return line;
}

std::string shown_affix(const std::string& affix) {
  if (affix == "*") return "all titles";
  return affix.starts_with('*') ? "... " + affix.substr(1) : affix + " ...";
}

/// A table of rows, or a sentence if there are none.
template <class Name>
std::string table(const std::vector<GroupRow>& rows, std::string_view title, std::string_view name_title,
                  std::string_view if_empty, const Name& name) {
  std::string text = fmt::format("\n{}\n", title);
  if (rows.empty()) return text + fmt::format("  {}\n", if_empty);
  text += header_line(name_title);
  for (std::size_t i = 0; i < rows.size() && i < kRowsShown; ++i) text += row_line(rows[i], name(rows[i]));
  if (rows.size() > kRowsShown)
    text += fmt::format("  and {} more; --format json lists all\n", with_commas(rows.size() - kRowsShown));
  return text;
}

std::string templates_text(const SurveyResult& result) {
  const auto& templates = result.templates;
  if (!templates.known && templates.template_pages == 0) return "";
  if (!templates.known) {
    return "Templates: whether the dump holds the templates that articles use is not known, because it cannot be read "
           "again.\n";
  }
  if (templates.uses == 0) return "Templates: no article that was looked at uses a template.\n";
  auto text = fmt::format("Templates: {} of the templates that articles use are in the dump ({} template pages).\n",
                          percent(templates.share()), with_commas(templates.template_pages));
  text += result.expands ? "  They are expanded: that gives more whole texts than template rules.\n"
                         : "  Template rules give texts that are at least as whole as expanded templates.\n";
  return text;
}

std::string selection_text(const SurveyResult& result) {
  std::string text = "\nAutomatic collection: pages that can be queries\n";
  text += result.selection.front().counts.table();
  for (std::size_t i = 1; i < result.selection.size(); ++i) {
    text += fmt::format("with automatic.min_sections = {}: {}\n", result.selection[i].min_sections,
                        counted(result.selection[i].counts.query_pages(), "query page", "query pages"));
  }
  for (const auto& [language, headings] : result.heading_languages) {
    text += fmt::format("{} that the wiki's language does not know are known in \"{}\"\n",
                        counted(headings, "heading such as \"See also\"", "headings such as \"See also\""), language);
  }
  text += fmt::format("with the settings below: {}\n",
                      counted(result.recommended_selection.counts.query_pages(), "query page", "query pages"));
  return text;
}

std::string rows_text(const SurveyResult& result) {
  std::string text =
      table(result.titles, "List pages, by how their titles start or end", "title",
            "no titles of list pages were found", [](const GroupRow& row) {
              return fmt::format("{} ({})", shown_affix(row.name), counted(row.pages_of_name, "page", "pages"));
            });
  const auto where = result.all_pages_tried ? "all articles" : "list pages";
  text += table(result.headers, fmt::format("Columns of tables on {}, by header", where), "header",
                "no column leads to enough articles", [](const GroupRow& row) {
                  return row.first == 0 ? row.name
                                        : fmt::format("{} (names the rows of {})", row.name,
                                                      counted(row.first, "table", "tables"));
                });
  text += table(result.headings, fmt::format("Lists on {}, by the heading above them", where), "heading",
                "no list leads to enough articles", [](const GroupRow& row) { return row.name; });
  if (!result.other_pages.empty()) {
    text += "\nPages that are no articles and are not read:";
    for (const auto& [name, pages] : result.other_pages) text += fmt::format(" {} {},", name, with_commas(pages));
    text.back() = '\n';
  }
  return text;
}

}  // namespace

std::string settings_title(const SurveyResult& result, std::string_view name) {
  return fmt::format("{} for {}, written by touchstone survey", name, result.wiki);
}

std::string why_no_topic(const SurveyResult& result) {
  if (!result.fruitless || result.fruitless->groups == 0)
    return "no table column and no list of this wiki leads to enough of its articles";
  const auto& outcome = *result.fruitless;
  auto text = fmt::format("of {} that {} to enough articles, none is left", counted(outcome.groups, "list", "lists"),
                          outcome.groups == 1 ? "leads" : "lead");
  std::string_view separator = " (";
  for (const auto& [reason, groups] : outcome.left_out) {
    text += fmt::format("{}{} {}", separator, with_commas(groups), reason);
    separator = ", ";
  }
  if (!outcome.left_out.empty()) text += ")";
  return text;
}

std::string choices_text(const SurveyResult& result) {
  std::string text;
  for (std::size_t i = 0; i < result.choices.size(); ++i) {
    const auto& choice = result.choices[i];
    text += fmt::format("{}. {}\n   {}\n", i + 1, choice.name, outcome_line(choice.outcome));
    for (const auto& query : choice.outcome.queries) text += fmt::format("   e.g. {}\n", query);
  }
  if (text.empty()) {
    text = fmt::format(
        "No setting gives a topic: {}.\nAn automatic collection, or a language model as judge, may give more.\n",
        why_no_topic(result));
  }
  return text;
}

std::string survey_text(const SurveyResult& result) {
  std::string text = fmt::format("{}: {}, language \"{}\"\n", result.wiki,
                                 counted(result.articles, "article", "articles"), result.language);
  text += fmt::format(
      "{} tables or lists of links to other articles.\n",
      result.list_pages == 1 ? "1 article is mostly" : with_commas(result.list_pages) + " articles are mostly");
  if (!result.likely_language.empty())
    text += fmt::format(
        "Its headings are those of the language \"{}\": the numbers of a build with it may differ; see them with "
        "--lang {}\n",
        result.likely_language, result.likely_language);
  text += templates_text(result);
  text += fmt::format(
      "\nA group is a column or list whose links lead to articles, its members. A group is a topic if at least {} "
      "passages\nlink to its members or are theirs. These candidate passages are the most evidence that a judge can "
      "confirm.\n",
      result.min_evidence);
  if (!result.all_pages_tried)
    text += "The wiki is so large that only pages were looked at whose titles are those of lists.\n";
  text += rows_text(result);
  text += "\nSettings as given\n   " + counts_line(result.current->counts) + "\n   " +
          outcome_line(result.current->outcome) + "\n";
  text += "\nBest settings for an evidence collection\n" + choices_text(result);
  text += selection_text(result);
  return text + "\nSettings to build with\n\n" +
         settings_file(*result.recommended, result, settings_title(result, "Settings"));
}

}  // namespace touchstone::pipeline::survey
