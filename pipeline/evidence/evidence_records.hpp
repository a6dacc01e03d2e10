#pragma once

#include "collection/evidence/records.hpp"
#include "common/candidate_source.hpp"
#include "common/ids.hpp"
#include "common/query_verdict.hpp"
#include "common/records/record_file.hpp"
#include "pipeline/evidence/discard_reason.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace touchstone::pipeline::evidence {

// What the stages of the evidence path hand to each other, in files of records (common/records).

/// Stands for the column's header in topics from list items.
inline constexpr const char* kListItemColumn = "list items";
/// `Group::column` of members that conditions on items of Wikidata choose.
inline constexpr const char* kWikidataColumn = "Wikidata items";
/// Whether `Group::column` is the header of a table's column.
inline bool is_header(std::string_view column) noexcept {
  return column != kListItemColumn && column != kWikidataColumn;
}

/// An entity of a group.
struct GroupMember {
  PageId page;
  std::string title;
  std::string qid;

  template <class Fields>
  void fields(Fields& field) {
    field("page_id", page)("title", title)("qid", qid);
  }
};

/// A column of a list table, kept or discarded.
struct Group {
  std::string topic;       ///< topic id
  std::string structured;  ///< `article » section » subsection » column`
  std::string page;        ///< title of the list page
  PageId page_id;
  std::vector<PageId> pages;  ///< all pages of the list, ascending: those it was cut into, and those below them
  std::vector<std::string> section_path;
  std::string column;
  bool subject = false;               ///< the column was found to hold what its table lists
  std::vector<std::uint32_t> tables;  ///< numbers of the page's tables that hold it
  std::uint64_t cells = 0, empty_cells = 0, unresolved_cells = 0;
  std::vector<GroupMember> members;        ///< in the order of the table, each once
  std::optional<DiscardReason> discarded;  ///< why it is not kept
  std::string detail;                      ///< of that reason: numbers, the cell

  bool kept() const noexcept { return !discarded; }
  template <class Fields>
  void fields(Fields& field) {
    field("topic", topic)("structured", structured)("page", page)("page_id", page_id)("pages", pages)(
        "section", section_path)("column", column)("subject", subject)("tables", tables)("cells", cells)(
        "empty_cells", empty_cells)("unresolved_cells", unresolved_cells)("members", members)("discarded", discarded)(
        "detail", detail);
  }
};
using GroupFile = records::RecordFile<Group>;

/// A passage that may be evidence for a member.
struct CandidatePassage {
  PageId page;
  std::uint32_t ordinal = 0;
  /// Code points of links to the member; of its names where `source` is kMention.
  std::vector<std::pair<std::uint32_t, std::uint32_t>> mentions;
  CandidateSource source = CandidateSource::kLink;

  template <class Fields>
  void fields(Fields& field) {
    field("page_id", page)("ordinal", ordinal)("mentions", mentions)("source", source);
  }
};

/// The candidates of one topic, member by member in the group's order.
struct TopicCandidates {
  std::string topic;
  struct Member {
    PageId page;
    std::vector<CandidatePassage> passages;  ///< ascending by (page, ordinal)

    template <class Fields>
    void fields(Fields& field) {
      field("page_id", page)("passages", passages);
    }
  };
  std::vector<Member> members;

  template <class Fields>
  void fields(Fields& field) {
    field("topic", topic)("members", members);
  }
};
using CandidateFile = records::RecordFile<TopicCandidates>;

/// The words of a topic.
struct TopicQuery {
  std::string topic;
  std::string query;   ///< empty if the topic is unworded
  std::string source;  ///< what worded it
  QueryVerdict verdict = QueryVerdict::kCertain;
  std::string why;  ///< why it is unworded

  template <class Fields>
  void fields(Fields& field) {
    field("topic", topic)("query", query)("source", source)("verdict", verdict)("why", why);
  }
};
using QueryFile = records::RecordFile<TopicQuery>;

using JudgmentFile = records::RecordFile<collection::evidence::JudgmentRecord>;

}  // namespace touchstone::pipeline::evidence
