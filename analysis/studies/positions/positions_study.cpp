#include "analysis/studies/positions/word_numbers.hpp"
#include "analysis/studies/study.hpp"
#include "common/error.hpp"
#include "formats/fields/quote.hpp"

#include <string>

#include <fmt/format.h>

namespace touchstone::analysis::studies::positions {
namespace {

double percent(std::uint64_t part, std::uint64_t whole) {
  return 100 * static_cast<double>(part) / static_cast<double>(whole);
}

/// Figure 8 of the paper.
Chart words_chart(const WordNumbers& numbers) {
  Chart chart{
      "words",
      "Selected words by their place in the snippet",
      "Share of all selected words that are in each tenth of their snippets. If people read only the beginning, "
      "the first tenths hold more; in rotated snippets, the second half was shown first.",
      "tenth of the snippet",
      "percent of the selected words",
      {}};
  for (const auto& group : numbers.groups) {
    if (group.name == "all" && numbers.groups.size() > 1) continue;
    ChartSeries series{group.name, {}};
    for (std::size_t i = 0; i < kTenths; ++i)
      series.points.push_back({static_cast<double>(i + 1), percent(group.selected[i], group.selected_words())});
    chart.series.push_back(std::move(series));
  }
  return chart;
}

StudyTable words_table(const WordNumbers& numbers) {
  StudyTable table{"words",
                   "Selected words by their place in the snippet",
                   {"group", "tenth", "words", "selected", "percent", "share", "shown_share"},
                   {},
                   "percent of the words of a tenth are selected. share is the percentage of all selected words, by "
                   "their tenth in the text, and shown_share by the tenth in which they were shown. Judgments with a "
                   "relevant grade that select words."};
  for (const auto& group : numbers.groups) {
    for (std::size_t i = 0; i < kTenths; ++i) {
      table.rows.push_back(
          {group.name, i + 1, group.words[i], group.selected[i], percent(group.selected[i], group.words[i]),
           percent(group.selected[i], group.selected_words()), percent(group.shown[i], group.selected_words())});
    }
  }
  return table;
}

std::uint64_t first_half(const std::array<std::uint64_t, kTenths>& counts) {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < kTenths / 2; ++i) sum += counts[i];
  return sum;
}

std::vector<Cell> spans_row(const std::string& position, const SpanCounts& counts) {
  return {position, counts.hit, counts.wrong, counts.missed, counts.precision(), counts.recall()};
}

void write_counts(JsonWriter& json, const SpanCounts& counts) {
  json.field("hit", counts.hit).field("wrong", counts.wrong).field("missed", counts.missed);
  json.field("precision", counts.precision()).field("recall", counts.recall());
}

void add_word_output(StudyOutput& output, const WordNumbers& numbers) {
  for (const auto& group : numbers.groups) {
    output.findings.push_back(
        {Verdict::kFact,
         fmt::format(
             "{} judgments ({}) select {:.1f} words on average, {:.1f} % of a snippet. {:.1f} % of the selected "
             "words are in the first half of the text, and {:.1f} % in the half that was shown first: about 50 "
             "% means that people read to the end.",
             group.judgments, group.name, group.mean_selected, group.mean_percent,
             percent(first_half(group.selected), group.selected_words()),
             percent(first_half(group.shown), group.selected_words()))});
  }
  if (numbers.without_ranges > 0) {
    output.findings.push_back(
        {Verdict::kFact, fmt::format("{} of the {} judgments with a relevant grade select no word and are left out.",
                                     numbers.without_ranges, numbers.relevant)});
  }
  output.tables.push_back(words_table(numbers));
  output.charts.push_back(words_chart(numbers));
}

void add_span_output(StudyOutput& output, const SpanNumbers& numbers) {
  const auto& all = numbers.all;
  output.findings.push_back(
      {Verdict::kFact,
       fmt::format("The system finds {} of the {} relevant words and misses {}; {} of the {} words that "
                   "it selects are not relevant.",
                   all.hit, all.hit + all.missed, all.missed, all.wrong, all.hit + all.wrong)});
  if (numbers.unjudged > 0) {
    output.findings.push_back(
        {Verdict::kFact, fmt::format("{} snippets of the system are left out because nobody judged them for the topic.",
                                     numbers.unjudged)});
  }
  StudyTable table{
      "spans",
      "Words that the system selects, by position of the snippet",
      {"position", "hit", "wrong", "missed", "precision", "recall"},
      {},
      "hit: selected and relevant words; wrong: selected ones that are not relevant; missed: relevant ones "
      "that are not selected."};
  table.rows.push_back(spans_row("all", all));
  Chart chart{
      "spans",
      "Words that the system selects, by position of the snippet",
      "Words at each position of snippets in their documents: selected and relevant, selected and not relevant, "
      "relevant and not selected.",
      "position of the snippet, from 0",
      "words",
      {{"hit", {}}, {"wrong", {}}, {"missed", {}}}};
  for (const auto& [position, counts] : numbers.by_position) {
    table.rows.push_back(spans_row(fmt::to_string(position), counts));
    const std::uint64_t values[] = {counts.hit, counts.wrong, counts.missed};
    for (std::size_t i = 0; i < 3; ++i)
      chart.series[i].points.push_back({static_cast<double>(position), static_cast<double>(values[i])});
  }
  output.tables.push_back(std::move(table));
  output.charts.push_back(std::move(chart));
}

void write_words(JsonWriter& json, const WordNumbers& numbers) {
  json.key("words").begin_object().field("judgments", numbers.judgments).field("relevant", numbers.relevant);
  json.field("without_ranges", numbers.without_ranges).key("groups").begin_array();
  for (const auto& group : numbers.groups) {
    json.begin_object().field("group", group.name).field("judgments", group.judgments);
    json.field("mean_percent", group.mean_percent).field("sd_percent", group.sd_percent);
    json.field("mean_selected", group.mean_selected);
    json.field("words", std::vector<std::uint64_t>(group.words.begin(), group.words.end()));
    json.field("selected", std::vector<std::uint64_t>(group.selected.begin(), group.selected.end()));
    json.field("shown", std::vector<std::uint64_t>(group.shown.begin(), group.shown.end())).end_object();
  }
  json.end_array().end_object();
}

void write_spans(JsonWriter& json, const SpanNumbers& numbers) {
  json.key("spans").begin_object().field("snippets", numbers.snippets).field("relevant", numbers.relevant);
  json.field("unjudged", numbers.unjudged);
  write_counts(json, numbers.all);
  json.key("positions").begin_array();
  for (const auto& [position, counts] : numbers.by_position) {
    json.begin_object().field("position", position);
    write_counts(json, counts);
    json.end_object();
  }
  json.end_array().end_object();
}

struct PositionsOptions {
  std::string snippets, judgments, documents, spans;

  static std::vector<Option<PositionsOptions>> options() {
    return {
        {"positions.snippets", &PositionsOptions::snippets,
         "Qrels of snippets whose docids are DOCUMENT_POSITION, with positions from 0."},
        {"positions.judgments", &PositionsOptions::judgments,
         "Judgments of snippets with selected spans, as FiRA's tool exports them in TSV."},
        {"positions.documents", &PositionsOptions::documents, "Texts of these snippets: lines of docid, tab and text."},
        {"positions.spans", &PositionsOptions::spans,
         "Spans of a system in the columns queryId, documentId and relevanceCharacterRanges, to be compared."}};
  }
};

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
        table.rows.push_back(
            {document_grade, position, grade, counts.snippets, found, percent(found, counts.snippets)});
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
        series.points.push_back({static_cast<double>(position), percent(counts.of_grade(grade), counts.snippets)});
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
    const double first = percent(sums.first_relevant, sums.first);
    const double later = percent(sums.later_relevant, sums.later);
    findings.push_back(
        {Verdict::kFact,
         fmt::format("In documents of grade {}, {:.1f} % of the {} first snippets have at least grade {}, and {:.1f} % "
                     "of the {} later ones. {} of the {} relevant snippets come after the first: a system that reads "
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

/// Where relevant snippets are, by qrels.
void add_snippets(StudyOutput& output, const StudyOptions& shared, const PositionsOptions& own) {
  if (shared.qrels.empty()) throw ConfigError("there are no judgments of documents; name them with --qrels FILE");
  const auto numbers = count_positions(own.snippets, shared.qrels);
  if (numbers.by_document_grade.empty()) {
    throw ConfigError(
        fmt::format("{} judges no document of the {} snippets in {}; give qrels with the same topics "
                    "and documents",
                    shared.qrels, numbers.snippets, own.snippets));
  }
  output.facts = {{"qrels of documents", shared.qrels},
                  {"qrels of snippets", own.snippets},
                  {"snippets", fmt::to_string(numbers.snippets)}};
  output.findings = findings_of(numbers, static_cast<int>(shared.min_grade));
  output.tables = {positions_table(numbers)};
  output.charts = charts_of(numbers);
  output.write_fields = [numbers](JsonWriter& json) { write_positions(json, numbers); };
}

Texts texts_of(const std::vector<Judgment>& judgments, const std::string& file) {
  std::vector<std::string> docids;
  for (const auto& judgment : judgments) docids.push_back(judgment.docid);
  auto texts = formats::fira::read_texts(file, docids);
  for (const auto& docid : docids) {
    if (texts.contains(docid)) continue;
    throw ConfigError(fmt::format("{} has no text of the snippet {}; give a file with the texts of all judged snippets",
                                  file, formats::fields::quote_for_message(docid)));
  }
  return texts;
}

/// Which words people select, and which of them a system finds.
void add_words(StudyOutput& output, const StudyOptions& shared, const PositionsOptions& own) {
  if (own.documents.empty())
    throw ConfigError("spans are places in texts, which are missing; name the texts of snippets with --documents FILE");
  const auto min_grade = static_cast<int>(shared.min_grade);
  const auto judgments = formats::fira::read_judgments(own.judgments, formats::fira::LinesOf::kJudges);
  const auto texts = texts_of(judgments, own.documents);
  const auto numbers = count_words_by_place(judgments, texts, min_grade, own.judgments);
  if (numbers.groups.empty()) {
    throw ConfigError(fmt::format("no judgment of {} with at least grade {} selects a word; lower --min-grade",
                                  own.judgments, min_grade));
  }
  output.facts.insert(output.facts.end(), {{"judgments with spans", own.judgments}, {"texts", own.documents}});
  add_word_output(output, numbers);
  const auto before = output.write_fields;
  output.write_fields = [before, numbers](JsonWriter& json) {
    if (before) before(json);
    write_words(json, numbers);
  };
  if (own.spans.empty()) return;
  const auto system = formats::fira::read_judgments(own.spans, formats::fira::LinesOf::kSystems);
  const auto spans = compare_spans(judgments, own.judgments, system, own.spans, texts, min_grade);
  output.facts.emplace_back("spans of the system", own.spans);
  add_span_output(output, spans);
  output.write_fields = [with_words = output.write_fields, spans](JsonWriter& json) {
    with_words(json);
    write_spans(json, spans);
  };
}

StudyOutput run_positions(StudyContext& context) {
  const auto& shared = context.shared();
  const auto& own = context.settings.get<PositionsOptions>();
  if (own.snippets.empty() && own.judgments.empty()) {
    throw ConfigError(
        "there are no judgments of snippets; name qrels of them with --snippets FILE, or judgments with selected spans "
        "with --judgments FILE");
  }
  if (own.judgments.empty() && !own.spans.empty())
    throw ConfigError("spans of a system are compared with those of people; name these with --judgments FILE");
  StudyOutput output;
  output.study = "positions";
  output.title = "Where in documents relevant snippets are";
  output.question = "Are the beginnings of documents and of snippets more often relevant than what follows?";
  if (!own.snippets.empty()) add_snippets(output, shared, own);
  if (!own.judgments.empty()) add_words(output, shared, own);
  output.facts.emplace_back("lowest relevant grade", fmt::to_string(shared.min_grade));
  return output;
}

}  // namespace

Study positions_study() {
  return {"positions", "Where in documents relevant snippets are", "snippets", &option_group<PositionsOptions>(),
          run_positions};
}

}  // namespace touchstone::analysis::studies::positions
