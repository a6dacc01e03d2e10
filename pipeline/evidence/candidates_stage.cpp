#include "common/files.hpp"
#include "pipeline/corpus/docids.hpp"
#include "pipeline/corpus/page_walk.hpp"
#include "pipeline/corpus/passage_survey.hpp"
#include "pipeline/corpus/passages.hpp"
#include "pipeline/corpus/title_index.hpp"
#include "pipeline/corpus/wiki_options.hpp"
#include "pipeline/evidence/candidate_limits.hpp"
#include "pipeline/evidence/candidate_options.hpp"
#include "pipeline/evidence/candidate_search.hpp"
#include "pipeline/evidence/candidate_sorter.hpp"
#include "pipeline/evidence/evidence_records.hpp"
#include "pipeline/evidence/mentions/anchor_census.hpp"
#include "pipeline/evidence/mentions/member_names.hpp"
#include "pipeline/evidence/mentions/mention_search.hpp"
#include "pipeline/evidence/stages.hpp"
#include "pipeline/flow/work_files.hpp"
#include "storage/keys.hpp"
#include "storage/meta_keys.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <oneapi/tbb/parallel_pipeline.h>
#include <oneapi/tbb/task_arena.h>

namespace touchstone::pipeline::evidence {
namespace {

using corpus::PassageComposer;
using corpus::TitleIndex;
using flow::StageReport;
using flow::WriteContext;
using storage::Family;

constexpr std::size_t kSortMemoryBytes = std::size_t{32} << 20;  ///< of each of the two sorts
constexpr std::size_t kPagesPerBatch = 64;
constexpr std::size_t kBatches = 8;  ///< in memory at once

/// The pages to visit, ascending: those that link to members, or every page.
class VisitWalk {
 public:
  VisitWalk(const storage::Store& store, SourceVisits& visits, bool every_page)
      : visits_(visits), pending_(visits.next()) {
    if (every_page) pages_.emplace(store.cursor(Family::kPage));
  }

  std::optional<SourceVisit> next() {
    const auto page = pages_ && pages_->valid() ? storage::read_page_key(pages_->key()) : std::nullopt;
    if (!page || (pending_ && pending_->source < *page)) return std::exchange(pending_, visits_.next());
    pages_->next();
    if (pending_ && pending_->source == *page) return std::exchange(pending_, visits_.next());
    return SourceVisit{*page, {}};
  }

 private:
  SourceVisits& visits_;
  std::optional<SourceVisit> pending_;
  std::optional<storage::Cursor> pages_;
};

/// Surveys all passages, goes over the pages that link to members, or over all where names are looked for, each once
/// for all members and topics, and sorts what it finds by topic.
class CandidatesStage : public flow::Stage {
 public:
  StageReport merge(WriteContext& context, const flow::Parts& /*parts*/) override {
    const auto groups = read_groups(context.input(kGroupsFile));
    std::vector<const Group*> topics;
    for (const auto& group : groups) {
      if (group.kept()) topics.push_back(&group);
    }
    // By topic id: the order of all files of the collection.
    std::sort(topics.begin(), topics.end(), [](const auto* a, const auto* b) { return a->topic < b->topic; });
    StageReport report;
    const TitleIndex titles(context.store, context.options<corpus::TextOptions>());
    const auto wiki = wiki_name(context.options<corpus::NameOptions>(), titles.site());
    const auto& passages = context.options<corpus::PassagesOptions>();
    const PassageComposer composer(context.store, passages, wiki,
                                   corpus::survey_passages(context, passages, wiki, report));
    const auto& options = context.options<CandidatesOptions>();
    CandidateSorter candidates(topics, context.scratch(), kSortMemoryBytes,
                               {options.list_page, static_cast<std::uint32_t>(options.max_added_per_member)});
    const auto members = candidates.members();
    const auto mentions = search_for_names(context, titles, members, report);
    const bool by_page = options.uses(CandidateSource::kPage);
    const CandidateSearch search{options.uses(CandidateSource::kLink), by_page, mentions ? &*mentions : nullptr};
    SourceVisits visits(context.scratch(), kSortMemoryBytes);
    for (const PageId member : members) {
      context.stop.check();
      visits.add_member(context.store, member, {options.own_article, search.links || by_page, by_page});
    }
    context.progress.done = 0;
    context.progress.total = visits.finish();
    VisitWalk walk(context.store, visits, mentions.has_value());
    search_pages(context, composer, search, walk, candidates);
    write(context, topics.size(), candidates, report);
    return report;
  }

 private:
  using Batch = std::vector<SourceVisit>;
  struct Found {
    std::vector<FoundOnPage> pages;
    std::uint64_t places = 0;
  };

  /// Nothing where names are not looked for.
  static std::optional<mentions::MentionSearch> search_for_names(WriteContext& context, const TitleIndex& titles,
                                                                 const std::vector<PageId>& members,
                                                                 StageReport& report) {
    if (!context.options<CandidatesOptions>().uses(CandidateSource::kMention)) return std::nullopt;
    auto names = mentions::MemberNames::collect(context.store, titles, members, titles.site().language, context.stop);
    leave_out_linked_elsewhere(context, names);
    const auto& counts = names.counts;
    report.counts["names of members searched for"] = counts.names;
    report.counts["longer titles that hold a name"] = counts.longer_titles;
    report.counts["names left out that name other pages too"] = counts.ambiguous;
    report.counts["names left out that are the text of links elsewhere"] = counts.linked_elsewhere;
    report.counts["names left out that are too short"] = counts.too_short;
    report.counts["names left out that are function words"] = counts.common;
    if (counts.beyond_limit > 0) {
      report.counts["names left out for want of memory"] = counts.beyond_limit;
      report.warnings.push_back(std::to_string(counts.beyond_limit) +
                                " names and longer titles did not fit into the memory for names, so mentions are "
                                "missing or part of longer names; build fewer topics at once");
    }
    return std::optional<mentions::MentionSearch>(std::in_place, std::move(names), titles.site().language);
  }

  static void leave_out_linked_elsewhere(WriteContext& context, mentions::MemberNames& names) {
    mentions::AnchorCensus census(names);
    using Uses = std::vector<mentions::AnchorCensus::Use>;
    corpus::walk_pages<Uses>(
        context, [&](PageId page, const storage::PageRecord&) { return census.uses(context.store, page); },
        [&](const Uses& uses) { census.add(uses); });
    census.leave_out_ambiguous(names);
  }

  static void search_pages(WriteContext& context, const PassageComposer& composer, const CandidateSearch& search,
                           VisitWalk& walk, CandidateSorter& candidates) {
    bool stopped = false;
    const auto read = [&](tbb::flow_control& control) {
      Batch batch;
      stopped = context.stop.requested();
      while (!stopped && batch.size() < kPagesPerBatch) {
        auto visit = walk.next();
        if (!visit) break;
        batch.push_back(std::move(*visit));
      }
      if (batch.empty()) control.stop();
      return batch;
    };
    const auto find = [&](const Batch& batch) {
      Found found;
      for (const auto& visit : batch) {
        found.pages.push_back(find_candidates(context.store, composer, search, visit));
        found.places += visit.places.size();
      }
      return found;
    };
    const auto collect = [&](const Found& found) {
      for (const auto& page : found.pages) {
        candidates.add(page);
        context.progress.records += page.candidates.size();
      }
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

  static void write(WriteContext& context, std::size_t topics, CandidateSorter& candidates, StageReport& report) {
    const auto& options = context.options<CandidatesOptions>();
    report.counts["topics"] = topics;
    if (candidates.on_list_page() > 0)
      report.counts["candidates left out on their list page"] = candidates.on_list_page();
    CandidateCuts cuts;
    std::map<CandidateSource, std::uint64_t> by_source;
    TextWriter out(context.output(kCandidatesFile));
    while (auto topic = candidates.next_topic()) {
      limit_candidates(*topic, options, cuts);
      for (auto& member : topic->members) {
        report.counts["candidates"] += member.passages.size();
        ++report.counts["members"];
        if (member.passages.empty()) ++report.counts["members without candidate"];
        for (const auto& passage : member.passages) ++by_source[passage.source];
      }
      out.write(to_line(*topic));
    }
    if (options.uses(CandidateSource::kMention) || options.uses(CandidateSource::kPage)) {
      for (const auto& [source, name] : kCandidateSources)
        report.counts["candidates from source " + std::string(name)] = by_source[source];
    }
    const auto count_cut = [&](const char* option, std::uint64_t count) {
      if (count > 0) report.counts["candidates beyond " + std::string(option)] = count;
    };
    count_cut("candidates.max_per_member", cuts.of_members);
    count_cut("candidates.max_added_per_member", candidates.beyond_limit() + cuts.added_to_members);
    count_cut("candidates.max_added_per_topic", cuts.added_to_topics);
    kill_point("candidates.before_finish");
    out.finish();
  }
};

}  // namespace

flow::StageInfo candidates_stage() {
  return {.name = "candidates",
          .summary = "Gather passages that may speak of each member",
          .format_version = 10,
          .inputs = {flow::file(kGroupsFile), flow::meta(storage::kMetaSite), flow::family(Family::kPage),
                     flow::family(Family::kTitle), flow::family(Family::kOutline), flow::family(Family::kParagraph),
                     flow::family(Family::kBacklink), flow::family(Family::kAlias), flow::family(Family::kLinkTarget)},
          .outputs = {flow::file(kCandidatesFile), flow::file(kBoilerplateFile), flow::file(kCopiesFile)},
          .options = {flow::reads<corpus::NameOptions>(), flow::inherits<corpus::TextOptions>(),
                      flow::reads<corpus::PassagesOptions>(), flow::reads<CandidatesOptions>()},
          .progress_unit = "links",
          .progress_records = "candidates",
          .make = flow::make_stage<CandidatesStage>};
}

}  // namespace touchstone::pipeline::evidence
