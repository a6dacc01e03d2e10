#include "pipeline/evidence/wikidata_groups.hpp"

#include "pipeline/corpus/item_classes.hpp"
#include "pipeline/evidence/list_reader.hpp"
#include "storage/keys.hpp"
#include "storage/link_graph.hpp"
#include "storage/records.hpp"

#include <algorithm>
#include <string>

#include <fmt/format.h>

namespace touchstone::pipeline::evidence {
namespace {

using storage::Family;

bool is_of_class(const storage::ItemFacts& facts, std::uint64_t of_class, corpus::ItemClasses& classes) {
  return std::any_of(facts.types.begin(), facts.types.end(), [&](auto type) {
    const auto& all = classes.with_superclasses(type);
    return std::binary_search(all.begin(), all.end(), of_class);
  });
}

bool meets(const storage::ItemFacts& facts, const corpus::WikidataConditions& topic, corpus::ItemClasses& classes) {
  const auto has = [&](const auto& statement) {
    return std::binary_search(facts.statements.begin(), facts.statements.end(), statement);
  };
  return std::all_of(topic.statements.begin(), topic.statements.end(), has) &&
         (topic.of_class == 0 || is_of_class(facts, topic.of_class, classes));
}

void judge(const storage::Store& store, const GroupsOptions& options, Group& group) {
  const storage::LinkGraph graph(store);
  for (const auto& member : group.members) {
    const auto sources = graph.count(member.page);
    if (sources <= static_cast<std::uint64_t>(options.max_backlinks)) continue;
    group.discarded = DiscardReason::kTooManyBacklinks;
    group.detail = fmt::format("{}: {} articles", member.title, sources);
    return;
  }
  if (group.members.size() >= static_cast<std::size_t>(options.min_members)) return;
  group.discarded = group.members.empty() ? DiscardReason::kNoMember : DiscardReason::kTooFewMembers;
  group.detail = fmt::format("{} articles have such items", group.members.size());
}

}  // namespace

std::vector<Group> wikidata_groups(const storage::Store& store, const corpus::TitleIndex& titles,
                                   const std::vector<corpus::WikidataConditions>& topics, const GroupsOptions& options,
                                   const StopFlag& stop) {
  std::vector<Group> groups;
  if (topics.empty()) return groups;
  for (const auto& topic : topics) groups.push_back(named_group({topic.name, PageId{0}, {}}, {}, kWikidataColumn));
  corpus::ItemClasses classes(store);
  std::uint64_t items = 0;
  for (auto cursor = store.cursor(Family::kEntity); cursor.valid(); cursor.next()) {
    if ((++items & 1023) == 0) stop.check();
    const auto id = storage::read_page_key(cursor.key());
    const auto record = storage::decode_entity(cursor.value());
    if (!id || !record.facts) continue;
    for (std::size_t i = 0; i < topics.size(); ++i) {
      if (!meets(*record.facts, topics[i], classes)) continue;
      const auto page = titles.page(*id);
      if (!page || page->title.ns != kNamespaceMain || page->is_redirect || page->is_disambiguation ||
          page->content != storage::PageContent::kRead)
        break;
      groups[i].members.push_back({*id, page->title.text, record.qid()});
    }
  }
  for (auto& group : groups) {
    std::ranges::sort(group.members, {}, &GroupMember::title);
    group.cells = group.members.size();
    judge(store, options, group);
  }
  return groups;
}

}  // namespace touchstone::pipeline::evidence
