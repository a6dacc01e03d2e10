#include "collection/descriptions.hpp"
#include "collection/report/assets.hpp"
#include "collection/report/charts.hpp"
#include "collection/report/health_section.hpp"
#include "collection/report/judging_section.hpp"
#include "collection/report/overview.hpp"
#include "collection/report/report.hpp"
#include "collection/report/report_data.hpp"
#include "collection/report/source_section.hpp"
#include "collection/report/topic_list.hpp"
namespace touchstone::collection::report {
namespace {

using formats::html::raw;
using formats::html::script_json;

std::string lead(const CollectionInfo& info) {
  return "Evidence retrieval collection built from " + (info.site_name.empty() ? info.wiki : info.site_name) + ", " +
         (info.dump_date.empty() ? "" : "as of " + info.dump_date.substr(0, 10) + ", ") + "by touchstone " +
         info.program_version + ".";
}

}  // namespace

std::string render_report(const std::filesystem::path& directory, const ReportLimits& limits,
                          std::string_view judging) {
  const internal::ReportData data = internal::read_report_data(directory, limits);
  const CollectionInfo& info = data.manifest.info;
  const CollectionNumbers& numbers = data.manifest.numbers;
  return formats::html::fill(internal::report_asset("report.html"),
                             {{"style", raw(std::string(internal::report_asset("report.css")))},
                              {"script", raw(std::string(internal::report_asset("report.js")))},
                              {"title", info.name},
                              {"lead", lead(info)},
                              {"label-class", info.baseline_judge ? "banner baseline" : "banner"},
                              {"label-title", info.baseline_judge ? "Baseline labels" : "Labels"},
                              {"label-statement", label_statement(info)},
                              {"label-method", label_method(info)},
                              {"tiles", internal::tiles(numbers)},
                              {"spreads", internal::spreads(numbers)},
                              {"judgment-counts", internal::judgment_counts(data)},
                              {"health", internal::health_section(data.manifest.health)},
                              {"sources", internal::source_section(numbers)},
                              {"judging", internal::judging_section(judging)},
                              {"buckets", internal::bucket_table(numbers)},
                              {"evidence-histogram", internal::evidence_histogram(data.evidence_per_topic)},
                              {"probability-histogram", internal::probability_histogram(data.probabilities)},
                              {"discarded", internal::discarded_table(numbers.discarded)},
                              {"discarded-list", internal::discarded_list(data)},
                              {"facts", internal::facts(data)},
                              {"build", internal::build_details(info)},
                              {"left-out", internal::left_out_note(data)},
                              {"topics", internal::topic_list(data)},
                              {"data", script_json(internal::topics_json(data))}});
}

}  // namespace touchstone::collection::report
