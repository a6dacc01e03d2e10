#include "pipeline/evidence/frozen_topics.hpp"

#include "common/digest.hpp"
#include "common/error.hpp"
#include "common/files.hpp"
#include "pipeline/flow/work_files.hpp"
#include "pipeline/flow/work_paths.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include <fmt/format.h>

namespace touchstone::pipeline::evidence {
namespace {

constexpr std::string_view kTopicsFile = "collection/topics.tsv";

enum class FrozenReject : std::uint8_t { kGone, kMerged };

const RejectReason& describe(FrozenReject reason) {
  static constexpr RejectReason kGone = {"member without an article now"};
  static constexpr RejectReason kMerged = {"member merged into another member", RejectSeverity::kSuperseded};
  return reason == FrozenReject::kGone ? kGone : kMerged;
}

std::set<std::string> released_topics(const std::filesystem::path& work) {
  const auto file = work / kTopicsFile;
  if (!std::filesystem::exists(file))
    throw ConfigError(
        fmt::format("--freeze-topics: {} is not there; finish the build of {} first, which releases the "
                    "topics to keep",
                    file.string(), work.string()));
  std::set<std::string> topics;
  for_each_line(file, [&](std::string_view line, std::uint64_t) {
    topics.emplace(line.substr(0, line.find('\t')));
    return true;
  });
  return topics;
}

/// The article that a member's page is now, or was merged into.
std::optional<corpus::TitleIndex::Resolved> article_of(const GroupMember& member, const corpus::TitleIndex& titles) {
  const auto page = titles.page(member.page);
  if (!page) return std::nullopt;
  auto found = titles.resolve(page->title);
  if (!found || !found->page.is_article() || found->page.is_disambiguation) return std::nullopt;
  return found;
}

std::vector<GroupMember> members_now(const Group& group, const corpus::TitleIndex& titles, flow::StageReport& report) {
  std::vector<GroupMember> members;
  std::set<PageId> seen;
  for (const auto& member : group.members) {
    const auto article = article_of(member, titles);
    if (!article) {
      report.reject(FrozenReject::kGone, group.structured + ": " + member.title);
    } else if (!seen.insert(article->id).second) {
      report.reject(FrozenReject::kMerged, group.structured + ": " + member.title);
    } else {
      auto qid = titles.qid(article->id);
      members.push_back({article->id, article->page.title.text, qid.empty() ? member.qid : std::move(qid)});
    }
  }
  return members;
}

}  // namespace

std::vector<Group> frozen_groups(const std::filesystem::path& work, const corpus::TitleIndex& titles,
                                 flow::StageReport& report) {
  const auto released = released_topics(work);
  std::vector<Group> groups;
  GroupFile::for_each(flow::WorkPaths{work}.file(kGroupsFile), [&](Group group) {
    if (!group.kept() || !released.contains(group.topic)) return;
    group.members = members_now(group, titles, report);
    groups.push_back(std::move(group));
  });
  return groups;
}

std::vector<TopicQuery> frozen_queries(const std::filesystem::path& work, const std::vector<const Group*>& groups) {
  std::map<std::string, TopicQuery> before;
  QueryFile::for_each(flow::WorkPaths{work}.file(kQueriesFile), [&](TopicQuery query) {
    auto topic = query.topic;
    before.emplace(std::move(topic), std::move(query));
  });
  std::vector<TopicQuery> queries;
  for (const auto* group : groups) {
    const auto found = before.find(group->topic);
    if (found == before.end())
      throw ConfigError(
          fmt::format("--freeze-topics: {} has no query for topic {}; build it again", work.string(), group->topic));
    queries.push_back(found->second);
  }
  return queries;
}

std::string frozen_fingerprint(const std::filesystem::path& work, bool freezes) {
  if (!freezes) return {};
  std::string text = "frozen";
  for (const auto& file :
       {work / kTopicsFile, flow::WorkPaths{work}.file(kGroupsFile), flow::WorkPaths{work}.file(kQueriesFile)})
    text += " " + (std::filesystem::exists(file) ? sha256_file(file) : "missing");
  return text;
}

}  // namespace touchstone::pipeline::evidence
