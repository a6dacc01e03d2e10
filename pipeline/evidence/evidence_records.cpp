#include "pipeline/evidence/evidence_records.hpp"

#include "collection/collection_lines.hpp"
#include "common/error.hpp"
#include "common/files.hpp"

#include <functional>
#include <utility>

#include <nlohmann/json.hpp>

namespace touchstone::pipeline::evidence {
namespace {

using Json = nlohmann::ordered_json;
using Spans = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

std::string line_of(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

[[noreturn]] void throw_not_a_record(const std::string& where, const std::string& why) {
  throw FormatError(where + ": not a record of this stage (" + why +
                    "); run the stage that wrote it again with --force");
}

/// Runs `read` on the parsed line; what is wrong with it is said with its place.
template <class Record>
Record parse_line(std::string_view line, const std::string& where, const std::function<Record(const Json&)>& read) {
  try {
    return read(Json::parse(line));
  } catch (const Json::exception& error) {
    throw_not_a_record(where, error.what());
  } catch (const FormatError& error) {
    throw_not_a_record(where, error.what());
  }
}

template <class Record>
std::vector<Record> read_lines(const std::filesystem::path& file, const std::function<Record(const Json&)>& read) {
  std::vector<Record> records;
  for_each_line(file, [&](std::string_view line, std::uint64_t number) {
    records.push_back(parse_line<Record>(line, file.string() + " line " + std::to_string(number), read));
    return true;
  });
  return records;
}

Group group_from(const Json& json) {
  Group group;
  group.topic = json.at("topic");
  group.structured = json.at("structured");
  group.page = json.at("page");
  group.page_id.value = json.at("page_id");
  group.section_path = json.at("section").get<std::vector<std::string>>();
  group.column = json.at("column");
  group.tables = json.at("tables").get<std::vector<std::uint32_t>>();
  group.cells = json.at("cells");
  group.empty_cells = json.at("empty_cells");
  group.unresolved_cells = json.at("unresolved_cells");
  for (const auto& member : json.at("members")) {
    group.members.push_back({PageId{member.at("page_id").get<std::uint32_t>()}, member.at("title"), member.at("qid")});
  }
  if (json.at("status") != "kept") {
    const std::string reason = json.at("reason");
    group.discarded = discard_reason(reason);
    if (!group.discarded) throw FormatError("no reason to discard a column is called \"" + reason + "\"");
  }
  group.detail = json.at("detail");
  return group;
}

}  // namespace

void write_groups(const std::filesystem::path& file, const std::vector<Group>& groups) {
  TextWriter out(file);
  for (const auto& group : groups) {
    Json members = Json::array();
    for (const auto& member : group.members)
      members.push_back({{"title", member.title}, {"page_id", member.page.value}, {"qid", member.qid}});
    out.write(line_of({{"topic", group.topic},
                       {"structured", group.structured},
                       {"page", group.page},
                       {"page_id", group.page_id.value},
                       {"section", group.section_path},
                       {"column", group.column},
                       {"tables", group.tables},
                       {"cells", group.cells},
                       {"empty_cells", group.empty_cells},
                       {"unresolved_cells", group.unresolved_cells},
                       {"members", members},
                       {"status", group.kept() ? "kept" : "discarded"},
                       {"reason", group.discarded ? to_string(*group.discarded) : ""},
                       {"detail", group.detail}}));
  }
  out.finish();
}

std::vector<Group> read_groups(const std::filesystem::path& file) {
  return read_lines<Group>(file, group_from);
}

std::string to_line(const TopicCandidates& candidates) {
  Json members = Json::array();
  for (const auto& member : candidates.members) {
    Json passages = Json::array();
    for (const auto& passage : member.passages)
      passages.push_back({passage.page.value, passage.ordinal, passage.mentions});
    members.push_back({{"page_id", member.page.value}, {"passages", passages}});
  }
  return line_of({{"topic", candidates.topic}, {"members", members}});
}

TopicCandidates candidates_from_line(std::string_view line, const std::string& where) {
  return parse_line<TopicCandidates>(line, where, [](const Json& json) {
    TopicCandidates candidates;
    candidates.topic = json.at("topic");
    for (const auto& member : json.at("members")) {
      auto& entry = candidates.members.emplace_back();
      entry.page.value = member.at("page_id");
      for (const auto& passage : member.at("passages")) {
        entry.passages.push_back(
            {PageId{passage.at(0).get<std::uint32_t>()}, passage.at(1), passage.at(2).get<Spans>()});
      }
    }
    return candidates;
  });
}

std::string to_line(const collection::JudgmentRecord& judgment) {
  return collection::judgment_line(judgment, collection::ProbabilityDigits::kAll);
}

collection::JudgmentRecord judgment_from_line(std::string_view line, const std::string& where) {
  thread_local collection::CollectionLineReader reader;
  auto judgment = reader.judgment(line);
  if (!judgment) throw_not_a_record(where, judgment.error());
  return std::move(*judgment);
}

void write_queries(const std::filesystem::path& file, const std::vector<TopicQuery>& queries) {
  TextWriter out(file);
  for (const auto& query : queries)
    out.write(line_of({{"topic", query.topic}, {"query", query.query}, {"source", query.source}}));
  out.finish();
}

std::vector<TopicQuery> read_queries(const std::filesystem::path& file) {
  return read_lines<TopicQuery>(file, [](const Json& json) {
    return TopicQuery{json.at("topic"), json.at("query"), json.at("source")};
  });
}

}  // namespace touchstone::pipeline::evidence
