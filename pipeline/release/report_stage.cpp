#include "collection/evidence/manifest.hpp"
#include "collection/evidence/report/report.hpp"
#include "collection/health/health_check.hpp"
#include "common/files.hpp"
#include "pipeline/flow/stage_files.hpp"
#include "pipeline/flow/work_files.hpp"
#include "pipeline/judging/stage/judging_text.hpp"
#include "pipeline/release/stages.hpp"

#include <fmt/format.h>

namespace touchstone::pipeline::release {
namespace {

class ReportStage : public flow::Stage {
 public:
  flow::StageReport merge(flow::WriteContext& context, const flow::Parts& /*parts*/) override {
    const auto numbers = collection::evidence::report::write_report(
        context.input(kCollectionFolder), context.output(kReportFile), context.output(kReportFolder),
        read_file(context.input(kSummaryFile)), context.stop);
    context.progress.records += numbers.files;
    flow::StageReport report;
    report.counts["files"] = numbers.files;
    report.counts["lists"] = numbers.lists;
    report.counts["topics"] = numbers.topics;
    return report;
  }
};

/// Headline numbers of the collection, and where to look.
std::string headline(const flow::WorkView& work) {
  const auto collection = work.paths.file(kCollectionFolder);
  flow::checked_file(work.store, work.paths, kManifestFile);
  const auto summary = collection::evidence::read_manifest(collection);
  const auto& numbers = summary.numbers;
  return fmt::format("{}, labels by {}\n", summary.info.name, summary.info.judge) +
         fmt::format("  topics     {:8}   members  {:8}   passages {:8}\n", numbers.topics, numbers.members,
                     numbers.passages) +
         fmt::format("  judgments  {:8}   evidence {:8}   a topic: mean {:.1f}, median {:g}, {} to {}\n",
                     numbers.judgments, numbers.evidence, numbers.evidence_mean, numbers.evidence_median,
                     numbers.evidence_min, numbers.evidence_max) +
         judging::stage::gold_text(work) + collection::health::health_summary(summary.health) +
         fmt::format("collection  {}\nreport      {}\n", collection.string(), work.paths.file(kReportFile).string());
}

}  // namespace

/// All of it is the merge: pages are of equal size, so that what is on one depends on those before it.
flow::StageInfo report_stage() {
  return {.name = "report",
          .summary = "Write report.html and the pages of the topics",
          .format_version = 4,
          .inputs = {flow::folder(kCollectionFolder), flow::file(kSummaryFile)},
          .outputs = {flow::file(kReportFile), flow::folder(kReportFolder)},
          .progress_unit = "files",
          .progress_records = "files",
          .make = flow::make_stage<ReportStage>,
          .outcome_of_build = headline};
}

}  // namespace touchstone::pipeline::release
