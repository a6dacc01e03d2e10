#include "common/error.hpp"
#include "common/files.hpp"
#include "pipeline/corpus/passages.hpp"
#include "pipeline/corpus/title_index.hpp"
#include "pipeline/evidence/evidence_records.hpp"
#include "pipeline/evidence/stages.hpp"
#include "storage/keys.hpp"
#include "storage/meta_keys.hpp"

#include <algorithm>
#include <set>

#include <oneapi/tbb/parallel_pipeline.h>
#include <oneapi/tbb/task_arena.h>

namespace touchstone::pipeline::evidence {
namespace {

using corpus::PassageComposer;
using corpus::TitleIndex;
using flow::StageContext;
using flow::StageReport;
using storage::Family;

constexpr std::size_t kTopicSlots = 8;  // topics in memory at once; each holds references, not texts

/// Which passages become candidates.
struct CandidatesOptions {
  bool own_article = true;
  std::int64_t max_per_member = 0;

  static std::vector<Option<CandidatesOptions>> options() {
    using C = CandidatesOptions;
    return {
        {"candidates.own_article", &C::own_article, "A member's own passages are candidates."},
        {"candidates.max_per_member", &C::max_per_member, between(0, 1e9),
         "Keep at most this many candidates of a member, by docid; 0: all."},
    };
  }
};

class CandidatesStage : public flow::Stage {
 public:
  StageReport run(StageContext& context) override {
    const auto groups = read_groups(context.input(kGroupsFile));
    const TitleIndex titles(context.store);
    const PassageComposer composer(context.store, context.options<corpus::PassagesOptions>(),
                                   wiki_name(context.options<corpus::NameOptions>(), titles.site()));
    std::vector<const Group*> kept;
    for (const auto& group : groups) {
      if (group.kept) kept.push_back(&group);
    }
    // By topic id: the order of all files of the collection.
    std::sort(kept.begin(), kept.end(), [](const auto* a, const auto* b) { return a->topic < b->topic; });
    context.progress.total = kept.size();
    StageReport report;
    report.counts["topics"] = kept.size();
    TextWriter out(context.output(kCandidatesFile));
    std::size_t next = 0;
    bool stopped = false;
    const auto read = [&](tbb::flow_control& control) -> std::size_t {
      stopped = context.stop.requested();
      if (stopped || next == kept.size()) {
        control.stop();
        return 0;
      }
      return next++;
    };
    const auto find = [&](std::size_t index) { return gather(context, titles, composer, *kept[index]); };
    const auto write = [&](const TopicCandidates& found) {
      for (const auto& member : found.members) {
        report.counts["candidates"] += member.passages.size();
        ++report.counts["members"];
        if (member.passages.empty()) ++report.counts["members without candidate"];
        context.progress.records += member.passages.size();
      }
      ++context.progress.done;
      out.write(to_line(found));
    };
    tbb::task_arena arena(context.threads);
    arena.execute([&] {
      tbb::parallel_pipeline(kTopicSlots,
                             tbb::make_filter<void, std::size_t>(tbb::filter_mode::serial_in_order, read) &
                                 tbb::make_filter<std::size_t, TopicCandidates>(tbb::filter_mode::parallel, find) &
                                 tbb::make_filter<TopicCandidates, void>(tbb::filter_mode::serial_in_order, write));
    });
    if (stopped) context.stop.check();
    kill_point("candidates.before_finish");
    out.finish();
    return report;
  }

 private:
  static TopicCandidates gather(StageContext& context, const TitleIndex& titles, const PassageComposer& composer,
                                const Group& group) {
    TopicCandidates result;
    result.topic = group.topic;
    for (const auto& member : group.members) {
      auto& entry = result.members.emplace_back();
      entry.page = member.page;
      // What a link to the member can be written as: its title, or that of any redirect to it.
      std::set<Title> names;
      names.insert({kNamespaceMain, member.title});
      for (const auto& redirect : titles.redirects_to(member.page, true)) names.insert(redirect);

      std::vector<PageId> sources;
      std::string bytes;
      if (context.store.get(Family::kBacklink, storage::page_key(member.page), bytes)) {
        for (const auto& source : storage::decode_backlinks(bytes).sources) {
          // Place 0 alone: only in a table, reference or caption, which no passage holds.
          if (source.places.back() != 0) sources.push_back(source.page);
        }
      }
      if (context.options<CandidatesOptions>().own_article) {
        const auto at = std::lower_bound(sources.begin(), sources.end(), member.page);
        if (at == sources.end() || *at != member.page) sources.insert(at, member.page);
      }
      for (const PageId source : sources) {
        for (const auto& passage : composer.passages(source)) {
          CandidatePassage candidate{source, passage.ordinal, {}};
          for (const auto& link : passage.links) {
            if (names.contains(link.target)) candidate.mentions.emplace_back(link.begin, link.end);
          }
          const bool own = source == member.page && context.options<CandidatesOptions>().own_article;
          if (own || !candidate.mentions.empty()) entry.passages.push_back(std::move(candidate));
        }
      }
      const auto most = static_cast<std::size_t>(context.options<CandidatesOptions>().max_per_member);
      if (most > 0 && entry.passages.size() > most) entry.passages.resize(most);
    }
    return result;
  }
};

}  // namespace

flow::StageInfo candidates_stage() {
  return {.name = "candidates",
          .summary = "Gather passages that link to each member",
          .format_version = 1,
          .inputs = {flow::file(kGroupsFile), flow::meta(storage::kMetaSite), flow::family(Family::kPage),
                     flow::family(Family::kOutline), flow::family(Family::kParagraph), flow::family(Family::kLink),
                     flow::family(Family::kBacklink), flow::family(Family::kAlias)},
          .outputs = {flow::file(kCandidatesFile)},
          .options = {flow::reads<corpus::NameOptions>(), flow::reads<corpus::PassagesOptions>(),
                      flow::reads<CandidatesOptions>()},
          .progress_unit = "topics",
          .progress_records = "candidates",
          .make = flow::make_stage<CandidatesStage>};
}

}  // namespace touchstone::pipeline::evidence
