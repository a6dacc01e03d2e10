#include "annotation/summary.hpp"

#include "annotation/methods_text.hpp"
#include "annotation/monitoring.hpp"
#include "common/json_writer.hpp"
#include "common/number_text.hpp"

#include <algorithm>
#include <cmath>
#include <ctime>
#include <optional>
#include <vector>

#include <fmt/chrono.h>
#include <fmt/format.h>

namespace touchstone::annotation {
namespace {

struct Column {
  const char* name;
  bool is_number = true;
};

struct Series {
  std::string name;
  std::vector<std::optional<double>> values;
};

struct Section {
  std::string id, title;
  std::string note = {}, text = {}, latex = {};
  std::vector<std::string> warnings = {};
  std::vector<Column> columns = {};
  std::vector<std::vector<std::string>> rows = {};
  std::string chart_kind = {};
  std::vector<std::string> x = {};
  std::vector<Series> series = {};
};

std::string or_dash(double value, int digits) {
  return std::isnan(value) ? "–" : fixed_digits(value, digits);
}

std::vector<std::string> pseudonyms(const Campaign& campaign) {
  std::vector<std::string> names;
  for (const auto& annotator : campaign.access().annotators()) names.push_back(annotator.pseudonym);
  return names;
}

/// Names of the grades of a kind of task.
std::vector<const char*> grade_names(TaskKind kind) {
  if (kind == TaskKind::kGrade) return {"0 Wrong", "1 Topic", "2 Partial", "3 Perfect"};
  return kind == TaskKind::kEvidence ? std::vector{"0 No", "1 Yes"} : std::vector<const char*>();
}

Section progress_section(const CampaignNumbers& numbers, const Campaign& campaign) {
  Section section{"progress", "Progress"};
  section.note = fmt::format("{} of {} tasks have all their votes, {} have some.", with_commas(numbers.complete),
                             with_commas(numbers.tasks), with_commas(numbers.begun - numbers.complete));
  section.columns = {{"annotator", false}, {"answered"}, {"share"}, {"skipped"}, {"difficult"}, {"median s"}};
  for (std::size_t i = 0; i < numbers.annotators.size(); ++i) {
    const auto& person = numbers.annotators[i];
    const auto [answered, total] = campaign.progress(i);
    section.rows.push_back({person.pseudonym, with_commas(answered),
                            total == 0 ? "–" : percent(static_cast<double>(answered) / static_cast<double>(total)),
                            with_commas(person.skipped), with_commas(person.difficult),
                            or_dash(person.median_ms / 1000, 1)});
  }
  return section;
}

Section pace_section(const CampaignNumbers& numbers) {
  Section section{"pace", "Pace"};
  section.note = "Answers in each half hour, UTC; half hours without any are left out.";
  Series series{"answers", {}};
  constexpr std::size_t kShown = 96;
  const auto skipped = numbers.half_hours.size() > kShown ? numbers.half_hours.size() - kShown : 0;
  auto at = numbers.half_hours.begin();
  std::advance(at, skipped);
  for (; at != numbers.half_hours.end(); ++at) {
    section.x.push_back(fmt::format("{:%m-%d %H:%M}", fmt::gmtime(static_cast<std::time_t>(at->first))));
    series.values.emplace_back(static_cast<double>(at->second));
  }
  section.chart_kind = "bars";
  section.series.push_back(std::move(series));
  return section;
}

Section time_section(const CampaignNumbers& numbers, TaskKind kind) {
  Section section{"time", "Time for each grade and day"};
  section.note = "Mean seconds that a task was visible, without pauses.";
  const auto names = grade_names(kind);
  section.columns = {{"day", false}, {"answers"}};
  for (const auto* name : names) {
    section.columns.push_back({name});
    section.series.push_back({name, {}});
  }
  for (const auto& day : numbers.days) {
    section.x.push_back(day.day);
    std::vector<std::string> row{day.day, with_commas(day.answers)};
    for (std::size_t grade = 0; grade < names.size(); ++grade) {
      const auto seconds = day.mean_ms[grade] / 1000;
      row.push_back(or_dash(seconds, 1));
      section.series[grade].values.push_back(std::isnan(seconds) ? std::nullopt : std::optional(seconds));
    }
    section.rows.push_back(std::move(row));
  }
  if (section.x.size() > 1) section.chart_kind = "lines";
  return section;
}

Section agreement_section(const CampaignNumbers& numbers) {
  Section section{"agreement", "Agreement"};
  if (numbers.agreement.empty()) {
    section.note = "No two people have judged the same task yet.";
    return section;
  }
  section.note = agreement_basis(numbers);
  section.columns = {{"coefficient", false}, {"value"}};
  for (const auto& number : numbers.agreement)
    section.rows.push_back({number.name, with_interval(number.value, number.interval)});
  return section;
}

Section people_section(const CampaignNumbers& numbers) {
  Section section{"annotators", "Each annotator"};
  section.note =
      "Against the majority of the others on the same task, and on tasks whose right answer is known. Sentences above "
      "the table name who stands out: look at their answers before you take any back.";
  section.columns = {{"annotator", false}, {"graded"}, {"commonest grade"},
                     {"tasks in common"},  {"kappa"},  {"checks right"}};
  for (const auto& person : numbers.annotators) {
    section.rows.push_back({person.pseudonym, with_commas(person.graded),
                            std::isnan(person.commonest_share)
                                ? "–"
                                : fmt::format("{}: {}", person.commonest_grade, percent(person.commonest_share)),
                            with_commas(person.compared), or_dash(person.kappa, 2),
                            person.checks == 0 ? "–" : fmt::format("{} of {}", person.checks_right, person.checks)});
    for (const auto& suspicion : person.suspicions) section.warnings.push_back(person.pseudonym + ": " + suspicion);
  }
  return section;
}

Section judge_section(const JudgeNumbers& judge) {
  Section section{"judge", "The judge against people"};
  section.note = fmt::format("Of {} tasks that the collection's judge saw, {} have a majority of people.",
                             with_commas(judge.tasks), with_commas(judge.voted));
  if (judge.is_drawn) {
    section.note += fmt::format(
        " The tasks were drawn by strata, which are weighed here: the numbers are about the {} decisions of these "
        "strata. Kappa is about the tasks as they are.",
        with_commas(judge.decisions));
  } else {
    section.note += " The numbers are about these tasks.";
  }
  section.note += " The 95 % intervals assume that chance decides which tasks people have judged so far.";
  section.columns = {{"number", false}, {"value"}};
  const auto row = [&](const char* name, const std::optional<analysis::audit::Estimate>& estimate) {
    section.rows.push_back({name, estimate ? with_interval(estimate->value, estimate->interval) : "not known yet"});
  };
  row("precision of its yes", judge.estimates.precision);
  row("recall", judge.estimates.recall);
  row("its no confirmed", judge.estimates.confirmed_no);
  row("agreement, yes and no alike", judge.estimates.balanced_agreement);
  section.rows.push_back({"Cohen's kappa", with_interval(judge.kappa.value, judge.kappa.interval)});
  return section;
}

std::vector<Section> sections_of(const Campaign& campaign) {
  const auto answers = campaign.annotations();
  const auto& people = campaign.access().annotators();
  const auto is_listed = [](const Annotator& annotator) { return annotator.is_listed; };
  const auto numbers =
      measure_campaign(campaign.tasks(), answers, pseudonyms(campaign), campaign.options().assignment.overlap,
                       static_cast<std::size_t>(std::count_if(people.begin(), people.end(), is_listed)));
  std::vector<Section> sections{progress_section(numbers, campaign), pace_section(numbers),
                                time_section(numbers, campaign.kind())};
  if (campaign.kind() != TaskKind::kSpans) sections.push_back(agreement_section(numbers));
  sections.push_back(people_section(numbers));
  if (numbers.judge) sections.push_back(judge_section(*numbers.judge));
  Section methods{"methods", "For the paper"};
  methods.text = methods_paragraph(numbers, campaign);
  methods.latex = methods_table(numbers, campaign);
  sections.push_back(std::move(methods));
  return sections;
}

void write_section(JsonWriter& json, const Section& section) {
  json.begin_object().field("id", section.id).field("title", section.title);
  if (!section.note.empty()) json.field("note", section.note);
  if (!section.warnings.empty()) json.field("warnings", section.warnings);
  if (!section.text.empty()) json.field("text", section.text);
  if (!section.latex.empty()) json.field("latex", section.latex);
  if (!section.columns.empty()) {
    json.key("table").begin_object().key("columns").begin_array();
    for (const auto& column : section.columns) {
      json.begin_object().field("name", column.name).field("kind", column.is_number ? "number" : "text").end_object();
    }
    json.end_array().field("rows", section.rows).end_object();
  }
  if (!section.chart_kind.empty()) {
    json.key("chart")
        .begin_object()
        .field("kind", section.chart_kind)
        .field("x", section.x)
        .key("series")
        .begin_array();
    for (const auto& series : section.series)
      json.begin_object().field("name", series.name).field("values", series.values).end_object();
    json.end_array().end_object();
  }
  json.end_object();
}

}  // namespace

std::string OwnerSummary::json() {
  constexpr std::chrono::seconds kFresh(10);
  const std::lock_guard lock(mutex_);
  const auto now = std::chrono::steady_clock::now();
  if (!last_.empty() && now - computed_ < kFresh) return last_;
  JsonWriter json;
  json.begin_object().field("title", campaign_.options().title).key("sections").begin_array();
  for (const auto& section : sections_of(campaign_)) write_section(json, section);
  last_ = json.end_array().end_object().take();
  computed_ = std::chrono::steady_clock::now();
  return last_;
}

std::string summary_text(const Campaign& campaign) {
  std::string text;
  for (const auto& section : sections_of(campaign)) {
    if (section.id == "pace") continue;
    text += section.title + "\n";
    if (!section.note.empty()) text += "  " + section.note + "\n";
    for (const auto& warning : section.warnings) text += "  ! " + warning + "\n";
    if (!section.text.empty()) text += "  " + section.text + "\n";
    std::vector<std::size_t> widths;
    for (const auto& column : section.columns) widths.push_back(std::string_view(column.name).size());
    for (const auto& row : section.rows) {
      for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
    }
    const auto line = [&](const auto& cell) {
      text += " ";
      for (std::size_t i = 0; i < widths.size(); ++i)
        text += section.columns[i].is_number ? fmt::format(" {:>{}}", cell(i), widths[i])
                                             : fmt::format(" {:<{}}", cell(i), widths[i]);
      text += "\n";
    };
    if (!section.rows.empty()) line([&](std::size_t i) { return std::string(section.columns[i].name); });
    for (const auto& row : section.rows) line([&](std::size_t i) { return row[i]; });
    text += "\n";
  }
  return text;
}

}  // namespace touchstone::annotation
