#include "pipeline/inspection/inspect.hpp"

#include "common/edit_distance.hpp"
#include "common/error.hpp"
#include "common/files.hpp"
#include "pipeline/corpus/docids.hpp"
#include "pipeline/corpus/title_index.hpp"
#include "pipeline/evidence/evidence_records.hpp"
#include "pipeline/flow/stage_files.hpp"
#include "pipeline/flow/work_files.hpp"
#include "pipeline/judging/judging_summary.hpp"
#include "pipeline/judging/judgment_log.hpp"
#include "pipeline/passages/passage_composer.hpp"
#include "pipeline/passages/passage_repeats.hpp"
#include "pipeline/release/topic_options.hpp"
#include "storage/keys.hpp"
#include "storage/link_graph.hpp"
#include "storage/records.hpp"

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <set>

#include <nlohmann/json.hpp>

namespace touchstone::pipeline::inspection {
namespace {

using Json = nlohmann::ordered_json;
using corpus::TitleIndex;
using evidence::Group;
using storage::Family;

std::string_view content_name(storage::PageContent content) {
  switch (content) {
    case storage::PageContent::kNotRead:
      return "known by title";
    case storage::PageContent::kRead:
      return "read";
    case storage::PageContent::kOtherModel:
      return "other content model";
  }
  return "?";
}

}  // namespace

struct Inspector::Impl {
  const storage::Store& store;
  const Settings& settings;
  const flow::WorkPaths& paths;
  TitleIndex titles;

  Impl(const storage::Store& s, const Settings& values, const flow::WorkPaths& p)
      : store(s), settings(values), paths(p), titles(s) {}

  PageId find(std::string_view title) const {
    const auto id = titles.find_text(title);
    if (!id) {
      const auto nearest = titles.nearest(title);
      throw Error("there is no page \"" + std::string(title) + "\" in " + store.directory().string() +
                  (nearest ? "; did you mean \"" + *nearest + "\"?" : std::string()) + "; titles are case-sensitive" +
                  (titles.site().first_letter ? " after the first letter" : ""));
    }
    return *id;
  }
  template <class Decode>
  auto record(Family family, PageId id, Decode decode) const -> decltype(decode(std::string_view{})) {
    std::string bytes;
    if (!store.get(family, storage::page_key(id), bytes)) return {};
    return decode(bytes);
  }
  Json links_json(const std::vector<storage::TextLink>& links, const storage::LinkRecord& targets) const {
    Json list = Json::array();
    for (const auto& link : links) {
      Json entry = {
          {"begin", link.begin}, {"end", link.end}, {"title", titles.prefixed(targets.targets.at(link.target))}};
      if (link.from_template) entry["template"] = true;
      list.push_back(std::move(entry));
    }
    return list;
  }
  Json group_json(const Group& group,
                  const std::map<std::string, std::pair<std::uint64_t, std::uint64_t>>& counts) const {
    Json members = Json::array();
    for (const auto& member : group.members)
      members.push_back({{"title", member.title}, {"page_id", member.page.value}, {"qid", member.qid}});
    const auto found = group.kept() ? counts.find(group.topic) : counts.end();
    std::string status = group.kept() ? "kept" : "discarded",
                reason(group.discarded ? to_string(*group.discarded) : "");
    const auto evidence = found == counts.end() ? 0 : found->second.second;
    if (found != counts.end() &&
        evidence < static_cast<std::uint64_t>(settings.get<release::TopicsOptions>().min_evidence)) {
      status = "discarded";
      reason = to_string(evidence::DiscardReason::kTooLittleEvidence);
    }
    return {{"topic", group.topic},
            {"structured", group.structured},
            {"page", group.page},
            {"page_id", group.page_id.value},
            {"section", group.section_path},
            {"column", group.column},
            {"columns", Json::array({group.column})},
            {"tables", group.tables},
            {"cells", group.cells},
            {"empty_cells", group.empty_cells},
            {"unresolved_cells", group.unresolved_cells},
            {"members", members},
            {"candidates", found == counts.end() ? 0 : found->second.first},
            {"evidence", evidence},
            {"status", status},
            {"reason", reason},
            {"detail", group.detail}};
  }
  /// topic -> distinct candidate passages and evidence passages, as far as the stages have come.
  std::map<std::string, std::pair<std::uint64_t, std::uint64_t>> counts() const {
    std::map<std::string, std::pair<std::uint64_t, std::uint64_t>> result;
    const auto candidates = flow::checked_file(store, paths, kCandidatesFile);
    const auto judgments = flow::checked_file(store, paths, kJudgmentsFile);
    if (!std::filesystem::exists(judgments)) {
      if (!std::filesystem::exists(candidates)) return result;
      evidence::CandidateFile::for_each(candidates, [&](const evidence::TopicCandidates& topic) {
        std::set<std::pair<PageId, std::uint32_t>> passages;
        for (const auto& member : topic.members) {
          for (const auto& passage : member.passages) passages.emplace(passage.page, passage.ordinal);
        }
        result[topic.topic] = {passages.size(), 0};
      });
      return result;
    }
    const int least = judging::stated_evidence_grade(store, paths);
    std::map<std::string, std::map<std::string, bool>> topics;
    evidence::JudgmentFile::for_each(judgments, [&](const collection::evidence::JudgmentRecord& judgment) {
      topics[judgment.topic][judgment.docid] |= judgment.grade.value_or(0) >= least;
    });
    for (const auto& [topic, passages] : topics) {
      const auto evidence = std::count_if(passages.begin(), passages.end(), [](const auto& p) { return p.second; });
      result[topic] = {passages.size(), static_cast<std::uint64_t>(evidence)};
    }
    return result;
  }
};

Inspector::Inspector(const storage::Store& store, const Settings& settings, const flow::WorkPaths& paths)
    : impl_(std::make_unique<Impl>(store, settings, paths)) {}
Inspector::~Inspector() = default;

Json Inspector::page(std::string_view title) const {
  const PageId id = impl_->find(title);
  const auto page = impl_->titles.page(id);
  if (!page) throw StorageError("the store names a page that it does not hold; build it again");
  Json json = {{"title", impl_->titles.prefixed(page->title)},
               {"page_id", id.value},
               {"namespace", page->title.ns},
               {"revision", page->revision.value},
               {"timestamp", page->timestamp},
               {"content", content_name(page->content)},
               {"model", page->model.empty() ? "wikitext" : page->model},
               {"bytes", page->text_bytes},
               {"disambiguation", page->is_disambiguation}};
  if (page->is_redirect) {
    const auto end = impl_->titles.resolve(page->title);
    json["redirect"] = {{"title", page->redirect.text.empty() ? "" : impl_->titles.prefixed(page->redirect)},
                        {"section", page->redirect_fragment},
                        {"leads_to", end ? Json(impl_->titles.prefixed(end->page.title)) : Json(nullptr)}};
  }
  const auto origin = impl_->record(Family::kAttribute, id, storage::decode_attributes).origin;
  if (!origin.book.empty()) json["book"] = origin.book;
  if (!origin.chapters.empty()) json["chapters"] = origin.chapters;
  if (!origin.license.empty()) json["license"] = origin.license;
  Json redirects = Json::array();
  for (const auto& redirect : impl_->titles.redirects_to(id, true))
    redirects.push_back(impl_->titles.prefixed(redirect));
  json["redirected_from"] = redirects;
  const auto links = impl_->record(Family::kLink, id, storage::decode_links);
  Json targets = Json::array();
  for (const auto& target : links.targets) targets.push_back(impl_->titles.prefixed(target));
  json["links"] = targets;
  json["links_in_dump"] = std::count_if(links.targets.begin(), links.targets.end(),
                                        [&](const auto& target) { return impl_->titles.resolve(target).has_value(); });
  return json;
}

Json Inspector::outline(std::string_view title) const {
  const PageId id = impl_->find(title);
  Json sections = Json::array();
  const auto anchors = impl_->record(Family::kAttribute, id, storage::decode_attributes).origin.anchors;
  for (const auto& section : impl_->record(Family::kOutline, id, storage::decode_outline).sections) {
    sections.push_back({{"level", section.level},
                        {"heading", section.heading},
                        {"parent", section.parent},
                        {"first_paragraph", section.first_paragraph},
                        {"paragraphs", section.paragraph_count}});
    if (sections.size() <= anchors.size()) sections.back()["place"] = anchors[sections.size() - 1];
  }
  return {{"page_id", id.value}, {"sections", sections}};
}

Json Inspector::tables(std::string_view title) const {
  const PageId id = impl_->find(title);
  const auto outline = impl_->record(Family::kOutline, id, storage::decode_outline);
  const auto links = impl_->record(Family::kLink, id, storage::decode_links);
  Json tables = Json::array();
  for (std::uint32_t number = 0; number < outline.table_count; ++number) {
    std::string bytes;
    if (!impl_->store.get(Family::kTable, storage::page_part_key(id, number), bytes)) continue;
    const auto table = storage::decode_table(bytes);
    Json rows = Json::array();
    for (std::uint32_t row = 0; row < table.rows(); ++row) {
      Json cells = Json::array();
      for (std::uint32_t column = 0; column < table.columns; ++column) {
        const auto& cell = table.cell(row, column);
        Json entry = {{"text", cell.text}};
        if (cell.header) entry["header"] = true;
        if (cell.repeated) entry["repeated"] = true;
        if (cell.missing) entry["missing"] = true;
        if (!cell.links.empty()) entry["links"] = impl_->links_json(cell.links, links);
        cells.push_back(std::move(entry));
      }
      rows.push_back(std::move(cells));
    }
    tables.push_back({{"table", number},
                      {"section", passages::section_path(outline, table.section)},
                      {"depth", table.depth},
                      {"class", table.css_class},
                      {"caption", table.caption},
                      {"rows", rows}});
  }
  return {{"page_id", id.value}, {"tables", tables}};
}

Json Inspector::passages(std::string_view title) const {
  const PageId id = impl_->find(title);
  const auto targets = impl_->record(Family::kLink, id, storage::decode_links).targets;
  // Composed here, so that one can look at passages with other options than those of the build.
  const auto boilerplate = impl_->paths.file(kBoilerplateFile), copies_file = impl_->paths.file(kRepeatsFile);
  const bool made = std::filesystem::exists(boilerplate) && std::filesystem::exists(copies_file);
  const passages::PassageComposer composer(impl_->store, impl_->settings.get<passages::PassagesOptions>(),
                                           made ? passages::read_boilerplate(boilerplate) : passages::Boilerplate());
  const auto copies = made ? passages::PassageRepeats::read(copies_file) : passages::PassageRepeats({});
  const auto wiki = corpus::wiki_name(impl_->settings.get<corpus::NameOptions>(), impl_->titles.site());
  Json passages = Json::array();
  for (const auto& passage : composer.passages(id)) {
    Json links = Json::array();
    for (const auto& link : passage.links) {
      links.push_back(
          {{"begin", link.begin}, {"end", link.end}, {"title", impl_->titles.prefixed(targets.at(link.target))}});
    }
    passages.push_back({{"docid", corpus::make_docid(wiki, id, passage.ordinal)},
                        {"section", passage.section_path},
                        {"text", passage.text},
                        {"links", links}});
    if (const auto* copy = copies.at({id, passage.ordinal})) {
      const auto& other = copy->representative;
      passages.back()["copy_of"] = corpus::make_docid(wiki, other.page, other.ordinal);
    }
  }
  return {{"page_id", id.value}, {"passages", passages}};
}

Json Inspector::backlinks(std::string_view title) const {
  const PageId id = impl_->find(title);
  const storage::LinkGraph graph(impl_->store);
  if (graph.empty()) {
    throw Error("the links in " + impl_->store.directory().string() + " are not inverted yet; run touchstone link");
  }
  Json sources = Json::array();
  for (const auto& source : graph.sources_with_places(id)) {
    const auto page = impl_->titles.page(source.page);
    Json paragraphs = Json::array();
    for (const auto place : source.places) {
      if (place > 0) paragraphs.push_back(place - 1);
    }
    sources.push_back({{"title", page ? impl_->titles.prefixed(page->title) : ""},
                       {"page_id", source.page.value},
                       {"paragraphs", paragraphs},
                       {"elsewhere", source.places.front() == 0}});
  }
  return {{"page_id", id.value}, {"pages", sources.size()}, {"backlinks", sources}};
}

Json Inspector::groups() const {
  const auto file = flow::checked_file(impl_->store, impl_->paths, kGroupsFile);
  if (!std::filesystem::exists(file))
    throw Error("there are no groups in " + impl_->paths.root.string() + " yet; run touchstone groups or build");
  const auto counts = impl_->counts();
  Json list = Json::array();
  evidence::GroupFile::for_each(
      file, [&](const evidence::Group& group) { list.push_back(impl_->group_json(group, counts)); });
  return list;
}

namespace {

/// A topic id of which only the beginning was typed, or a name that is a little misspelt.
std::string nearest_name(std::string_view word, const std::vector<std::string>& names) {
  const auto longer =
      std::find_if(names.begin(), names.end(), [&](const auto& name) { return name.starts_with(word); });
  return longer == names.end() ? did_you_mean(word, names) : "; did you mean " + *longer + "?";
}

}  // namespace

Json Inspector::group(std::string_view title_or_topic) const {
  Json found = Json::array();
  std::vector<std::string> names;
  for (auto& group : groups()) {
    for (const char* name : {"topic", "page"}) names.push_back(group[name]);
    if (group["topic"] == title_or_topic || group["page"] == title_or_topic || group["structured"] == title_or_topic)
      found.push_back(std::move(group));
  }
  if (found.empty()) {
    throw Error("no group has the page, topic id or structured query \"" + std::string(title_or_topic) + "\"" +
                nearest_name(title_or_topic, names) + "; touchstone show groups lists all");
  }
  return found;
}

Json Inspector::judgments(std::string_view topic) const {
  const auto file = flow::checked_file(impl_->store, impl_->paths, kJudgmentsFile);
  if (!std::filesystem::exists(file))
    throw Error("there are no judgments in " + impl_->paths.root.string() + " yet; run touchstone judge or build");
  std::map<std::string, std::string> structured;
  evidence::GroupFile::for_each(
      flow::checked_file(impl_->store, impl_->paths, kGroupsFile),
      [&](const evidence::Group& group) { structured.emplace(group.topic, group.structured); });
  std::vector<std::string> topics;
  for (const auto& [id, query] : structured) topics.push_back(id);
  using judging::JudgmentLog;
  const JudgmentLog log(impl_->paths.file(kReplyLogFile), JudgmentLog::Access::kRead, &impl_->store);
  Json list = Json::array();
  evidence::JudgmentFile::for_each(file, [&](const collection::evidence::JudgmentRecord& judgment) {
    if (!topic.empty() && judgment.topic != topic) return;
    const auto reply = log.find(judgment.digest);
    Json entry = {{"topic", judgment.topic},
                  {"structured", structured[judgment.topic]},
                  {"member", judgment.member},
                  {"docid", judgment.docid}};
    const auto page = impl_->titles.page(corpus::page_of_docid(judgment.docid));
    entry["passage"] = page ? page->title.text : "";
    entry["grade"] = judgment.grade ? Json(*judgment.grade) : Json(nullptr);
    entry["state"] = to_string(judgment.state);
    entry["probability"] = judgment.probability ? Json(*judgment.probability) : Json(nullptr);
    entry["judge"] = judgment.judge;
    entry["digest"] = judgment.digest;
    entry["reply"] = reply ? Json(reply->reply) : Json(nullptr);
    list.push_back(std::move(entry));
  });
  if (list.empty() && topic.empty())
    throw Error("there are no judgments, because no topic has a candidate passage; touchstone survey shows settings");
  if (list.empty())
    throw Error("there is no judgment of a topic \"" + std::string(topic) + "\"" + nearest_name(topic, topics) +
                "; touchstone show groups lists the topics");
  return list;
}

}  // namespace touchstone::pipeline::inspection
