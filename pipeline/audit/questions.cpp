#include "pipeline/audit/questions.hpp"

#include "analysis/audit/sample.hpp"
#include "analysis/audit/strata.hpp"
#include "collection/evidence/collection_lines.hpp"
#include "common/error.hpp"
#include "common/files.hpp"

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

namespace touchstone::pipeline::audit {
namespace {

namespace evidence = collection::evidence;
using formats::labeling::JudgeDecision;
using formats::labeling::Task;
using formats::labeling::TaskKind;

/// A passage with those around it.
struct ShownPassage {
  std::string title, text, before, after;
};

/// The passages of the corpus with these docids.
std::unordered_map<std::string, ShownPassage> read_passages(const JudgedCollection& collection,
                                                            std::span<const LabelKey> keys, const StopFlag& stop) {
  std::unordered_map<std::string, ShownPassage> wanted;
  for (const auto& key : keys) wanted[std::get<2>(key)];
  evidence::CollectionLineReader reader;
  std::optional<evidence::PassageRecord> last;
  const auto file = collection.directory / "corpus.jsonl.gz";
  for_each_line(
      file,
      [&](std::string_view line, std::uint64_t number) {
        stop.check();
        auto passage = reader.passage(line);
        if (!passage) fail_at_line(file, number, passage.error());
        const bool follows = last && last->page_id == passage->page_id && last->ordinal + 1 == passage->ordinal;
        if (const auto at = wanted.find(passage->docid); at != wanted.end()) {
          at->second.title = passage->title;
          at->second.text = passage->text;
          if (follows) at->second.before = last->text;
        }
        if (follows) {
          if (const auto at = wanted.find(last->docid); at != wanted.end()) at->second.after = passage->text;
        }
        last = std::move(*passage);
        return true;
      },
      evidence::kMaxCollectionLineBytes);
  return wanted;
}

std::unordered_map<std::string, evidence::TopicRecord> read_topics(const JudgedCollection& collection,
                                                                   const StopFlag& stop) {
  std::unordered_map<std::string, evidence::TopicRecord> topics;
  evidence::CollectionLineReader reader;
  const auto file = collection.directory / "queries.jsonl";
  for_each_line(
      file,
      [&](std::string_view line, std::uint64_t number) {
        stop.check();
        auto topic = reader.query(line);
        if (!topic) fail_at_line(file, number, topic.error());
        auto id = topic->id;
        topics.emplace(std::move(id), std::move(*topic));
        return true;
      },
      evidence::kMaxCollectionLineBytes);
  return topics;
}

}  // namespace

std::map<LabelKey, Task> questions_of(const JudgedCollection& collection, std::span<const LabelKey> keys,
                                      const StopFlag& stop) {
  std::map<LabelKey, Task> questions;
  for (const auto& key : keys) questions[key];
  const auto passages = read_passages(collection, keys, stop);
  const auto topics = read_topics(collection, stop);
  for_each_original_judgment(collection, stop, [&](const evidence::JudgmentRecord& judgment) {
    const auto at = questions.find(key_of(judgment));
    if (at == questions.end()) return;
    auto& task = at->second;
    const auto topic = topics.find(judgment.topic);
    const auto& passage = passages.at(judgment.docid);
    if (topic == topics.end() || passage.text.empty())
      throw FormatError(
          fmt::format("{} judges topic {}, docid {}, of which it does not have both topic and passage; "
                      "touchstone validate lists all that is wrong with the collection",
                      collection.directory.string(), judgment.topic, judgment.docid));
    task.kind = TaskKind::kEvidence;
    task.topic = judgment.topic;
    task.docid = judgment.docid;
    task.member = judgment.member;
    task.query = topic->second.query;
    task.list = topic->second.structured;
    task.title = passage.title;
    task.text = passage.text;
    task.language = collection.info.language;
    task.before = passage.before;
    task.after = passage.after;
    task.mentions = judgment.mentions;
    JudgeDecision decision;
    if (judgment.grade) decision.grade = *judgment.grade >= collection.info.evidence_grade ? 1 : 0;
    decision.probability = judgment.probability;
    decision.reason = judgment.reason;
    decision.spans = judgment.spans;
    task.judge = std::move(decision);
    task.id = formats::labeling::task_id(task);
  });
  return questions;
}

AuditSample draw_questions(const JudgedCollection& collection, std::uint64_t size, std::uint64_t seed,
                           const StopFlag& stop) {
  namespace audit = analysis::audit;
  const auto& decisions = collection.decisions;
  const auto strata = audit::stratify(decisions, collection.settings.bins);
  std::vector<bool> is_taken(decisions.size(), false);
  AuditSample sample;
  for (const auto& stratum : strata.strata) sample.strata.push_back({stratum.name, stratum.decisions, 0, 0});
  for (const auto& [key, audited] : collection.audited) {
    const auto index = collection.find(key);
    if (!index) continue;
    is_taken[*index] = true;
    ++sample.strata[strata.of[*index]].before;
  }
  std::vector<std::uint64_t> taken;
  std::uint64_t left = 0;
  for (const auto& stratum : sample.strata) {
    taken.push_back(stratum.before);
    left += stratum.decisions - stratum.before;
  }
  if (left == 0)
    throw ConfigError(fmt::format("people have judged all {} decisions of {}; nothing is left to draw",
                                  decisions.size(), collection.directory.string()));
  const auto smallest = audit::smallest_sample(strata.strata, taken);
  if (size < std::min(smallest, left))
    throw ConfigError(
        fmt::format("--sample {} is too few: the decisions are in {} strata, and two of each take {}; "
                    "draw more, or make fewer strata with --bins or --strata",
                    size, strata.strata.size(), smallest));
  const auto drawn = audit::draw_sample(decisions, strata, is_taken, size, seed);
  std::vector<LabelKey> keys;
  for (const auto index : drawn) {
    keys.emplace_back(decisions[index].topic, decisions[index].member, decisions[index].docid);
    ++sample.strata[strata.of[index]].drawn;
  }
  auto questions = questions_of(collection, keys, stop);
  for (std::size_t i = 0; i < keys.size(); ++i) {
    auto task = std::move(questions.at(keys[i]));
    const auto& stratum = strata.strata[strata.of[drawn[i]]];
    task.stratum = stratum.name;
    task.stratum_size = stratum.decisions;
    sample.tasks.push_back(std::move(task));
  }
  return sample;
}

}  // namespace touchstone::pipeline::audit
