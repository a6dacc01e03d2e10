#include "analysis/studies/positions/word_output.hpp"

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

}  // namespace

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

}  // namespace touchstone::analysis::studies::positions
