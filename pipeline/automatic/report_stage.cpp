#include "collection/automatic/report/automatic_report.hpp"
#include "common/files.hpp"
#include "pipeline/automatic/headline.hpp"
#include "pipeline/automatic/selection/automatic_options.hpp"
#include "pipeline/automatic/stages.hpp"
#include "pipeline/corpus/title_index.hpp"
#include "pipeline/flow/stage_files.hpp"
#include "pipeline/flow/work_files.hpp"
#include "pipeline/headings/heading_words.hpp"
#include "storage/meta_keys.hpp"

#include <fmt/format.h>

namespace touchstone::pipeline::automatic {
namespace {

class ReportAutomaticStage : public flow::Stage {
 public:
  flow::StageReport merge(flow::WriteContext& context, const flow::Parts& /*parts*/) override {
    collection::automatic::report::AutomaticReportInput input;
    input.directory = context.input(kAutomaticFolder);
    input.selection_json = read_file(context.input(kSelectionFile));
    input.heading_languages = context.options<selection::AutomaticOptions>().heading_languages;
    input.knows_headings = headings::has_heading_file(
        corpus::TitleIndex(context.store, context.options<corpus::TextOptions>()).site().language);
    const auto numbers = write_automatic_report(input, context.output(kAutomaticReportFile),
                                                context.output(kAutomaticReportFolder), context.stop);
    context.progress.records += numbers.files;
    flow::StageReport report;
    report.counts["files"] = numbers.files;
    report.counts["query pages"] = numbers.topics;
    report.counts["leaks"] = numbers.leaks;
    report.warnings = numbers.warnings;
    return report;
  }
};

std::string headline_with_report(const flow::WorkView& work) {
  return collection_headline(work) +
         fmt::format("report      {}\n", flow::checked_file(work.store, work.paths, kAutomaticReportFile).string());
}

}  // namespace

/// All of it is the merge: pages are of equal size, so that what is on one depends on those before it.
flow::StageInfo report_automatic_stage() {
  return {.name = "report-automatic",
          .summary = "Write automatic-report.html and the pages of the topics",
          .format_version = 2,
          .inputs = {flow::folder(kAutomaticFolder), flow::file(kSelectionFile), flow::meta(storage::kMetaSite)},
          .outputs = {flow::file(kAutomaticReportFile), flow::folder(kAutomaticReportFolder)},
          .options = {flow::inherits<selection::AutomaticOptions>(), flow::inherits<corpus::TextOptions>()},
          .progress_unit = "files",
          .progress_records = "files",
          .make = flow::make_stage<ReportAutomaticStage>,
          .outcome_of_build = headline_with_report};
}

}  // namespace touchstone::pipeline::automatic
