#include "pipeline/audit/gold_file.hpp"

#include "collection/evidence/collection_lines.hpp"
#include "common/files.hpp"
#include "formats/fields/one_line.hpp"
#include "pipeline/audit/questions.hpp"

#include <set>
#include <tuple>
#include <unordered_map>
#include <vector>

#include <fmt/format.h>

namespace touchstone::pipeline::audit {
namespace {

std::string reason_of(const collection::evidence::AuditRecord& record) {
  for (const auto* answer : collection::evidence::counted_answers(record.answers)) {
    if (answer->grade == record.grade && !answer->reason.empty()) return answer->reason;
  }
  return {};
}

}  // namespace

GoldNumbers write_gold_file(const JudgedCollection& collection, const AuditResult& result,
                            const std::filesystem::path& file, const StopFlag& stop) {
  using formats::fields::one_line;
  std::unordered_map<std::string, collection::evidence::TopicRecord> topics;
  collection::evidence::CollectionLineReader reader;
  for_each_line(collection.directory / "queries.jsonl", [&](std::string_view line, std::uint64_t number) {
    auto topic = reader.query(line);
    if (!topic) fail_at_line(collection.directory / "queries.jsonl", number, topic.error());
    auto id = topic->id;
    topics.emplace(std::move(id), std::move(*topic));
    return true;
  });
  std::vector<LabelKey> keys;
  for (const auto& [key, record] : result.records) {
    if (record.grade) keys.push_back(key);
  }
  const auto questions = questions_of(collection, keys, stop);
  GoldNumbers numbers;
  std::set<std::tuple<std::string, std::string, std::string>> written;
  TextWriter out(file, InTheWay::kRefuse);
  out.write("page\tsection\tcolumn\tmember\tpassage\tgrade\twhy\n");
  for (const auto& key : keys) {
    const auto& record = result.records.at(key);
    const auto& topic = topics.at(record.before.topic);
    const auto& title = questions.at(key).title;
    if (!written.emplace(topic.structured, record.before.member, title).second) {
      ++numbers.left_out;
      continue;
    }
    const auto reason = one_line(reason_of(record));
    out.write(fmt::format("{}\t{}\t{}\t{}\t{}\t{}\t{}\n", one_line(topic.page),
                          one_line(collection::evidence::join_path(topic.section_path)), one_line(topic.column),
                          one_line(record.before.member), one_line(title), *record.grade, reason));
    ++numbers.labels;
    numbers.with_reason += reason.empty() ? 0 : 1;
  }
  out.finish();
  return numbers;
}

}  // namespace touchstone::pipeline::audit
