#include "pipeline/evidence/evidence_records.hpp"

#include "collection/evidence/collection_lines.hpp"
#include "common/error.hpp"
#include "common/files.hpp"
#include "common/json_tree.hpp"

#include <functional>
#include <limits>
#include <utility>

#include <nlohmann/json.hpp>

namespace touchstone::pipeline::evidence {
namespace {

using Json = nlohmann::ordered_json;
using Spans = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

std::string line_of(const Json& json) {
  return json_text(json) + "\n";
}

[[noreturn]] void throw_not_a_record(const std::string& where, const std::string& why) {
  throw FormatError(where + ": not a record of this stage (" + why +
                    "); run the stage that wrote it again with --force");
}

/// Runs `read` on the parsed line; what is wrong with it is said with its place.
template <class Record>
Record parse_line(std::string_view line, const std::string& where, const std::function<Record(const Json&)>& read) {
  try {
    return read(parse_json(line));
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

/// A whole number that fits. The JSON library itself would cut numbers that do not.
template <class Number>
Number number_from(const Json& json) {
  if (!json.is_number_unsigned() || json.get<std::uint64_t>() > std::numeric_limits<Number>::max()) {
    throw FormatError((json.is_number() ? json_text(json) : std::string(json.type_name())) +
                      " stands where a whole number from 0 to " + std::to_string(std::numeric_limits<Number>::max()) +
                      " belongs");
  }
  return static_cast<Number>(json.get<std::uint64_t>());
}

std::uint32_t small_number(const Json& json) {
  return number_from<std::uint32_t>(json);
}

const Json& list_in(const Json& json, const char* name) {
  const Json& list = json.at(name);
  if (!list.is_array()) throw FormatError(std::string("\"") + name + "\" is not a list");
  return list;
}

Spans spans_from(const Json& list) {
  Spans spans;
  if (!list.is_array()) throw FormatError("the mentions are not a list");
  for (const auto& span : list) {
    if (!span.is_array() || span.size() != 2) throw FormatError("a mention is not [begin, end]");
    spans.emplace_back(small_number(span[0]), small_number(span[1]));
    if (spans.back().first > spans.back().second) throw FormatError("a mention ends before it begins");
  }
  return spans;
}

CandidateSource source_from(const Json& json) {
  const std::string name = json;
  const auto source = candidate_source_of(name);
  if (!source) throw FormatError("no source of candidates is called \"" + name + "\"");
  return *source;
}

Group group_from(const Json& json) {
  Group group;
  group.topic = json.at("topic");
  group.structured = json.at("structured");
  group.page = json.at("page");
  group.page_id.value = small_number(json.at("page_id"));
  for (const auto& page : list_in(json, "pages")) group.pages.push_back(PageId{small_number(page)});
  group.subject = json.at("subject").get<bool>();
  group.section_path = json.at("section").get<std::vector<std::string>>();
  group.column = json.at("column");
  for (const auto& table : list_in(json, "tables")) group.tables.push_back(small_number(table));
  group.cells = number_from<std::uint64_t>(json.at("cells"));
  group.empty_cells = number_from<std::uint64_t>(json.at("empty_cells"));
  group.unresolved_cells = number_from<std::uint64_t>(json.at("unresolved_cells"));
  for (const auto& member : list_in(json, "members")) {
    group.members.push_back({PageId{small_number(member.at("page_id"))}, member.at("title"), member.at("qid")});
  }
  const std::string status = json.at("status");
  if (status != "kept" && status != "discarded") throw FormatError("no column has the status \"" + status + "\"");
  if (status == "discarded") {
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
    Json members = Json::array(), pages = Json::array();
    for (const auto& page : group.pages) pages.push_back(page.value);
    for (const auto& member : group.members)
      members.push_back({{"title", member.title}, {"page_id", member.page.value}, {"qid", member.qid}});
    out.write(line_of({{"topic", group.topic},
                       {"structured", group.structured},
                       {"page", group.page},
                       {"page_id", group.page_id.value},
                       {"pages", pages},
                       {"section", group.section_path},
                       {"column", group.column},
                       {"subject", group.subject},
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
      passages.push_back({passage.page.value, passage.ordinal, passage.mentions, to_string(passage.source)});
    members.push_back({{"page_id", member.page.value}, {"passages", passages}});
  }
  return line_of({{"topic", candidates.topic}, {"members", members}});
}

TopicCandidates candidates_from_line(std::string_view line, const std::string& where) {
  return parse_line<TopicCandidates>(line, where, [](const Json& json) {
    TopicCandidates candidates;
    candidates.topic = json.at("topic");
    for (const auto& member : list_in(json, "members")) {
      auto& entry = candidates.members.emplace_back();
      entry.page.value = small_number(member.at("page_id"));
      for (const auto& passage : list_in(member, "passages")) {
        entry.passages.push_back({PageId{small_number(passage.at(0))}, small_number(passage.at(1)),
                                  spans_from(passage.at(2)), source_from(passage.at(3))});
      }
    }
    return candidates;
  });
}

std::string to_line(const collection::evidence::JudgmentRecord& judgment) {
  return collection::evidence::judgment_line(judgment, collection::evidence::ProbabilityDigits::kAll);
}

collection::evidence::JudgmentRecord judgment_from_line(std::string_view line, const std::string& where) {
  thread_local collection::evidence::CollectionLineReader reader;
  auto judgment = reader.judgment(line);
  if (!judgment) throw_not_a_record(where, judgment.error());
  return std::move(*judgment);
}

void write_queries(const std::filesystem::path& file, const std::vector<TopicQuery>& queries) {
  TextWriter out(file);
  for (const auto& query : queries)
    out.write(line_of({{"topic", query.topic},
                       {"query", query.query},
                       {"source", query.source},
                       {"verdict", to_string(query.verdict)},
                       {"why", query.why}}));
  out.finish();
}

std::vector<TopicQuery> read_queries(const std::filesystem::path& file) {
  return read_lines<TopicQuery>(file, [](const Json& json) {
    const std::string name = json.at("verdict");
    const auto verdict = query_verdict_of(name);
    if (!verdict) throw FormatError("no verdict of a query is called \"" + name + "\"");
    return TopicQuery{json.at("topic"), json.at("query"), json.at("source"), *verdict, json.at("why")};
  });
}

}  // namespace touchstone::pipeline::evidence
