#include "analysis/studies/partial/partial_output.hpp"

#include "analysis/statistics/score_matrix.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace touchstone::analysis::studies::partial {
namespace {

using statistics::Spread;

/// A count where all samples have the same pairs, else their mean.
Cell bucket_pairs(const OutcomeSpread::Bucket& bucket) {
  if (bucket.pairs.lowest != bucket.pairs.highest) return bucket.pairs.mean;
  return static_cast<std::int64_t>(bucket.pairs.mean);
}

StudyTable selection_table(const std::vector<PartialNumbers>& measures) {
  StudyTable table{
      "selections",
      "One label for each topic",
      {"measure", "selection", "samples", "tau_a", "tau_b", "tau_b_sd", "tau_b_min", "tau_b_max", "discordant",
       "error_rate", "concordance"},
      {},
      "Agreement of the ranking by one label for each topic with the ranking by all labels; means over the "
      "samples. error_rate is the percentage of pairs in the wrong order."};
  for (const auto& numbers : measures) {
    for (const auto& row : numbers.selections) {
      const auto& s = row.spread;
      table.rows.push_back({numbers.measure, row.selection, row.samples, s.tau_a.mean, s.tau_b.mean, s.tau_b.deviation,
                            s.tau_b.lowest, s.tau_b.highest, s.discordant.mean, s.error_rate.mean, s.concordance.mean});
    }
  }
  return table;
}

StudyTable bucket_table(const std::vector<PartialNumbers>& measures) {
  StudyTable table{
      "buckets",
      "One label for each topic, by how far apart systems are",
      {"measure", "selection", "bucket", "pairs", "partial_tau", "error_rate", "concordance"},
      {},
      "Pairs of systems by the p-value of the paired t test on all labels, without correction. partial_tau "
      "counts only the pairs of the bucket. pairs is the number that the rates come from: a mean over the base systems "
      "in the system-based selection, because each base system leaves the comparison."};
  for (const auto& numbers : measures) {
    for (const auto& row : numbers.selections) {
      for (const auto& bucket : row.spread.buckets)
        table.rows.push_back({numbers.measure, row.selection, bucket_words(bucket), bucket_pairs(bucket),
                              bucket.partial_tau.mean, bucket.error_rate.mean, bucket.concordance.mean});
    }
  }
  return table;
}

StudyTable base_table(const std::vector<PartialNumbers>& measures) {
  StudyTable table{"base_systems",
                   "System-based selection, by base system",
                   {"measure", "base_system", "topics", "tau_a", "tau_b", "discordant", "error_rate", "concordance"},
                   {},
                   "The label of a topic is the first evidence in the run of the base system, which leaves the "
                   "comparison. Topics where it retrieves no evidence are left out.",
                   20};
  for (const auto& numbers : measures) {
    for (const auto& base : numbers.base_systems) {
      const auto& pairs = base.outcome.pairs;
      table.rows.push_back({numbers.measure, base.system, base.topics, kendall_tau_a(pairs), kendall_tau_b(pairs),
                            pairs.discordant, error_rate(pairs), base.outcome.concordance.value()});
    }
  }
  return table;
}

/// D-MERIT, figures 2 and 8.
StudyTable score_table(const std::vector<PartialNumbers>& measures) {
  StudyTable table{"scores",
                   "Scores of the systems by one label for each topic",
                   {"measure", "selection", "base_system", "system", "score", "rank"},
                   {},
                   "Means over topics, and over the samples of a selection. Compare systems with one base system with "
                   "each other: its topics are those where it retrieves evidence. Its own score is not comparable, "
                   "since it chose the labels. Equal scores share the better rank.",
                   20};
  for (const auto& numbers : measures) {
    const auto add = [&](const std::string& selection, const std::string& base, const std::vector<double>& means) {
      for (std::size_t s = 0; s < means.size(); ++s) {
        const auto better = std::count_if(means.begin(), means.end(),
                                          [&](double mean) { return mean > means[s] + statistics::kEqualScores; });
        table.rows.push_back({numbers.measure, selection, base, numbers.systems[s], means[s], better + 1});
      }
    };
    add("all labels", "", numbers.reference_means);
    for (const auto& row : numbers.selections) {
      if (row.selection != "system-based") add(row.selection, "", row.means);
    }
    for (const auto& base : numbers.base_systems) add("system-based", base.system, base.outcome.means);
  }
  return table;
}

/// D-MERIT, figures 3, 4 and 9.
StudyTable curve_table(const std::vector<PartialNumbers>& measures) {
  StudyTable table{"curves",
                   "Growing shares of the evidence",
                   {"measure", "order", "bucket", "percent", "samples", "tau_a", "tau_a_sd", "tau_b", "tau_b_sd",
                    "error_rate", "concordance"},
                   {},
                   "At 0 % each topic has one label. In a bucket, tau_a is the partial tau.",
                   33};
  for (const auto& numbers : measures) {
    for (const auto& curve : numbers.curves) {
      for (std::size_t f = 0; f < curve.at.size(); ++f) {
        const auto& s = curve.at[f];
        const double percent = 100 * numbers.fractions[f];
        table.rows.push_back({numbers.measure, curve.order, "all", percent, curve.samples, s.tau_a.mean,
                              s.tau_a.deviation, s.tau_b.mean, s.tau_b.deviation, s.error_rate.mean,
                              s.concordance.mean});
        for (const auto& bucket : s.buckets) {
          table.rows.push_back({numbers.measure, curve.order, bucket_words(bucket), percent, curve.samples,
                                bucket.partial_tau.mean, bucket.partial_tau.deviation, std::nan(""), std::nan(""),
                                bucket.error_rate.mean, bucket.concordance.mean});
        }
      }
    }
  }
  return table;
}

ChartPoint point(double x, const Spread& spread) {
  if (!std::isfinite(spread.deviation)) return {x, spread.mean};
  return {x, spread.mean, std::max(-1.0, spread.mean - spread.deviation),
          std::min(1.0, spread.mean + spread.deviation)};
}

std::string file_name(const std::string& start, const std::string& measure) {
  std::string name = start + "-" + measure;
  for (auto& c : name) {
    const bool is_plain = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-';
    if (!is_plain) c = '_';
  }
  return name;
}

Chart selection_chart(const PartialNumbers& numbers) {
  Chart chart{file_name("selections", numbers.measure),
              "One label for each topic, " + numbers.measure,
              "Kendall's tau_b between the ranking of systems by one label for each topic and by all labels. Bars: one "
              "standard deviation over random selections, or over base systems.",
              "selection",
              "tau_b",
              {{numbers.measure, {}, false}}};
  for (std::size_t i = 0; i < numbers.selections.size(); ++i) {
    chart.categories.push_back(numbers.selections[i].selection);
    chart.series[0].points.push_back(point(static_cast<double>(i), numbers.selections[i].spread.tau_b));
  }
  return chart;
}

Chart fraction_chart(const PartialNumbers& numbers) {
  Chart chart{file_name("fractions", numbers.measure),
              "Growing shares of the evidence, " + numbers.measure,
              "Kendall's tau_b between the ranking by a share of the evidence and by all of it. Bands: one standard "
              "deviation over random orders, or over base systems.",
              "labelled evidence (%)",
              "tau_b",
              {}};
  for (const auto& curve : numbers.curves) {
    ChartSeries series{curve.order, {}};
    for (std::size_t f = 0; f < curve.at.size(); ++f)
      series.points.push_back(point(100 * numbers.fractions[f], curve.at[f].tau_b));
    chart.series.push_back(std::move(series));
  }
  return chart;
}

/// D-MERIT, figure 3.
Chart bucket_chart(const PartialNumbers& numbers, const Curve& curve) {
  Chart chart{file_name("buckets-" + curve.order, numbers.measure),
              fmt::format("How far systems are apart, {}, {} order", numbers.measure, curve.order),
              "Partial tau by the p-value of the paired t test on all labels. Bands: one standard deviation.",
              "labelled evidence (%)",
              "partial tau",
              {}};
  for (std::size_t b = 0; b < agreement::kPairBuckets; ++b) {
    const auto& bucket = curve.at.front().buckets[b];
    ChartSeries series{fmt::format("{} (pairs: {})", bucket_words(bucket), pairs_words(bucket)), {}};
    for (std::size_t f = 0; f < curve.at.size(); ++f)
      series.points.push_back(point(100 * numbers.fractions[f], curve.at[f].buckets[b].partial_tau));
    chart.series.push_back(std::move(series));
  }
  return chart;
}

void write_outcome(JsonWriter& json, const OutcomeSpread& spread) {
  json.field("kendall_tau_a", spread.tau_a.mean).field("kendall_tau_b", spread.tau_b.mean);
  json.field("discordant", spread.discordant.mean).field("error_rate", spread.error_rate.mean);
  json.field("concordance", spread.concordance.mean);
  if (spread.tau_b.count > 1) {
    json.field("kendall_tau_a_sd", spread.tau_a.deviation).field("kendall_tau_b_sd", spread.tau_b.deviation);
    json.field("kendall_tau_b_min", spread.tau_b.lowest).field("kendall_tau_b_max", spread.tau_b.highest);
    json.field("error_rate_sd", spread.error_rate.deviation);
  }
  json.key("buckets").begin_array();
  for (const auto& bucket : spread.buckets) {
    json.begin_object().field("p_min", bucket.p_min).field("p_max", bucket.p_max);
    std::visit([&](const auto& pairs) { json.field("pairs", pairs); }, bucket_pairs(bucket));
    json.field("discordant", bucket.discordant.mean).field("partial_tau", bucket.partial_tau.mean);
    if (bucket.partial_tau.count > 1) json.field("partial_tau_sd", bucket.partial_tau.deviation);
    json.field("error_rate", bucket.error_rate.mean).field("concordance", bucket.concordance.mean).end_object();
  }
  json.end_array();
}

void write_fields(JsonWriter& json, const std::vector<PartialNumbers>& measures) {
  json.field("relevant", measures.front().relevant).field("topics", measures.front().topics);
  json.key("selections").begin_array();
  for (const auto& numbers : measures) {
    for (const auto& row : numbers.selections) {
      json.begin_object().field("measure", numbers.measure).field("selection", row.selection);
      json.field("samples", row.samples);
      write_outcome(json, row.spread);
      json.end_object();
    }
  }
  json.end_array().key("base_systems").begin_array();
  for (const auto& numbers : measures) {
    for (const auto& base : numbers.base_systems) {
      json.begin_object().field("measure", numbers.measure).field("system", base.system).field("topics", base.topics);
      json.field("kendall_tau_a", kendall_tau_a(base.outcome.pairs));
      json.field("kendall_tau_b", kendall_tau_b(base.outcome.pairs));
      json.field("discordant", base.outcome.pairs.discordant).field("error_rate", error_rate(base.outcome.pairs));
      json.field("concordance", base.outcome.concordance.value()).end_object();
    }
  }
  json.end_array().key("curves").begin_array();
  for (const auto& numbers : measures) {
    for (const auto& curve : numbers.curves) {
      json.begin_object().field("measure", numbers.measure).field("order", curve.order);
      json.field("samples", curve.samples).key("points").begin_array();
      for (std::size_t f = 0; f < curve.at.size(); ++f) {
        json.begin_object().field("fraction", numbers.fractions[f]);
        write_outcome(json, curve.at[f]);
        json.end_object();
      }
      json.end_array().end_object();
    }
  }
  json.end_array();
}

}  // namespace

void add_partial_output(StudyOutput& output, const std::vector<PartialNumbers>& measures) {
  output.title = "What partial labels would change";
  output.question =
      "Would these systems rank alike if only part of the evidence was labelled? All labels of the qrels are the "
      "reference.";
  output.findings = partial_findings(measures);
  output.tables = {selection_table(measures), bucket_table(measures)};
  if (!measures.front().base_systems.empty()) output.tables.push_back(base_table(measures));
  output.tables.push_back(score_table(measures));
  if (!measures.front().curves.empty()) output.tables.push_back(curve_table(measures));
  for (const auto& numbers : measures) {
    output.charts.push_back(selection_chart(numbers));
    if (numbers.curves.empty()) continue;
    output.charts.push_back(fraction_chart(numbers));
    for (const auto& curve : numbers.curves) {
      if (curve.order == "random" || curve.order == "system-based")
        output.charts.push_back(bucket_chart(numbers, curve));
    }
  }
  output.write_fields = [measures](JsonWriter& json) { write_fields(json, measures); };
}

}  // namespace touchstone::analysis::studies::partial
