#include "collection/evidence/report/overview.hpp"

#include "collection/evidence/descriptions.hpp"
#include "collection/release/report/charts.hpp"
#include "collection/release/report/shown_text.hpp"
#include "collection/release/report/tables.hpp"
#include "common/json_tree.hpp"
#include "common/number_text.hpp"
#include "formats/fields/one_line.hpp"
#include "formats/svg/histogram.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace touchstone::collection::evidence::report::internal {

using namespace release::report;
namespace {

using formats::svg::Column;
using formats::svg::svg_histogram;

constexpr std::size_t kCauseCodePoints = 200;

Html tile(const Html& value, const Html& name, const Html& remark) {
  return element("div", {{"class", "tile"}}, element("dt", {}, name),
                 element("dd", {}, element("b", {}, value), element("span", {}, remark)));
}

Html compared_with_paper(const Html& name, const std::string& ours, const std::string& paper) {
  return element("tr", {}, row_head(name), number_cell(ours), element("td", {{"class", "n paper"}}, paper));
}

std::string range_text(std::uint64_t min, std::uint64_t max) {
  return with_commas(min) + " to " + with_commas(max);
}

/// Content that is shown when its summary is clicked.
Html folded(const Html& summary, const Html& content) {
  return element("details", {{"class", "more"}}, element("summary", {}, summary), content);
}

std::string joined(const std::vector<std::string>& texts) {
  return fmt::format("{}", fmt::join(texts, ", "));
}

}  // namespace

Html tiles(const CollectionNumbers& numbers) {
  return tile(with_commas(numbers.topics), "topics", "queries of the collection") +
         tile(with_commas(numbers.members), "members", with_commas(numbers.distinct_members) + " distinct articles") +
         tile(with_commas(numbers.passages), "passages", "in the corpus") +
         tile(with_commas(numbers.evidence), "evidence", "of " + with_commas(numbers.qrels) + " in the qrels") +
         tile(fixed_digits(numbers.evidence_mean, 2), "evidence per topic",
              "mean; median " + at_most_digits(numbers.evidence_median, 1)) +
         tile(percent(numbers.outside_own_article), "outside own article",
              "of evidence is not from an article of a member");
}

Html paper_table(const CollectionNumbers& numbers) {
  const Html rows =
      compared_with_paper("topics", with_commas(numbers.topics), "1,196") +
      compared_with_paper("members per topic, mean", fixed_digits(numbers.members_mean, 2), "23.71") +
      compared_with_paper("members per topic, median", at_most_digits(numbers.members_median, 1), "–") +
      compared_with_paper("members per topic, range", range_text(numbers.members_min, numbers.members_max), "–") +
      compared_with_paper("evidence", with_commas(numbers.evidence), "60,333") +
      compared_with_paper("evidence per topic, mean", fixed_digits(numbers.evidence_mean, 2), "50.44") +
      compared_with_paper("evidence per topic, median", at_most_digits(numbers.evidence_median, 1), "22") +
      compared_with_paper("evidence per topic, range", range_text(numbers.evidence_min, numbers.evidence_max),
                          "5 to 682") +
      compared_with_paper("evidence outside the members' own articles", percent(numbers.outside_own_article), "61.8 %");
  return element("table", {}, table_head({{"number"}, {"this collection", "n"}, {"the paper", "n paper"}}),
                 element("tbody", {}, rows)) +
         note("The paper is D-MERIT, section 2.6. It built its collection from the English Wikipedia of July 2023.");
}

Html judgment_counts(const ReportData& data) {
  const CollectionNumbers& numbers = data.manifest.numbers;
  const double judgments = static_cast<double>(std::max<std::uint64_t>(numbers.judgments, 1));
  const auto row = [&](const Html& name, std::uint64_t count) {
    return element("tr", {}, row_head(name), number_cell(count),
                   number_cell(percent(static_cast<double>(count) / judgments)));
  };
  const Html rows = row("yes", numbers.judged_yes) + row("no", numbers.judged_no) + row("unsure", numbers.unsure) +
                    row("failed", numbers.unjudged - numbers.unsure);
  Html out =
      element("table", {}, table_head({{"judgments of (topic, member, passage)"}, {"count", "n"}, {"share", "n"}}),
              element("tbody", {}, rows));
  if (data.without_probability > 0) {
    out += note(with_commas(data.without_probability) + " judgments have no probability and are not in the chart.");
  }
  return out;
}

Html facts(const ReportData& data) {
  const CollectionInfo& info = data.manifest.info;
  Html out;
  const auto fact = [&](const Html& name, std::string_view value) {
    if (!formats::fields::is_blank(value))
      out += element("dt", {}, name) + element("dd", {{"dir", "auto"}}, shown(value));
  };
  fact("collection", info.name);
  fact("wiki",
       info.site_name.empty() || info.site_name == info.wiki ? info.wiki : info.site_name + " (" + info.wiki + ")");
  fact("address", info.base_url);
  fact("language", info.language);
  fact("dump", joined(info.dump_names));
  fact("newest revision", info.dump_date);
  fact("corpus", info.corpus_scope);
  fact("reading of lists", info.mode);
  fact("judge", info.judge);
  if (data.judges.size() > 1 || (data.judges.size() == 1 && data.judges.front() != info.judge)) {
    fact("judges found in the judgments", joined(data.judges));
  }
  fact("licence of the texts", info.license);
  fact("made by", "touchstone " + info.program_version);
  return element("dl", {{"class", "facts"}}, out);
}

Html source_section(const CollectionNumbers& numbers) {
  if (numbers.by_source.empty()) return {};
  Html rows;
  for (const auto& source : numbers.by_source) {
    rows +=
        element("tr", {}, row_head(std::string(to_string(source.source))),
                element("td", {}, std::string(source_meaning(source.source))), number_cell(source.candidates),
                number_cell(source.judged), number_cell(source.evidence), number_cell(percent(source.evidence_share)));
  }
  const Html table = element(
      "table", {{"class", "list"}},
      table_head(
          {{"source"}, {"the passage"}, {"candidates", "n"}, {"judged", "n"}, {"evidence", "n"}, {"share", "n"}}),
      element("tbody", {}, rows));
  return element("section", {{"aria-labelledby", "sources"}},
                 element("h2", {{"id", "sources"}}, "Where candidates come from"),
                 element("div", {{"class", "card"}}, element("div", {{"class", "scroll"}}, table),
                         note("A candidate is a passage proposed for a member of a topic. One that several sources "
                              "propose counts for the first of them.")));
}

Html history_section(const CollectionNumbers& numbers) {
  if (numbers.history.empty()) return {};
  Html rows;
  for (const auto& kind : numbers.history)
    rows += element("tr", {}, row_head(kind.state), element("td", {}, kind.reason), number_cell(kind.labels));
  const Html table = element("table", {{"class", "list"}}, table_head({{"state"}, {"reason"}, {"judgments", "n"}}),
                             element("tbody", {}, rows));
  return element(
      "section", {{"aria-labelledby", "history"}},
      element("h2", {{"id", "history"}}, "What became of the labels of the dump before"),
      element("div", {{"class", "card"}}, element("div", {{"class", "scroll"}}, table),
              note("Carried: the same question was asked there. Kept: the passage was edited, but no sentence "
                   "that the judge marked. gone.jsonl lists those that are gone, and docs/collection.md "
                   "says what each reason means.")));
}

Html build_details(const CollectionInfo& info) {
  if (info.manifest_json.empty() || info.manifest_json == "{}") return {};
  const auto json = parse_json_or_discard(info.manifest_json);
  if (json.is_discarded()) return {};
  return folded("Configuration, counts and digests of the build",
                element("pre", {}, json_text(json, {.indent = 2}) + "\n"));
}

Html topics_lead(const ReportData& data) {
  return element("p", {{"class", "lead"}},
                 fmt::format("{} from {}. Each leads to its members, its evidence with the places that were judged, "
                             "and the passages that are no evidence.",
                             counted(data.topics.size(), "topic"), counted(data.lists.size(), "list")));
}

Html left_out_table(const std::map<std::string, std::uint64_t>& counts,
                    const std::map<std::string, std::string>& places, std::string_view folder) {
  if (counts.empty()) return empty_note("Nothing was left out.");
  std::vector<std::pair<std::string, std::uint64_t>> sorted(counts.begin(), counts.end());
  std::stable_sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
  std::vector<BarRow> rows;
  for (const auto& [reason, count] : sorted) {
    const auto place = places.find(reason);
    const Html name = element("bdi", {}, shown_excerpt(reason, kCauseCodePoints));
    rows.push_back({place == places.end() ? name : element("a", {{"href", std::string(folder) + place->second}}, name),
                    {},
                    count});
  }
  return bar_rows_table({"reason", "count"}, rows);
}

Html bucket_table(const evidence::CollectionNumbers& numbers) {
  if (numbers.buckets.empty()) return empty_note("No topics.");
  double max = 0;
  for (const auto& bucket : numbers.buckets) max = std::max(max, bucket.evidence_mean);
  Html rows;
  for (const auto& bucket : numbers.buckets) {
    rows += element("tr", {}, row_head(bucket.label), number_cell(bucket.topics), number_cell(bucket.members),
                    number_cell(bucket.evidence),
                    bar_cell(max > 0 ? bucket.evidence_mean / max : 0, fixed_digits(bucket.evidence_mean, 2)));
  }
  return bar_table(
      {{"members"}, {"topics", "n"}, {"members in all", "n"}, {"evidence", "n"}, {"evidence per topic (mean)", "wide"}},
      rows);
}

Html evidence_histogram(const std::vector<std::uint64_t>& evidence_per_topic) {
  std::map<std::uint64_t, std::uint64_t> topics;
  for (const auto evidence : evidence_per_topic) ++topics[evidence];
  return count_histogram(topics, {"evidence passages", "topics"});
}

Html probability_histogram(const std::array<std::array<std::uint64_t, 2>, kProbabilityBins>& probabilities) {
  std::vector<Column> columns;
  std::uint64_t total = 0;
  for (std::size_t i = 0; i < probabilities.size(); ++i) {
    const auto [no, yes] = probabilities[i];
    const double from = static_cast<double>(i) / static_cast<double>(kProbabilityBins);
    const double to = static_cast<double>(i + 1) / static_cast<double>(kProbabilityBins);
    total += no + yes;
    columns.push_back({i % 2 == 0 ? (i == 0 ? "0" : fixed_digits(from, 1)) : "",
                       fmt::format("{} to {}: {} no, {} yes", fixed_digits(from, 2), fixed_digits(to, 2),
                                   with_commas(no), with_commas(yes)),
                       {no, yes}});
  }
  if (total == 0) return empty_note("No judgment has a probability.");
  return svg_histogram(
      columns, {"Histogram: judgments by the judge's probability of yes", "probability of yes", "judgments"}, true);
}

}  // namespace touchstone::collection::evidence::report::internal
