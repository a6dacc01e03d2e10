#include "collection/evidence/report/report.hpp"

#include "collection/evidence/descriptions.hpp"
#include "collection/evidence/report/left_out_pages.hpp"
#include "collection/evidence/report/list_index.hpp"
#include "collection/evidence/report/overview.hpp"
#include "collection/evidence/report/report_data.hpp"
#include "collection/evidence/report/topic_pages.hpp"
#include "collection/release/report/assets.hpp"
#include "collection/release/report/charts.hpp"
#include "collection/release/report/health_section.hpp"
#include "collection/release/report/shown_text.hpp"
#include "common/files.hpp"

namespace touchstone::collection::evidence::report {

using namespace release::report;
namespace {

namespace fs = std::filesystem;
using formats::html::element;
using formats::html::Html;
using formats::html::raw;
using formats::html::script_json;

std::string lead(const CollectionInfo& info) {
  return "Evidence retrieval collection built from " + info.title() + ", " +
         (info.dump_date.empty() ? "" : "as of " + info.dump_date.substr(0, 10) + ", ") + "by touchstone " +
         info.program_version + ".";
}

/// What the folder holds, for the first page.
struct Browsing {
  std::string folder;  ///< "report/"
  Html index;
  std::string search_json;
  internal::LeftOutPages left_out;
};

std::string first_page(const internal::ReportData& data, std::string_view judging, const Browsing& browsing) {
  const CollectionInfo& info = data.manifest.info;
  const CollectionNumbers& numbers = data.manifest.numbers;
  return formats::html::fill(
      report_asset("report.html"),
      {{"style", raw(std::string(report_asset("report.css")))},
       {"own-style", raw(std::string(report_asset("browsing.css")))},
       {"script", raw(std::string(report_asset("report.js")))},
       {"title", shown(info.name)},
       {"lead", shown(lead(info))},
       {"label-class", info.baseline_judge ? "banner baseline" : "banner"},
       {"label-title", info.baseline_judge ? "Baseline labels" : "Labels"},
       {"label-statement", shown(label_statement(info))},
       {"label-method", shown(label_method(info))},
       {"tiles", internal::tiles(numbers)},
       {"paper", internal::paper_table(numbers)},
       {"judgment-counts", internal::judgment_counts(data)},
       {"health", health_section(data.manifest.health)},
       {"sources", internal::source_section(numbers) + internal::history_section(numbers)},
       {"judging", internal::audit_section(info) + internal::judging_section(judging)},
       {"buckets", internal::bucket_table(numbers)},
       {"evidence-histogram", internal::evidence_histogram(data.evidence_per_topic)},
       {"probability-histogram", internal::probability_histogram(data.probabilities)},
       {"left-out", internal::left_out_table(numbers.discarded, browsing.left_out.places, browsing.folder)},
       {"facts", internal::facts(data)},
       {"build", internal::build_details(info)},
       {"topics-lead", internal::topics_lead(data)},
       {"searched", data.member_names.empty() ? "query, list, column, id" : "query, list, column, member, id"},
       {"index", data.topics.empty()
                     ? element("p", {{"class", "empty"}},
                               "The collection has no topics. The section below says what was left out and why.")
                     : browsing.index},
       {"folder", element("code", {}, browsing.folder)},
       {"data", script_json(browsing.search_json)}});
}

}  // namespace

ReportNumbers write_report(const fs::path& directory, const fs::path& page, const fs::path& folder,
                           std::string_view judging, const StopFlag& stop, const ReportLimits& limits) {
  const ReportFiles files(page, folder, {"topics", "lists", "left-out"});
  const auto beside = files.place("", 0).folder.parent_path();
  internal::TopicContentsJoin contents(beside.empty() ? "." : beside);
  const auto data = internal::read_report_data(directory, limits, stop, contents);
  const auto place = files.place(data.manifest.info.name, limits.max_file_bytes);
  internal::TopicPages topics(place, data, limits);
  contents.for_each_topic(data.topics.size(), directory / "corpus.jsonl.gz", stop,
                          [&](std::size_t topic, const internal::TopicContents& of) { topics.add(topic, of); });
  topics.finish();
  kill_point("report.topics");

  Browsing browsing;
  browsing.folder = files.link();
  internal::ListIndex index(data, topics.places());
  browsing.index = data.topics.size() <= limits.max_listed_topics ? index.whole(browsing.folder)
                                                                  : index.write_pages(place, browsing.folder);
  browsing.search_json = index.search_json(browsing.folder);
  browsing.left_out = internal::write_left_out(directory, place, data.manifest.numbers.discarded, stop);
  files.finish(first_page(data, judging, browsing), "report.before_finish");
  return {data.topics.size(), data.lists.size(), topics.files() + index.files() + browsing.left_out.files + 1};
}

}  // namespace touchstone::collection::evidence::report
