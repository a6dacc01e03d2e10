#include "collection/report/overview.hpp"

#include "collection/report/tables.hpp"
#include "collection/section_path.hpp"
#include "common/json_tree.hpp"
#include "common/number_text.hpp"
#include "formats/fields/one_line.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace touchstone::collection::report::internal {
namespace {

Html tile(const Html& value, const Html& name, const Html& remark) {
  return element("div", {{"class", "tile"}}, element("dt", {}, name),
                 element("dd", {}, element("b", {}, value), element("span", {}, remark)));
}

Html spread_row(const Html& name, double mean, double median, std::uint64_t min, std::uint64_t max) {
  return element("tr", {}, row_head(name), number_cell(fixed_digits(mean, 2)), number_cell(at_most_digits(median, 1)),
                 number_cell(min), number_cell(max));
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

Html spreads(const CollectionNumbers& numbers) {
  const Html rows =
      spread_row("members", numbers.members_mean, numbers.members_median, numbers.members_min, numbers.members_max) +
      spread_row("evidence", numbers.evidence_mean, numbers.evidence_median, numbers.evidence_min,
                 numbers.evidence_max);
  return element("table", {}, table_head({{"per topic"}, {"mean", "n"}, {"median", "n"}, {"min", "n"}, {"max", "n"}}),
                 element("tbody", {}, rows));
}

Html judgment_counts(const ReportData& data) {
  const CollectionNumbers& numbers = data.manifest.numbers;
  const double judgments = static_cast<double>(std::max<std::uint64_t>(numbers.judgments, 1));
  const auto row = [&](const Html& name, std::uint64_t count) {
    return element("tr", {}, row_head(name), number_cell(count),
                   number_cell(percent(static_cast<double>(count) / judgments)));
  };
  const Html rows =
      row("yes", numbers.judged_yes) + row("no", numbers.judged_no) + row("without a grade", numbers.unjudged);
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
    if (!formats::fields::is_blank(value)) out += element("dt", {}, name) + element("dd", {{"dir", "auto"}}, value);
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

Html build_details(const CollectionInfo& info) {
  if (info.manifest_json.empty() || info.manifest_json == "{}") return {};
  const auto json = parse_json_or_discard(info.manifest_json);
  if (json.is_discarded()) return {};
  return folded("Configuration, counts and digests of the build",
                element("pre", {}, json_text(json, {.indent = 2}) + "\n"));
}

Html discarded_list(const ReportData& data) {
  if (data.discarded.empty()) return {};
  Html rows;
  for (const auto& record : data.discarded) {
    Html cells;
    for (const auto& value :
         {record.kind, record.page, join_path(record.section_path), record.column, record.reason, record.detail}) {
      cells += element("td", {{"dir", "auto"}}, value);
    }
    rows += element("tr", {}, cells);
  }
  const Html table = element("table", {{"class", "list"}},
                             table_head({{"kind"}, {"page"}, {"section"}, {"column"}, {"reason"}, {"detail"}}),
                             element("tbody", {}, rows));
  Html content = element("div", {{"class", "scroll"}}, table);
  if (data.discarded.size() < data.discarded_count) {
    content += note(with_commas(data.discarded_count - data.discarded.size()) + " more are in discarded.tsv.");
  }
  return folded("All that was left out, one by one (" + with_commas(data.discarded_count) + ")", content);
}

}  // namespace touchstone::collection::report::internal
