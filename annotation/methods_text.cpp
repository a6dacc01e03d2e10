#include "annotation/methods_text.hpp"

#include "analysis/presentation/paper_table.hpp"
#include "collection/evidence/audit_summary.hpp"
#include "common/number_text.hpp"

#include <cmath>
#include <numeric>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace touchstone::annotation {
namespace {

constexpr const char* kGradeNames[] = {"Wrong", "Topic", "Partial", "Perfect"};

std::size_t sum_of(const auto& counts) {
  return std::accumulate(counts.begin(), counts.end(), std::size_t{0});
}

std::size_t active_annotators(const CampaignNumbers& numbers) {
  std::size_t active = 0;
  for (const auto& person : numbers.annotators) active += person.graded > 0 ? 1 : 0;
  return active;
}

std::size_t answers_of(const CampaignNumbers& numbers) {
  std::size_t answers = 0;
  for (const auto& person : numbers.annotators) answers += person.graded;
  return answers;
}

std::string counted(std::size_t count, const char* one, const char* many) {
  return with_commas(count) + " " + (count == 1 ? one : many);
}

const char* task_text(TaskKind kind) {
  switch (kind) {
    case TaskKind::kGrade:
      return "how far a passage answers a query, on the four grades Wrong, Topic, Partial and Perfect";
    case TaskKind::kEvidence:
      return "whether a passage confirms that a member belongs to a list, yes or no";
    case TaskKind::kSpans:
      return "which words of a passage answer a query";
  }
  return "";
}

/// What the people who answered have seen of the judge, which may have changed between runs.
std::string shown_text(const CampaignNumbers& numbers, ShownMode mode) {
  const bool all = numbers.answers == 0 ? mode == ShownMode::kShown : numbers.shown == numbers.answers;
  if (all) return ", and saw the answer of the collection's judge before.";
  if (numbers.shown == 0) return ", without seeing the judge's answer or each other's.";
  return fmt::format(", {} of them with the answer of the collection's judge in view.", with_commas(numbers.shown));
}

}  // namespace

std::string agreement_basis(const CampaignNumbers& numbers) {
  const auto topics = numbers.agreement_topics;
  const auto text = fmt::format(
      "Agreement is over the {} of {} that two or more people judged; intervals are 95 % bootstrap intervals that "
      "resample {}.",
      counted(numbers.agreement_tasks, "task", "tasks"), counted(topics, "topic", "topics"),
      topics == 1 ? "its tasks" : "topics");
  const bool few = topics > 1 && topics < collection::evidence::AuditAgreement::kFewTopics;
  return few ? text + " With so few topics they are too narrow." : text;
}

std::string with_interval(double value, const analysis::agreement::Interval& interval, int digits) {
  if (std::isnan(value)) return "not defined";
  if (std::isnan(interval.low)) return fixed_digits(value, digits);
  return fmt::format("{} ({} to {})", fixed_digits(value, digits), fixed_digits(interval.low, digits),
                     fixed_digits(interval.high, digits));
}

std::string methods_paragraph(const CampaignNumbers& numbers, const Campaign& campaign) {
  const auto& options = campaign.options();
  std::string text = fmt::format("{} judged {}. Each task was to be judged by {}; {} of {} have all their votes.",
                                 counted(active_annotators(numbers), "annotator", "annotators"),
                                 task_text(campaign.kind()), counted(options.assignment.overlap, "person", "people"),
                                 with_commas(numbers.complete), counted(numbers.tasks, "task", "tasks"));
  text += fmt::format(" They gave {}", counted(answers_of(numbers), "answer", "answers"));
  if (!numbers.days.empty())
    text += numbers.days.size() == 1 ? " on " + numbers.days.front().day
                                     : fmt::format(" from {} to {}", numbers.days.front().day, numbers.days.back().day);
  text += shown_text(numbers, options.mode);
  const auto versions = numbers.guidelines.empty() ? std::set{campaign.guidelines_version()} : numbers.guidelines;
  text += fmt::format(" Guidelines: version {}.", fmt::join(versions, " and "));
  if (campaign.kind() == TaskKind::kGrade)
    text += fmt::format(" From grade {} on, the words that answer the query had to be selected.", options.spans_from);
  if (options.rotate)
    text += " Half of the passages, drawn for each annotator, were shown with their halves in reverse order.";
  if (options.assignment.order == TaskOrder::kPairs)
    text += " Topics were given to pairs of annotators by round robin.";
  text += campaign.kind() == TaskKind::kGrade
              ? " The grade of a passage is that of the majority; ties go to the higher grade."
              : " The answer to a task is that of the majority; a tie is a no.";
  for (const auto& number : numbers.agreement)
    text += fmt::format(" {}: {}.", number.name, with_interval(number.value, number.interval));
  return numbers.agreement.empty() ? text : text + " " + agreement_basis(numbers);
}

std::string methods_table(const CampaignNumbers& numbers, const Campaign& campaign) {
  using analysis::presentation::internal::latex_escaped;
  analysis::presentation::internal::LatexTable table;
  table.caption = "The annotation campaign. Votes are by majority.";
  table.label = "tab:annotation";
  table.alignment = "lr";
  table.rows.push_back({"", "Number"});
  const auto row = [&](std::string_view name, const std::string& value) {
    table.rows.push_back({latex_escaped(name), latex_escaped(value)});
  };
  row("tasks", with_commas(numbers.tasks));
  row("tasks with all their votes", with_commas(numbers.complete));
  row("answers", with_commas(answers_of(numbers)));
  const auto voted = sum_of(numbers.voted);
  for (std::size_t grade = 0; grade < numbers.voted.size() && campaign.kind() != TaskKind::kSpans; ++grade) {
    if (campaign.kind() == TaskKind::kEvidence && grade > 1) break;
    const auto name = campaign.kind() == TaskKind::kGrade ? fmt::format("voted {}: {}", grade, kGradeNames[grade])
                                                          : std::string(grade == 0 ? "voted no" : "voted yes");
    row(name, with_commas(numbers.voted[grade]) +
                  (voted == 0
                       ? ""
                       : " (" + percent(static_cast<double>(numbers.voted[grade]) / static_cast<double>(voted)) + ")"));
  }
  const auto people = active_annotators(numbers);
  row("annotators", with_commas(people));
  if (people > 0)
    row("answers per annotator",
        fixed_digits(static_cast<double>(answers_of(numbers)) / static_cast<double>(people), 1));
  for (const auto& number : numbers.agreement) row(number.name, with_interval(number.value, number.interval));
  return latex_table(table);
}

}  // namespace touchstone::annotation
