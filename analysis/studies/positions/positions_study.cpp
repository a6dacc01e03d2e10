#include "analysis/studies/positions/positions_study.hpp"

#include "analysis/studies/positions/positions_numbers.hpp"
#include "common/error.hpp"

#include <string>

#include <fmt/format.h>

namespace touchstone::analysis::studies::positions {
namespace {

struct PositionsOptions {
  std::string snippets;

  static std::vector<Option<PositionsOptions>> options() {
    return {{"positions.snippets", &PositionsOptions::snippets,
             "Qrels of snippets whose docids are DOCUMENT_POSITION, with positions from 0."}};
  }
};

double percentage(std::uint64_t part, std::uint64_t whole) {
  return 100 * static_cast<double>(part) / static_cast<double>(whole);
}

StudyTable positions_table(const PositionNumbers& numbers) {
  StudyTable table{"positions",
                   "Snippets by position",
                   {"document_grade", "position", "snippet_grade", "snippets", "of_grade", "percent"},
                   {},
                   "Of all judged snippets at a position (from 0) in documents of document_grade, percent have "
                   "snippet_grade."};
  for (const auto& [document_grade, positions] : numbers.by_document_grade) {
    for (const auto& [position, counts] : positions) {
      for (const int grade : numbers.snippet_grades) {
        const auto found = counts.of_grade(grade);
        table.rows.push_back({std::int64_t{document_grade}, std::int64_t{position}, std::int64_t{grade},
                              static_cast<std::int64_t>(counts.snippets), static_cast<std::int64_t>(found),
                              percentage(found, counts.snippets)});
      }
    }
  }
  return table;
}

std::vector<Chart> charts_of(const PositionNumbers& numbers) {
  std::vector<Chart> charts;
  for (const auto& [document_grade, positions] : numbers.by_document_grade) {
    Chart chart{fmt::format("positions-{}", document_grade),
                fmt::format("Documents of grade {}", document_grade),
                "Share of the judged snippets at each position that have the grade. Few documents are long, so that "
                "late positions rest on few snippets; the table has the counts.",
                "position of the snippet, from 0",
                "percent of the snippets",
                {}};
    for (const int grade : numbers.snippet_grades) {
      if (grade <= 0) continue;
      ChartSeries series{fmt::format("snippet grade {}", grade), {}};
      for (const auto& [position, counts] : positions)
        series.points.push_back({static_cast<double>(position), percentage(counts.of_grade(grade), counts.snippets)});
      chart.series.push_back(std::move(series));
    }
    if (!chart.series.empty()) charts.push_back(std::move(chart));
  }
  return charts;
}

/// Relevant snippets and all of them, at the first position and at the others.
struct FirstAndLater {
  std::uint64_t first = 0, first_relevant = 0, later = 0, later_relevant = 0;
};

FirstAndLater first_and_later(const std::map<std::uint32_t, PositionCounts>& positions, int min_grade) {
  FirstAndLater sums;
  for (const auto& [position, counts] : positions) {
    std::uint64_t relevant = 0;
    for (const auto& [grade, snippets] : counts.by_grade) relevant += grade >= min_grade ? snippets : 0;
    (position == 0 ? sums.first : sums.later) += counts.snippets;
    (position == 0 ? sums.first_relevant : sums.later_relevant) += relevant;
  }
  return sums;
}

std::vector<Finding> findings_of(const PositionNumbers& numbers, int min_grade) {
  std::vector<Finding> findings;
  for (const auto& [document_grade, positions] : numbers.by_document_grade) {
    const auto sums = first_and_later(positions, min_grade);
    if (sums.first == 0 || sums.later == 0) continue;
    const double first = percentage(sums.first_relevant, sums.first);
    const double later = percentage(sums.later_relevant, sums.later);
    findings.push_back(
        {Verdict::kFact,
         fmt::format("In documents of grade {}, {:.1f} % of the {} first snippets have at least grade {}, and {:.1f} % "
                     "of the {} later ones. {} of the {} relevant snippets stand behind the first: a system that reads "
                     "only the beginning misses them.",
                     document_grade, first, sums.first, min_grade, later, sums.later, sums.later_relevant,
                     sums.first_relevant + sums.later_relevant)});
  }
  if (numbers.without_document > 0) {
    findings.push_back({Verdict::kFact,
                        fmt::format("{} of the {} snippets are left out because the qrels do not judge their document.",
                                    numbers.without_document, numbers.snippets)});
  }
  return findings;
}

void write_positions(JsonWriter& json, const PositionNumbers& numbers) {
  json.field("snippets", numbers.snippets).field("without_document", numbers.without_document);
  json.key("positions").begin_array();
  for (const auto& [document_grade, positions] : numbers.by_document_grade) {
    for (const auto& [position, counts] : positions) {
      json.begin_object().field("document_grade", document_grade).field("position", position);
      json.field("snippets", counts.snippets).key("grades").begin_object();
      for (const int grade : numbers.snippet_grades) json.field(fmt::to_string(grade), counts.of_grade(grade));
      json.end_object().end_object();
    }
  }
  json.end_array();
}

StudyOutput run_positions(StudyContext& context) {
  const auto& shared = context.shared();
  const auto& own = context.settings.get<PositionsOptions>();
  if (shared.qrels.empty()) throw ConfigError("there are no judgments of documents; name them with --qrels FILE");
  if (own.snippets.empty()) throw ConfigError("there are no judgments of snippets; name them with --snippets FILE");
  const auto numbers = count_positions(own.snippets, shared.qrels);
  if (numbers.by_document_grade.empty()) {
    throw ConfigError(
        fmt::format("{} judges no document of the {} snippets in {}; give qrels with the same topics "
                    "and documents",
                    shared.qrels, numbers.snippets, own.snippets));
  }
  StudyOutput output;
  output.study = "positions";
  output.title = "Where in documents relevant snippets stand";
  output.question = "Are snippets at the beginning of documents more often relevant than later ones?";
  output.facts = {{"qrels of documents", shared.qrels},
                  {"qrels of snippets", own.snippets},
                  {"snippets", fmt::to_string(numbers.snippets)},
                  {"lowest relevant grade", fmt::to_string(shared.min_grade)}};
  output.findings = findings_of(numbers, static_cast<int>(shared.min_grade));
  output.tables = {positions_table(numbers)};
  output.charts = charts_of(numbers);
  output.write_fields = [numbers](JsonWriter& json) { write_positions(json, numbers); };
  return output;
}

}  // namespace

Study positions_study() {
  return {"positions", "Where in documents relevant snippets stand", "snippets", &option_group<PositionsOptions>(),
          run_positions};
}

}  // namespace touchstone::analysis::studies::positions
