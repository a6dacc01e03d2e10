#include "common/error.hpp"
#include "common/unicode.hpp"
#include "extractors/site/site_info.hpp"
#include "pipeline/corpus/previous_work.hpp"
#include "pipeline/corpus/title_index.hpp"
#include "pipeline/corpus/wiki_language.hpp"
#include "pipeline/corpus/wiki_options.hpp"
#include "pipeline/evidence/equal_groups.hpp"
#include "pipeline/evidence/evidence_records.hpp"
#include "pipeline/evidence/frozen_topics.hpp"
#include "pipeline/evidence/groups_options.hpp"
#include "pipeline/evidence/list_page_rules.hpp"
#include "pipeline/evidence/list_reader.hpp"
#include "pipeline/evidence/list_titles.hpp"
#include "pipeline/evidence/member_kinds.hpp"
#include "pipeline/evidence/section_wording.hpp"
#include "pipeline/evidence/stages.hpp"
#include "pipeline/evidence/wikidata_groups.hpp"
#include "pipeline/flow/work_files.hpp"
#include "pipeline/headings/heading_words.hpp"
#include "storage/keys.hpp"
#include "storage/link_graph.hpp"
#include "storage/meta_keys.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>

#include <fmt/format.h>

namespace touchstone::pipeline::evidence {
namespace {

using corpus::TitleIndex;
using flow::StageReport;
using flow::WriteContext;
using storage::Family;

/// What groups leaves out.
enum class GroupReject : std::uint8_t { kDiscarded, kOtherKind };

const RejectReason& describe(GroupReject reason) {
  static constexpr RejectReason kReasons[] = {
      {"column discarded: "},  // the text goes on with the DiscardReason
      {"member of another kind than its list"},
  };
  return kReasons[static_cast<std::size_t>(reason)];
}

constexpr const char* kNoLists = "no list pages: no article title matches groups.list_prefixes; set it for this wiki";
constexpr const char* kNoGroups = "no group was found; touchstone status shows why columns were not taken";

/// This file is long because the stage is one merge: which columns are kept depends on all others.
class GroupsStage : public flow::Stage {
 public:
  StageReport merge(WriteContext& context, const flow::Parts& /*parts*/) override {
    const TitleIndex titles(context.store, context.options<corpus::TextOptions>());
    const auto& options = context.options<GroupsOptions>();
    const auto words = headings::wiki_heading_words(titles.site().language);
    StageReport report;
    const auto& previous = context.options<corpus::PreviousOptions>();
    if (previous.freeze_topics) return write(context, frozen_groups(previous.work, titles, report), kNoGroups, report);
    std::optional<MemberKinds> kinds;
    if (options.columns == ColumnChoice::kSubject) kinds.emplace(context.store, titles);
    std::vector<Group> groups;
    const DateTitles dates(context.store);
    const auto known_words = corpus::list_prefixes(titles.site().language);
    const ListPageRules rules(context.store, titles, words, dates);
    const auto lists = list_pages(context, titles, rules, report);
    std::vector<std::pair<PageId, std::string>> list_titles;
    for (const auto& list : lists) list_titles.emplace_back(list.page, list.title);
    const auto list_words = words_of_lists(context.store, known_words, options.list_prefixes, list_titles, words);
    ListReader reader(context.store, titles, options, list_words, report);
    context.progress.total = lists.size();
    for (const auto& list : lists) {
      context.stop.check();
      const auto pages = with_subpages(context, list);
      for (auto& draft : reader.read(list)) {
        if (list.by_heading && !names_a_list(draft.group.section_path, known_words)) continue;
        draft.group.pages = pages;
        if (!draft.other_kind.empty()) discard(draft.group, DiscardReason::kOtherKind, draft.other_kind);
        fill(context, titles, draft.cells, draft.group);
        groups.push_back(std::move(draft.group));
      }
      ++context.progress.done;
    }
    for (auto& group : groups) {
      discard_forbidden(group, titles, options, words, list_words);
      if (options.mode == GroupsMode::kLenient) {
        discard_dates(group, dates);
        discard_contents(group, list_words);
      }
      if (kinds && group.kept()) clean(*kinds, options, list_words, group, report);
    }
    if (options.mode == GroupsMode::kLenient) discard_article_sections(groups, list_words);
    merge_equal_groups(groups);
    discard_equal_groups(groups, options.max_overlap, words.drafts, list_words);
    std::ranges::move(
        wikidata_groups(context.store, titles, context.options<corpus::WikidataTopicsOptions>().conditions(), options,
                        context.stop),
        std::back_inserter(groups));
    if (std::none_of(groups.begin(), groups.end(), [](const Group& group) { return group.kept(); }) &&
        context.options<corpus::WikidataTopicsOptions>().conditions().empty()) {
      const auto least = static_cast<std::size_t>(std::min<std::int64_t>(options.min_members, 3));
      auto reason = why_no_lists(context.store, titles, rules, words.dates, least, context.stop);
      report.no_settings_help = !reason.empty();
      if (report.no_settings_help) report.warnings.push_back(std::move(reason));
    }
    return write(context, groups, lists.empty() ? kNoLists : kNoGroups, report);
  }

 private:
  /// \param none  what to say if no group is kept
  static StageReport write(WriteContext& context, const std::vector<Group>& groups, std::string_view none,
                           StageReport& report) {
    count(groups, report);
    report.topics = report.counts["groups"];
    if (*report.topics == 0 && !report.no_settings_help) report.warnings.emplace_back(none);
    context.progress.records = groups.size();
    GroupFile::write(context.output(kGroupsFile), groups);
    return std::move(report);
  }

  static void count(const std::vector<Group>& groups, StageReport& report) {
    for (const auto& group : groups) {
      ++report.counts["columns"];
      if (group.kept()) {
        ++report.counts["groups"];
        report.counts["members"] += group.members.size();
      } else {
        report.reject(GroupReject::kDiscarded,
                      group.structured + (group.detail.empty() ? "" : " (" + group.detail + ")"),
                      to_string(*group.discarded));
      }
    }
  }

  /// The pages whose titles are those of lists, by page id; pages into which one list was cut are together.
  static std::vector<ListPages> list_pages(WriteContext& context, const TitleIndex& titles, const ListPageRules& rules,
                                           StageReport& report) {
    const auto prefixes = context.options<GroupsOptions>().list_prefixes_for(titles.site().language);
    std::map<PageId, std::string> pages;
    const auto take = [&](PageId id, const std::string& prefix) {
      const auto page = titles.page(id);
      if (!page || page->is_redirect) return;
      const auto title = titles.prefixed(page->title);
      if (!is_list_title(title, prefix) || pages.contains(id)) return;
      if (const auto refused = rules.refuse(id, title))
        report.reject(*refused, title);
      else
        pages.emplace(id, title);
    };
    std::vector<std::int32_t> spaces = {kNamespaceMain};
    for (const auto& space : titles.site().namespaces) {
      if (extractors::site::is_list_namespace(titles.site(), space.id)) spaces.push_back(space.id);
    }
    for (const auto& prefix : prefixes) {
      for (const auto space : spaces) {
        auto cursor = context.store.cursor(Family::kTitle);
        const bool anywhere = prefix.starts_with('*') || space != kNamespaceMain;
        const std::string_view start = anywhere ? std::string_view{} : std::string_view(prefix);
        for (cursor.seek(storage::title_key(space, start)); cursor.valid(); cursor.next()) {
          const auto key = storage::read_title_key(cursor.key());
          if (!key || key->ns != space || !key->text.starts_with(start)) break;
          if (const auto id = storage::read_page_key(cursor.value())) take(*id, prefix);
        }
      }
    }
    report.counts["list pages"] = pages.size();
    const bool strict = context.options<GroupsOptions>().mode == GroupsMode::kStrict;
    auto lists = joined_pages(pages, titles, !strict);
    if (strict) return lists;
    const auto others =
        pages_with_list_headings(context.store, titles, corpus::list_prefixes(titles.site().language), context.stop);
    for (const auto& [id, title] : others) {
      if (pages.contains(id) || rules.refuse(id, title)) continue;
      lists.push_back({title, id, {id}, true});
      ++report.counts["pages with lists in sections"];
    }
    return lists;
  }

  static std::vector<ListPages> joined_pages(const std::map<PageId, std::string>& pages, const TitleIndex& titles,
                                             bool join) {
    std::vector<ListPages> lists;
    std::map<std::string, std::size_t> list_of;  // by the title without letters
    for (const auto& [id, title] : pages) {
      const std::string whole(join ? without_index_letters(title) : title);
      const auto [found, fresh] = list_of.try_emplace(whole, lists.size());
      if (fresh)
        lists.push_back({title, id, {id}});
      else
        lists[found->second].pages.push_back(id);
    }
    for (auto& [whole, number] : list_of) {
      auto& list = lists[number];
      if (list.pages.size() == 1) continue;
      list.title = whole;
      const auto page = titles.find_text(whole);
      const bool listed = page && std::find(list.pages.begin(), list.pages.end(), *page) != list.pages.end();
      if (listed) list.page = *page;
    }
    return lists;
  }

  /// The pages of a list with those below them, such as translations and drafts ("List of lights/fr"): what they say of
  /// members, the list says.
  static std::vector<PageId> with_subpages(WriteContext& context, const ListPages& list) {
    auto pages = list.pages;
    const auto start = list.title + "/";
    auto cursor = context.store.cursor(Family::kTitle);
    for (cursor.seek(storage::title_key(kNamespaceMain, start)); cursor.valid(); cursor.next()) {
      const auto key = storage::read_title_key(cursor.key());
      const auto id = storage::read_page_key(cursor.value());
      if (!key || !id || key->ns != kNamespaceMain || !key->text.starts_with(start)) break;
      pages.push_back(*id);
    }
    std::sort(pages.begin(), pages.end());
    pages.erase(std::unique(pages.begin(), pages.end()), pages.end());
    return pages;
  }

  static void discard(Group& group, DiscardReason reason, std::string detail) {
    if (group.discarded) return;
    group.discarded = reason;
    group.detail = std::move(detail);
  }

  /// Sections such as "See also" hold no members of the list, nor do the list items of sections such as "History". On
  /// English pages that are not lists by their titles, items are a list where a heading or the title names things.
  static void discard_forbidden(Group& group, const TitleIndex& titles, const GroupsOptions& options,
                                const headings::HeadingWords& words, const std::vector<std::string>& list_words) {
    const bool items = group.column == kListItemColumn;
    for (const auto& text : group.section_path) {
      const bool innermost = &text == &group.section_path.back();
      if (words.forbidden.matches(text) || words.navigation.matches(text) ||
          (innermost && items && words.prose.matches(text)))
        return discard(group, DiscardReason::kForbiddenHeading, text);
    }
    const bool is_list = !without_list_words(group.page, list_words).empty();
    if (items && !is_list && words.prose.matches(group.page))
      return discard(group, DiscardReason::kForbiddenHeading, group.page);
    const bool english = titles.site().language == "simple" || titles.site().language.starts_with("en");
    if (!items || !english || options.mode == GroupsMode::kStrict) return;
    const bool named = is_list || names_things(group.page) ||
                       std::any_of(group.section_path.begin(), group.section_path.end(),
                                   [](const auto& heading) { return names_things(heading); });
    if (!named) discard(group, DiscardReason::kForbiddenHeading, "neither title nor headings name things");
  }

  /// Days and years are what lists of events and people go by, and not what they list.
  static void discard_dates(Group& group, const DateTitles& dates) {
    const auto days = std::count_if(group.members.begin(), group.members.end(),
                                    [&](const auto& member) { return dates.is_date(member.title); });
    if (2 * static_cast<std::size_t>(days) >= group.members.size() && days > 0)
      discard(group, DiscardReason::kOtherKind,
              fmt::format("{} of {} members are days or years", days, group.members.size()));
  }

  /// Members that are lists themselves are a table of contents. On a page that is not a list by its title, so are
  /// instalments of one series ("Status update 6"), and what bears one name ("Mari El" on "Mari (meanings)").
  static void discard_contents(Group& group, const std::vector<std::string>& list_words) {
    std::map<std::string, std::size_t> series;
    std::size_t parts = 0;
    const bool is_list = !without_list_words(group.page, list_words).empty();
    const auto qualifier = group.page.find(" (");
    const auto shared = is_list || qualifier == std::string::npos ? "" : lower_case(group.page.substr(0, qualifier));
    // "Shahov Boris" on the page of a surname; but "Potion of health" on the page "Potion" is of a kind.
    const auto begins_with_name = [&](const std::string& title) {
      if (is_list || !title.starts_with(group.page + " ")) return false;
      const auto rest = title.substr(group.page.size() + 1);
      return upper_case_first(rest) == rest && lower_case(rest) != rest;
    };
    for (const auto& member : group.members) {
      const bool bears_name = (!shared.empty() && lower_case(member.title).find(shared) != std::string::npos) ||
                              begins_with_name(member.title);
      parts += bears_name || !without_list_words(member.title, list_words).empty() ? 1 : 0;
      if (bears_name) continue;
      std::string name = member.title;
      std::erase_if(name, [](char c) { return c >= '0' && c <= '9'; });
      if (!is_list && name.size() < member.title.size()) parts += series[name]++ > 0 ? 1 : 0;
    }
    if (2 * parts > group.members.size())
      discard(group, DiscardReason::kContents, fmt::format("{} of {} members", parts, group.members.size()));
  }

  /// A heading on many pages that are not lists by their titles is one that articles of their kind have ("Notable
  /// people" of towns), in whatever language, and lists nothing that somebody looks for.
  static void discard_article_sections(std::vector<Group>& groups, const std::vector<std::string>& list_words) {
    constexpr std::size_t kManyPages = 4;
    std::map<std::string, std::set<PageId>> pages;
    const auto heading_of = [&](const Group& group) {
      const bool article = !group.section_path.empty() && without_list_words(group.page, list_words).empty();
      return article ? lower_case(group.section_path.back()) : std::string();
    };
    for (const auto& group : groups) {
      if (const auto heading = heading_of(group); !heading.empty()) pages[heading].insert(group.page_id);
    }
    for (auto& group : groups) {
      const auto found = pages.find(heading_of(group));
      if (found != pages.end() && found->second.size() >= kManyPages)
        discard(group, DiscardReason::kArticleSection,
                fmt::format("{}: {} pages", group.section_path.back(), found->second.size()));
    }
  }

  static void clean(MemberKinds& kinds, const GroupsOptions& options, const std::vector<std::string>& list_words,
                    Group& group, StageReport& report) {
    const auto listed = without_list_words(group.page, list_words);
    for (const auto& title : kinds.clean(group, listed))
      report.reject(GroupReject::kOtherKind, group.structured + ": " + title);
    if (options.mode == GroupsMode::kLenient && group.members.size() < static_cast<std::size_t>(options.min_members))
      discard(group, DiscardReason::kTooFewMembers,
              fmt::format("{} after members of other kinds", group.members.size()));
  }

  /// Resolves a column's cells and decides whether it is kept.
  static void fill(WriteContext& context, const TitleIndex& titles, const std::vector<MemberCell>& cells,
                   Group& group) {
    const auto& config = context.options<GroupsOptions>();
    const storage::LinkGraph graph(context.store);
    const bool strict = config.mode == GroupsMode::kStrict;
    std::set<PageId> seen;
    const auto discard = [&](DiscardReason reason, std::string detail) {
      GroupsStage::discard(group, reason, std::move(detail));
    };
    std::uint64_t resolved_cells = 0;
    for (const auto& cell : cells) {
      ++group.cells;
      if (cell.kind == MemberCellKind::kEmpty) {
        ++group.empty_cells;
        if (strict) discard(DiscardReason::kEmptyCell, fmt::format("row {}", cell.row + 1));
        continue;
      }
      const auto page = cell.target ? titles.resolve(*cell.target) : std::nullopt;
      const bool is_article = page && page->page.title.ns == 0 && page->page.content == storage::PageContent::kRead &&
                              !page->page.is_disambiguation &&
                              std::find(group.pages.begin(), group.pages.end(), page->id) == group.pages.end();
      if (!is_article) {
        ++group.unresolved_cells;
        if (strict) discard(DiscardReason::kCellWithoutArticle, fmt::format("row {}: {}", cell.row + 1, cell.text));
        continue;
      }
      ++resolved_cells;
      if (!seen.insert(page->id).second) continue;
      group.members.push_back({page->id, page->page.title.text, titles.qid(page->id)});
      const std::uint64_t sources = graph.count(page->id);
      if (sources > static_cast<std::uint64_t>(config.max_backlinks)) {
        discard(DiscardReason::kTooManyBacklinks, fmt::format("{}: {} articles", page->page.title.text, sources));
      }
    }
    const auto non_empty = group.cells - group.empty_cells;
    if (group.members.empty()) {
      discard(DiscardReason::kNoMember, fmt::format("{} cells, {} empty, {} without an article", group.cells,
                                                    group.empty_cells, group.unresolved_cells));
    }
    if (!strict) {
      if (group.members.size() < static_cast<std::size_t>(config.min_members)) {
        discard(DiscardReason::kTooFewMembers, fmt::format("{} of {} cells", group.members.size(), group.cells));
      } else if (static_cast<double>(resolved_cells) < least_resolved(config, group, non_empty)) {
        discard(DiscardReason::kTooFewArticles, fmt::format("{} of {} cells", resolved_cells, non_empty));
      }
    }
  }

  /// Of a long list more than a third is enough, and of one with many members a third.
  static double least_resolved(const GroupsOptions& options, const Group& group, std::size_t cells) {
    constexpr std::size_t kMany = 8;
    const double part = group.members.size() >= kMany ? 1.0 / 3 : cells >= kMany ? 0.34 : 1;
    return std::min(part, options.min_resolved_ratio) * static_cast<double>(cells);
  }
};

std::string groups_fingerprint(const Settings& settings) {
  const auto& previous = settings.get<corpus::PreviousOptions>();
  return frozen_fingerprint(previous.work, previous.freeze_topics);
}

}  // namespace

/// All of it is the merge: which words are for lists, and which columns repeat others, depends on all lists.
flow::StageInfo groups_stage() {
  return {.name = "groups",
          .summary = "Find list tables and the members of their columns",
          .format_version = 10,
          .inputs = {flow::meta(storage::kMetaSite), flow::family(Family::kPage), flow::family(Family::kTitle),
                     flow::family(Family::kOutline), flow::family(Family::kParagraph), flow::family(Family::kTable),
                     flow::family(Family::kLink), flow::family(Family::kBacklinkList), flow::family(Family::kAttribute),
                     flow::family(Family::kEntity), flow::family(Family::kClass), flow::family(Family::kSqlPage)},
          .outputs = {flow::file(kGroupsFile)},
          // The language decides how titles of list pages start.
          .options = {flow::reads<corpus::LanguageOptions>(), flow::reads<corpus::TextOptions>(),
                      flow::reads<GroupsOptions>(), flow::reads<corpus::WikidataTopicsOptions>(),
                      flow::reads<corpus::PreviousOptions>()},
          .progress_unit = "pages",
          .progress_records = "columns",
          .make = flow::make_stage<GroupsStage>,
          .extra_fingerprint = groups_fingerprint,
          .shorthands = {{"--freeze-topics", "previous.freeze_topics",
                          "Keep the topics of the --previous collection, and make no others", ""}},
          .finds_topics = true};
}

}  // namespace touchstone::pipeline::evidence
