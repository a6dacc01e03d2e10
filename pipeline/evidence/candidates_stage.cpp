#include "common/files.hpp"
#include "pipeline/corpus/docids.hpp"
#include "pipeline/corpus/passage_survey.hpp"
#include "pipeline/corpus/passages.hpp"
#include "pipeline/corpus/title_index.hpp"
#include "pipeline/corpus/wiki_options.hpp"
#include "pipeline/evidence/candidate_search.hpp"
#include "pipeline/evidence/evidence_records.hpp"
#include "pipeline/evidence/stages.hpp"
#include "storage/meta_keys.hpp"

#include <algorithm>
#include <memory>
#include <vector>

#include <oneapi/tbb/parallel_pipeline.h>
#include <oneapi/tbb/task_arena.h>

namespace touchstone::pipeline::evidence {
namespace {

using corpus::PassageComposer;
using corpus::TitleIndex;
using flow::StageContext;
using flow::StageReport;
using storage::Family;

/// Which passages become candidates.
struct CandidatesOptions {
  bool own_article = true;
  bool list_page = false;
  std::int64_t max_per_member = 0;

  static std::vector<Option<CandidatesOptions>> options() {
    using C = CandidatesOptions;
    return {
        {"candidates.own_article", &C::own_article, "Include a member's own passages in its candidates."},
        {"candidates.list_page", &C::list_page,
         "Include passages of the list page itself in the candidates of its topic."},
        {"candidates.max_per_member", &C::max_per_member, between(0, 1e9),
         "Highest number of candidates for each member, in order of docid. 0: no limit."},
    };
  }
};

constexpr std::size_t kSortMemoryBytes = std::size_t{32} << 20;  ///< of each of the two sorts
constexpr std::size_t kPagesPerBatch = 64;
constexpr std::size_t kBatches = 8;  ///< in memory at once

/// Surveys all passages, goes over the pages that link to members, each once for all members and topics, and sorts what
/// it finds by topic.
class CandidatesStage : public flow::Stage {
 public:
  StageReport run(StageContext& context) override {
    const auto groups = read_groups(context.input(kGroupsFile));
    std::vector<const Group*> topics;
    for (const auto& group : groups) {
      if (group.kept()) topics.push_back(&group);
    }
    // By topic id: the order of all files of the collection.
    std::sort(topics.begin(), topics.end(), [](const auto* a, const auto* b) { return a->topic < b->topic; });
    StageReport report;
    const TitleIndex titles(context.store);
    const auto wiki = wiki_name(context.options<corpus::NameOptions>(), titles.site());
    const auto& passages = context.options<corpus::PassagesOptions>();
    const PassageComposer composer(context.store, passages, wiki,
                                   corpus::survey_passages(context, passages, wiki, report));
    const auto& options = context.options<CandidatesOptions>();
    CandidateSorter candidates(topics, context.scratch(), kSortMemoryBytes, options.list_page);
    SourceVisits visits(context.scratch(), kSortMemoryBytes);
    for (const PageId member : candidates.members()) {
      context.stop.check();
      visits.add_member(context.store, member, options.own_article);
    }
    context.progress.done = 0;
    context.progress.total = visits.finish();
    search(context, composer, visits, candidates);
    candidates.finish();
    write(context, topics.size(), candidates, report);
    return report;
  }

 private:
  using Batch = std::vector<SourceVisit>;
  struct Found {
    std::vector<FoundCandidate> candidates;
    std::uint64_t places = 0;
  };

  static void search(StageContext& context, const PassageComposer& composer, SourceVisits& visits,
                     CandidateSorter& candidates) {
    bool stopped = false;
    const auto read = [&](tbb::flow_control& control) {
      Batch batch;
      stopped = context.stop.requested();
      while (!stopped && batch.size() < kPagesPerBatch) {
        auto visit = visits.next();
        if (!visit) break;
        batch.push_back(std::move(*visit));
      }
      if (batch.empty()) control.stop();
      return batch;
    };
    const auto find = [&](const Batch& batch) {
      Found found;
      for (const auto& visit : batch) {
        auto here = find_candidates(context.store, composer, visit);
        std::move(here.begin(), here.end(), std::back_inserter(found.candidates));
        found.places += visit.places.size();
      }
      return found;
    };
    const auto collect = [&](const Found& found) {
      for (const auto& candidate : found.candidates) candidates.add(candidate);
      context.progress.records += found.candidates.size();
      context.progress.done += found.places;
    };
    tbb::task_arena arena(context.threads);
    arena.execute([&] {
      tbb::parallel_pipeline(kBatches, tbb::make_filter<void, Batch>(tbb::filter_mode::serial_in_order, read) &
                                           tbb::make_filter<Batch, Found>(tbb::filter_mode::parallel, find) &
                                           tbb::make_filter<Found, void>(tbb::filter_mode::serial_in_order, collect));
    });
    if (stopped) context.stop.check();
  }

  static void write(StageContext& context, std::size_t topics, CandidateSorter& candidates, StageReport& report) {
    const auto most = static_cast<std::size_t>(context.options<CandidatesOptions>().max_per_member);
    report.counts["topics"] = topics;
    if (candidates.on_list_page() > 0)
      report.counts["candidates left out on their list page"] = candidates.on_list_page();
    TextWriter out(context.output(kCandidatesFile));
    while (auto topic = candidates.next_topic()) {
      for (auto& member : topic->members) {
        if (most > 0 && member.passages.size() > most) member.passages.resize(most);
        report.counts["candidates"] += member.passages.size();
        ++report.counts["members"];
        if (member.passages.empty()) ++report.counts["members without candidate"];
      }
      out.write(to_line(*topic));
    }
    kill_point("candidates.before_finish");
    out.finish();
  }
};

}  // namespace

flow::StageInfo candidates_stage() {
  return {
      .name = "candidates",
      .summary = "Gather passages that link to each member",
      .format_version = 2,
      .inputs = {flow::file(kGroupsFile), flow::meta(storage::kMetaSite), flow::family(Family::kPage),
                 flow::family(Family::kOutline), flow::family(Family::kParagraph), flow::family(Family::kBacklink),
                 flow::family(Family::kLinkTarget)},
      .outputs = {flow::file(kCandidatesFile), flow::file(corpus::kBoilerplateFile), flow::file(corpus::kCopiesFile)},
      .options = {flow::reads<corpus::NameOptions>(), flow::reads<corpus::PassagesOptions>(),
                  flow::reads<CandidatesOptions>()},
      .progress_unit = "links",
      .progress_records = "candidates",
      .make = flow::make_stage<CandidatesStage>};
}

}  // namespace touchstone::pipeline::evidence
