#include "collection/evidence/collection_writer.hpp"
#include "collection/evidence/evidence_health.hpp"
#include "collection/health/suspicion.hpp"
#include "common/error.hpp"
#include "common/files.hpp"
#include "common/json_tree.hpp"
#include "pipeline/baseline/bm25_run.hpp"
#include "pipeline/corpus/build_record.hpp"
#include "pipeline/corpus/item_records.hpp"
#include "pipeline/corpus/previous_work.hpp"
#include "pipeline/corpus/text_results.hpp"
#include "pipeline/corpus/title_index.hpp"
#include "pipeline/corpus/wiki_options.hpp"
#include "pipeline/difference/compared_collection.hpp"
#include "pipeline/evidence/candidate_options.hpp"
#include "pipeline/evidence/evidence_records.hpp"
#include "pipeline/evidence/groups_options.hpp"
#include "pipeline/flow/work_files.hpp"
#include "pipeline/flow/work_paths.hpp"
#include "pipeline/judging/stage/panel_config.hpp"
#include "pipeline/passages/passage_composer.hpp"
#include "pipeline/passages/passage_corpus.hpp"
#include "pipeline/release/label_reasons.hpp"
#include "pipeline/release/member_types.hpp"
#include "pipeline/release/previous_collection.hpp"
#include "pipeline/release/stages.hpp"
#include "pipeline/release/topic_options.hpp"
#include "pipeline/release/topic_tally.hpp"
#include "storage/meta_keys.hpp"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <iterator>
#include <map>
#include <optional>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace touchstone::pipeline::release {
namespace {

using Json = nlohmann::ordered_json;
using corpus::TitleIndex;
using evidence::Group;
using flow::StageReport;
using flow::WriteContext;
using passages::PassageCorpus;
using storage::Family;

/// What the collection is called.
struct ExportOptions {
  std::string name;
  bool reading_copies = true;
  bool baseline_run = true;

  static std::vector<Option<ExportOptions>> options() {
    return {
        {"export.name", &ExportOptions::name,
         "Name of the collection. Empty: made from the wiki's name and the day of its newest revision."},
        {"export.copies", &ExportOptions::reading_copies,
         "Write the corpus also as the readers of BEIR, Anserini and ir_datasets want it: three more files of its "
         "unpacked size."},
        {"export.baseline_run", &ExportOptions::baseline_run,
         "Write a run of BM25 and its scores into the collection. It takes a processor second for some 10,000 "
         "passages, and room for its index meanwhile."},
    };
  }
};

/// What export leaves out.
enum class ExportReject : std::uint8_t { kNoPassage, kOnlyRepeats };

const RejectReason& describe(ExportReject reason) {
  static constexpr RejectReason kNoPassage = {"article without a passage in the corpus's scope"};
  static constexpr RejectReason kOnlyRepeats = {"article whose passages all repeat those of others",
                                                RejectSeverity::kSuperseded};
  return reason == ExportReject::kNoPassage ? kNoPassage : kOnlyRepeats;
}

using Queries = std::map<std::string, evidence::TopicQuery>;  ///< by topic id

class ExportStage : public flow::Stage {
 public:
  StageReport merge(WriteContext& context, const flow::Parts& /*parts*/) override {
    const TitleIndex titles(context.store, context.options<corpus::TextOptions>());
    const auto facts =
        corpus::collection_facts(context, titles.site(), "evidence", context.options<ExportOptions>().name);
    const PassageCorpus passages(context);
    const auto groups = evidence::GroupFile::read(context.input(kGroupsFile));
    std::map<std::string, const Group*> kept;
    for (const auto& group : groups) {
      if (group.kept()) kept.emplace(group.topic, &group);
    }
    const auto judgments_file = context.input(kJudgmentsFile);
    const auto panel = judging::stage::describe_panel(context.options<judging::stage::JudgeOptions>(),
                                                      context.options<judging::stage::PanelOptions>());
    auto tallies = tally_topics(judgments_file, panel.evidence_grade(), passages, context.stop);
    std::map<std::string, const Group*> topics;
    const auto queries = read_queries(context);
    std::map<std::string, TopicDiscard> left_out;
    auto limits = context.options<TopicsOptions>();
    if (context.options<corpus::PreviousOptions>().freeze_topics)
      limits = {.min_evidence = 1, .min_probability = 0, .max_unsure = 1};
    for (const auto& [id, group] : kept) {
      const auto& query = query_of(queries, id);
      auto discard = query.verdict == QueryVerdict::kUnworded
                         ? std::optional(TopicDiscard{evidence::DiscardReason::kUnworded, query.why})
                         : discard_of(tallies[id], limits);
      if (discard)
        left_out.emplace(id, std::move(*discard));
      else
        topics.emplace(id, group);
    }

    StageReport report;
    auto about = info(context, facts, panel);
    std::optional<PreviousCollection> previous;
    if (const auto& options = context.options<corpus::PreviousOptions>(); PreviousCollection::is_there(options)) {
      previous.emplace(options);
      about.previous_manifest = previous->manifest_digest();
    } else if (!options.work.empty()) {
      report.warnings.push_back("the previous work directory " + options.work +
                                " has no evidence collection, so that labels have no history; export it there, and "
                                "here again");
    }
    collection::evidence::CollectionWriter writer(context.output(kCollectionFolder), about);
    write_topics(queries, topics, writer);
    write_members(context, titles, topics, tallies, writer, report);
    write_corpus(context, passages, writer, report);
    write_judgments(context, previous ? &*previous : nullptr, passages, queries, panel, topics, writer);
    write_discarded(groups, left_out, writer);
    kill_point("export.before_finish");
    const auto bm25 = baseline::bm25_system(baseline::CollectionKind::kEvidence, about.language, context.scratch(),
                                            context.threads, context.stop);
    const auto numbers = writer.finish(
        context.stop, [&](const std::filesystem::path& directory) { return examine(context, directory, about); },
        context.options<ExportOptions>().baseline_run ? &bm25 : nullptr);
    report.topics = report.counts["topics"] = numbers.topics;
    report.counts["topics discarded for too little evidence"] = 0;
    for (const auto& [id, discard] : left_out)
      ++report.counts["topics discarded for " + std::string(to_string(discard.reason))];
    report.counts["members"] = numbers.members;
    report.counts["passages"] = numbers.passages;
    report.counts["qrels"] = numbers.qrels;
    report.counts["evidence"] = numbers.evidence;
    for (const auto& kind : numbers.history)
      report.counts["labels " + kind.state + (kind.reason.empty() ? "" : ": " + kind.reason)] = kind.labels;
    if (numbers.topics == 0)
      report.warnings.emplace_back(
          "the collection has no topic; collection/discarded.tsv says why each column and topic was left out");
    return report;
  }

 private:
  static collection::evidence::CollectionInfo info(WriteContext& context,
                                                   const collection::release::CollectionFacts& facts,
                                                   const judging::PanelDescription& panel) {
    collection::evidence::CollectionInfo info;
    static_cast<collection::release::CollectionFacts&>(info) = facts;
    info.judge = panel.name();
    info.baseline_judge = panel.is_baseline();
    info.evidence_grade = panel.evidence_grade();
    info.reading_copies = context.options<ExportOptions>().reading_copies;
    info.candidate_sources = context.options<evidence::CandidatesOptions>().sources;
    info.mode = choice_text(context.options<evidence::GroupsOptions>().mode);
    info.corpus_scope = passages::describe_passages(context.options<passages::PassagesOptions>());
    Json manifest = corpus::build_record(context);
    if (const auto judging = panel.fingerprint(); !judging.empty()) manifest["judging"] = judging;
    info.manifest_json = json_text(manifest);
    return info;
  }

  static std::vector<collection::health::HealthCheck> examine(WriteContext& context,
                                                              const std::filesystem::path& directory,
                                                              const collection::evidence::CollectionInfo& about) {
    using Results = corpus::TextResults<std::optional<collection::health::TextDamage>>;
    const auto& work = context.options<corpus::PreviousOptions>().work;
    const Results::Before before(work.empty() ? std::filesystem::path()
                                              : flow::WorkPaths{work}.file(kPassageDamageFile));
    Results results(before, context.output(kPassageDamageFile), "damage");
    auto checks = collection::evidence::examine_evidence(
        directory, about, context.stop, [&](std::uint64_t page, std::string_view text) {
          return results.of(PageId{static_cast<std::uint32_t>(page)}, text,
                            [&] { return collection::health::suspect_damage(text); });
        });
    results.finish();
    return checks;
  }

  static Queries read_queries(WriteContext& context) {
    Queries queries;
    evidence::QueryFile::for_each(context.input(kQueriesFile), [&](evidence::TopicQuery query) {
      auto topic = query.topic;
      queries.emplace(std::move(topic), std::move(query));
    });
    return queries;
  }

  static const evidence::TopicQuery& query_of(const Queries& queries, const std::string& topic) {
    const auto query = queries.find(topic);
    if (query == queries.end()) throw FormatError("topic " + topic + " has no query; run touchstone phrase again");
    return query->second;
  }

  static void write_topics(const Queries& queries, const std::map<std::string, const Group*>& topics,
                           collection::evidence::CollectionWriter& writer) {
    for (const auto& [id, group] : topics) {
      const auto& query = query_of(queries, id);
      collection::evidence::TopicRecord topic;
      topic.id = id;
      topic.query = query.query;
      topic.query_source = query.source;
      topic.query_verdict = query.verdict;
      topic.structured = group->structured;
      topic.page = group->page;
      topic.page_id = group->page_id.value;
      topic.section_path = group->section_path;
      topic.column = group->column;
      writer.add(topic);
    }
  }

  /// Adds the names of a member's Wikidata item.
  static void add_other_names(const TitleIndex& titles, const evidence::GroupMember& member,
                              std::vector<std::string>& aliases) {
    auto names = titles.other_names(member.page);
    if (names.empty()) return;
    std::erase(names, member.title);
    std::ranges::move(names, std::back_inserter(aliases));
    std::sort(aliases.begin(), aliases.end());
    aliases.erase(std::unique(aliases.begin(), aliases.end()), aliases.end());
  }

  static void write_members(const WriteContext& context, const TitleIndex& titles,
                            const std::map<std::string, const Group*>& topics,
                            const std::map<std::string, TopicTally>& tallies,
                            collection::evidence::CollectionWriter& writer, StageReport& report) {
    std::optional<MemberTypes> types;  // with a dump of Wikidata
    if (!context.options<corpus::WikidataOptions>().files.empty()) types.emplace(context.store, titles);
    std::uint64_t of_other_kind = 0;
    for (const auto& [id, group] : topics) {
      auto members = group->members;
      std::sort(members.begin(), members.end(), [](const auto& a, const auto& b) { return a.title < b.title; });
      const auto kinds = types ? types->of(members) : std::vector<MemberTypes::OfMember>();
      for (const auto& member : members) {
        collection::evidence::MemberRecord record;
        record.topic = id;
        record.title = member.title;
        record.page_id = member.page.value;
        record.qid = member.qid;
        for (const auto& redirect : titles.redirects_to(member.page, false))
          record.aliases.push_back(titles.prefixed(redirect));
        add_other_names(titles, member, record.aliases);
        const auto& counted = tallies.at(id).members;
        if (const auto found = counted.find(member.page.value); found != counted.end()) {
          std::tie(record.candidates, record.evidence) = found->second;
        }
        if (types) {
          const auto& kind = kinds[static_cast<std::size_t>(&member - members.data())];
          record.types = kind.types;
          record.other_kind = kind.other_kind;
          of_other_kind += kind.other_kind ? 1 : 0;
        }
        writer.add(record);
      }
    }
    if (types) report.counts["members of another kind than the rest of their topic"] = of_other_kind;
  }

  static void write_judgments(WriteContext& context, const PreviousCollection* previous, const PassageCorpus& passages,
                              const Queries& queries, const judging::PanelDescription& panel,
                              const std::map<std::string, const Group*>& topics,
                              collection::evidence::CollectionWriter& writer) {
    evidence::JudgmentFile::Reader file(context.input(kJudgmentsFile));
    const NextJudgment next = [&]() -> std::optional<collection::evidence::JudgmentRecord> {
      collection::evidence::JudgmentRecord judgment;
      while (file.next(judgment)) {
        if (topics.contains(judgment.topic)) return judgment;
      }
      return std::nullopt;
    };
    if (previous == nullptr) {
      while (const auto judgment = next()) writer.add(*judgment);
      return;
    }
    const Month month(context.store, passages, context.input(kGroupsFile));
    HistoryFacts facts;
    facts.queries_before = previous->queries();
    for (const auto& [id, group] : topics) facts.queries_after.emplace(id, query_of(queries, id).query);
    facts.same_settings = has_same_settings(context, *previous);
    facts.asks_for_query = panel.needs_queries();
    facts.only_baselines = panel.is_baseline();
    write_judgments_with_history(*previous, LabelReasons(previous->month(), month, facts), next, writer);
  }

  /// Whether lists, passages and candidates of both months were made with the same options.
  static bool has_same_settings(const WriteContext& context, const PreviousCollection& previous) {
    const auto before = parse_json_or_discard(previous.manifest().info.manifest_json);
    const auto config = before.is_object() ? before.value("config", Json::object()) : Json::object();
    return std::ranges::all_of(context.provenance().options, [&](const auto& option) {
      return !difference::is_corpus_option(option.key) || !config.contains(option.key) ||
             config[option.key] == option.text;
    });
  }

  static void write_corpus(WriteContext& context, const PassageCorpus& passages,
                           collection::evidence::CollectionWriter& writer, StageReport& report) {
    std::uint64_t copies = 0;
    const auto write = [&](passages::PagePassages article) {
      context.stop.check();
      const bool has_text = !article.passages.empty();
      passages.drop_repeats(article);
      if (article.passages.empty())
        report.reject(has_text ? ExportReject::kOnlyRepeats : ExportReject::kNoPassage, article.title);
      for (auto& passage : article.passages) {
        collection::evidence::PassageRecord record;
        record.docid = passages.docid(article.page, passage.ordinal);
        record.title = article.title;
        record.text = std::move(passage.text);
        record.page_id = article.page.value;
        record.ordinal = passage.ordinal;
        record.revision = article.revision.value;
        record.section_path = std::move(passage.section_path);
        for (const auto& copy : passages.repeats().of({article.page, passage.ordinal}))
          record.repeats.push_back(passages.docid(copy.page, copy.ordinal));
        std::sort(record.repeats.begin(), record.repeats.end());
        copies += record.repeats.size();
        writer.add(record);
        ++context.progress.records;
      }
    };
    for (const auto& part : passages.parts()) PassageCorpus::PartFile::for_each(part, write);
    if (copies > 0) report.counts["repeats of passages"] = copies;
  }

  /// Columns without a topic, and topics that were left out.
  static void write_discarded(const std::vector<Group>& groups, const std::map<std::string, TopicDiscard>& left_out,
                              collection::evidence::CollectionWriter& writer) {
    for (const auto& group : groups) {
      const auto topic = left_out.find(group.topic);
      if (group.kept() && topic == left_out.end()) continue;
      collection::evidence::DiscardedRecord record;
      record.page = group.page;
      record.section_path = group.section_path;
      record.column = group.column;
      record.kind = group.kept() ? "topic" : "column";
      record.reason = to_string(group.kept() ? topic->second.reason : *group.discarded);
      record.detail = group.kept() ? topic->second.detail : group.detail;
      writer.add(record);
    }
  }
};

}  // namespace

/// All of it is the merge, which puts what other stages made into one directory in the order of its files.
flow::StageInfo export_stage() {
  return {
      .name = "export",
      .summary = "Write the collection directory",
      .format_version = 8,
      .inputs = passages::with_passages(
          {flow::file(kGroupsFile), flow::file(kJudgmentsFile), flow::file(kQueriesFile),
           flow::meta(storage::kMetaSite), flow::meta(storage::kMetaSources), flow::meta(storage::kMetaPrevious),
           flow::meta(storage::kMetaNewestTimestamp), flow::family(Family::kPage), flow::family(Family::kAlias),
           flow::family(Family::kLink), flow::family(Family::kLinkTarget), flow::family(Family::kEntity),
           flow::family(Family::kSqlPage), flow::family(Family::kClass)}),
      .outputs = {flow::folder(kCollectionFolder), flow::file(kManifestFile), flow::file("collection/qrels.txt"),
                  flow::file("collection/sha256sums.txt"), flow::file(kPassageDamageFile)},
      .options = {flow::reads<corpus::NameOptions>(), flow::reads<corpus::LanguageOptions>(),
                  flow::inherits<corpus::TextOptions>(), flow::reads<corpus::LicenseOptions>(),
                  flow::inherits<corpus::WikidataOptions>(), flow::reads<TopicsOptions>(), flow::reads<ExportOptions>(),
                  flow::inherits<corpus::PreviousOptions>(), flow::inherits<passages::PassagesOptions>(),
                  flow::inherits<evidence::GroupsOptions>(), flow::inherits<evidence::CandidatesOptions>(),
                  flow::inherits<judging::stage::JudgeOptions>(), flow::inherits<judging::stage::PanelOptions>()},
      .progress_unit = "passages",
      .progress_records = "passages",
      .make = flow::make_stage<ExportStage>,
      .extra_fingerprint = PreviousCollection::fingerprint,
      .finds_topics = true};
}

}  // namespace touchstone::pipeline::release
