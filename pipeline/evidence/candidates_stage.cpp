#include "common/files.hpp"
#include "common/stop.hpp"
#include "pipeline/corpus/docids.hpp"
#include "pipeline/corpus/page_walk.hpp"
#include "pipeline/corpus/previous_work.hpp"
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
#include "pipeline/evidence/new_passages.hpp"
#include "pipeline/evidence/stages.hpp"
#include "pipeline/flow/work_files.hpp"
#include "pipeline/passages/passage_corpus.hpp"
#include "storage/keys.hpp"
#include "storage/meta_keys.hpp"

#include <algorithm>
#include <filesystem>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include <oneapi/tbb/parallel_for_each.h>
#include <oneapi/tbb/task_arena.h>

namespace touchstone::pipeline::evidence {
namespace {

using corpus::TitleIndex;
using flow::ReadContext;
using flow::StageReport;
using flow::WriteContext;
using storage::Family;

constexpr std::size_t kSortMemoryBytes = std::size_t{32} << 20;  ///< of each of the two sorts

constexpr std::string_view kFoundPart = "found";
constexpr std::string_view kNamesPart = "names";

/// The groups that are topics, by topic id: the order of all files of the collection.
std::vector<Group> read_topics(const ReadContext& context) {
  auto groups = GroupFile::read(context.input(kGroupsFile));
  std::erase_if(groups, [](const Group& group) { return !group.kept(); });
  std::sort(groups.begin(), groups.end(), [](const auto& a, const auto& b) { return a.topic < b.topic; });
  return groups;
}

/// The distinct members of all topics, ascending.
std::vector<PageId> members_of(const std::vector<Group>& topics) {
  std::vector<PageId> members;
  for (const auto& topic : topics) {
    for (const auto& member : topic.members) members.push_back(member.page);
  }
  std::sort(members.begin(), members.end());
  members.erase(std::unique(members.begin(), members.end()), members.end());
  return members;
}

/// Goes over the pages that link to members, or over all where names are looked for, each once for all members and
/// topics, and sorts what it finds by topic.
class CandidatesStage : public flow::Stage {
 public:
  ~CandidatesStage() override {
    std::error_code ignored;
    if (!visits_.empty()) std::filesystem::remove_all(visits_, ignored);
  }

  flow::Cuts plan(const ReadContext& context) override { return flow::cuts_of_kept(context.input(kPassagesFolder)); }

  void open(const ReadContext& context) override {
    const TitleIndex titles(context.store, context.options<corpus::TextOptions>());
    corpus_.emplace(context);
    const auto members = members_of(read_topics(context));
    const auto& options = context.options<CandidatesOptions>();
    if (options.uses(CandidateSource::kMention)) open_names(context, titles, members);
    search_ = {options.uses(CandidateSource::kLink), options.uses(CandidateSource::kPage),
               mentions_ ? &*mentions_ : nullptr};
    if (const auto& day = context.options<corpus::NewPagesOptions>().only_new; !day.empty())
      new_.emplace(context.store, day, context.options<corpus::PreviousOptions>().work);
    write_visits(context, members);
  }

  void map(const ReadContext& context, const flow::Cut& cut, const flow::PartWriter& parts) const override {
    auto found = parts.records<FoundOnPage>(kFoundPart);
    records::RecordFile<SourceVisit>::Reader visits(visits_file(cut.first));
    SourceVisit visit;
    bool more = visits.next(visit);
    records::RecordFile<passages::PagePassages>::for_each(
        corpus_->parts().at(cut.first), [&](passages::PagePassages article) {
          for (; more && visit.source < article.page; more = visits.next(visit)) context.progress.done += weight(visit);
          const bool visited = more && visit.source == article.page;
          if (!visited && !mentions_) return;
          context.stop.check();
          if (new_) new_->keep_new(article, corpus_->repeats());
          const auto on_page = find_candidates(article, corpus_->repeats(), search_,
                                               visited ? visit : SourceVisit{article.page, false, {}});
          context.progress.records += on_page.candidates.size();
          if (!on_page.candidates.empty() || !on_page.linked.empty()) found.add(on_page);
        });
    for (; more; more = visits.next(visit)) context.progress.done += weight(visit);
    found.finish();
    if (mentions_) parts.write(kNamesPart, mentions_->counts());
  }

  StageReport merge(WriteContext& context, const flow::Parts& parts) override {
    StageReport report;
    const auto& options = context.options<CandidatesOptions>();
    const auto groups = read_topics(context);
    std::vector<const Group*> topics;
    for (const auto& group : groups) topics.push_back(&group);
    CandidateSorter candidates(topics, context.scratch(), kSortMemoryBytes,
                               {options.list_page, static_cast<std::uint32_t>(options.max_added_per_member)});
    parts.for_each<FoundOnPage>(kFoundPart, [&](const FoundOnPage& found) {
      context.stop.check();
      candidates.add(found);
    });
    // Every cut tells the same.
    if (options.uses(CandidateSource::kMention))
      report_names(records::RecordFile<mentions::NameCounts>::read(parts.path(0, kNamesPart)).at(0), report);
    std::filesystem::remove_all(visits_folder(context));  // also what a killed run left
    write(context, topics.size(), candidates, report);
    return report;
  }

 private:
  /// What a visit counts in the progress.
  static std::uint64_t weight(const SourceVisit& visit) { return visit.linked.size() + (visit.own_article ? 1 : 0); }

  static std::filesystem::path visits_folder(const ReadContext& context) { return context.scratch() / "visits"; }
  std::filesystem::path visits_file(std::size_t part) const { return visits_ / std::to_string(part); }

  /// Writes the visits of each part of the corpus to a file of its own.
  void write_visits(const ReadContext& context, const std::vector<PageId>& members) {
    const storage::LinkGraph graph(context.store);
    SourceVisits visits(context.scratch(), kSortMemoryBytes);
    for (const PageId member : members) {
      context.stop.check();
      visits.add_member(
          graph, member,
          {context.options<CandidatesOptions>().own_article, search_.links || search_.pages, search_.pages});
    }
    context.progress.done = 0;
    context.progress.total = visits.finish();
    visits_ = visits_folder(context);
    std::filesystem::remove_all(visits_);  // a killed run left it
    std::filesystem::create_directories(visits_);
    auto visit = visits.next();
    WriteOptions temporary;
    temporary.flush_to_disk = false;
    for (std::size_t part = 0; part < corpus_->parts().size(); ++part) {
      records::RecordFile<SourceVisit>::Writer file(visits_file(part), temporary);
      for (const auto end = corpus_->end_of_part(part); visit && visit->source.value < end; visit = visits.next())
        file.add(*visit);
      file.finish();
    }
  }

  void open_names(const ReadContext& context, const TitleIndex& titles, const std::vector<PageId>& members) {
    auto names = mentions::MemberNames::collect(context.store, titles, members, titles.site().language, context.stop);
    leave_out_linked_elsewhere(context, names);
    mentions_.emplace(std::move(names), titles.site().language);
  }

  static void leave_out_linked_elsewhere(const ReadContext& context, mentions::MemberNames& names) {
    mentions::AnchorCensus census(names);
    const auto cuts = corpus::page_cuts(context.store);
    std::mutex mutex;
    tbb::task_arena(context.threads).execute([&] {
      tbb::parallel_for_each(cuts, [&](const flow::Cut& cut) {
        std::vector<mentions::AnchorCensus::Use> uses;
        corpus::for_each_page(context, cut, [&](PageId page, const storage::PageRecord&) {
          const auto of_page = census.uses(context.store, page);
          uses.insert(uses.end(), of_page.begin(), of_page.end());
        });
        const std::lock_guard lock(mutex);
        census.add(uses);
      });
    });
    census.leave_out_ambiguous(names);
  }

  static void report_names(const mentions::NameCounts& counts, StageReport& report) {
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
  }

  static void write(WriteContext& context, std::size_t topics, CandidateSorter& candidates, StageReport& report) {
    const auto& options = context.options<CandidatesOptions>();
    report.counts["topics"] = topics;
    if (candidates.on_list_page() > 0)
      report.counts["candidates left out on their list page"] = candidates.on_list_page();
    CandidateCuts cuts;
    std::map<CandidateSource, std::uint64_t> by_source;
    CandidateFile::Writer out(context.output(kCandidatesFile));
    while (auto topic = candidates.next_topic()) {
      limit_candidates(*topic, options, cuts);
      for (auto& member : topic->members) {
        report.counts["candidates"] += member.passages.size();
        ++report.counts["members"];
        if (member.passages.empty()) ++report.counts["members without candidate"];
        for (const auto& passage : member.passages) ++by_source[passage.source];
      }
      out.add(*topic);
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

  std::optional<passages::PassageCorpus> corpus_;
  std::optional<mentions::MentionSearch> mentions_;
  std::optional<NewPassages> new_;
  CandidateSearch search_;
  std::filesystem::path visits_;  ///< folder with a file for each part of the corpus
};

}  // namespace

flow::StageInfo candidates_stage() {
  return {.name = "candidates",
          .summary = "Gather passages that may speak of each member",
          .format_version = 12,
          .inputs = passages::with_passages(
              {flow::file(kGroupsFile), flow::meta(storage::kMetaSite), flow::family(Family::kPage),
               flow::family(Family::kTitle), flow::family(Family::kOutline), flow::family(Family::kParagraph),
               flow::family(Family::kBacklinkSource), flow::family(Family::kBacklinkList),
               flow::family(Family::kBacklinkPlace), flow::family(Family::kAlias), flow::family(Family::kLinkTarget),
               flow::family(Family::kEntity), flow::family(Family::kSqlPage)}),
          .outputs = {flow::file(kCandidatesFile)},
          .options = {flow::inherits<corpus::NameOptions>(), flow::inherits<corpus::TextOptions>(),
                      flow::reads<CandidatesOptions>(), flow::reads<corpus::NewPagesOptions>(),
                      flow::inherits<corpus::PreviousOptions>()},
          .progress_unit = "links",
          .progress_records = "candidates",
          .make = flow::make_stage<CandidatesStage>,
          .is_cut = true,
          .extra_fingerprint = corpus::new_pages_fingerprint,
          .shorthands = {
              {"--only-new", "previous.only_new",
               "Topics and evidence of pages and edits after this day alone, for models that were trained up to it",
               "DAY"}}};
}

}  // namespace touchstone::pipeline::evidence
