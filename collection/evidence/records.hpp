#pragma once

#include "collection/evidence/label_history.hpp"
#include "common/candidate_source.hpp"
#include "common/judgment_state.hpp"
#include "common/query_verdict.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

/// The records that a collection consists of. `fields` lists the fields for sorting on disk (common/records).
namespace touchstone::collection::evidence {

/// An information need of an evidence collection: one column of one list table.
struct TopicRecord {
  std::string id;            ///< short digest of `structured`; no white space
  std::string query;         ///< what a search user would type
  std::string query_source;  ///< what phrased it: "template/5", "review", or a model and prompt digest
  QueryVerdict query_verdict = QueryVerdict::kCertain;
  std::string structured;  ///< `article » section » subsection » column`
  std::string page;        ///< title of the list page
  std::uint64_t page_id = 0;
  std::vector<std::string> section_path;  ///< headings above the table; empty in the lead
  std::string column;                     ///< header text
};

/// One entity of a topic's group.
struct MemberRecord {
  std::string topic;
  std::string title;
  std::uint64_t page_id = 0;
  std::string qid;                   ///< Wikidata item, empty if unknown
  std::vector<std::string> aliases;  ///< titles of redirects to the page, and names of its Wikidata item; sorted
  std::uint64_t candidates = 0;      ///< passages that were judged or to be judged for it
  std::uint64_t evidence = 0;        ///< of these, judged as evidence
  /// Items that its item is an instance of; only in a collection that was built with a dump of Wikidata.
  std::optional<std::vector<std::string>> types = {};
  bool other_kind = false;  ///< by its types it is of another kind than nearly all other members of the topic
  template <class Fields>
  void fields(Fields& field) {
    field("topic", topic)("title", title)("page_id", page_id)("qid", qid)("aliases", aliases)("candidates", candidates)(
        "evidence", evidence)("types", types)("other_kind", other_kind);
  }
};

/// A passage of the corpus.
struct PassageRecord {
  std::string docid;  ///< `<wiki>-<page id>-<ordinal>`
  std::string title;  ///< page title
  std::string text;   ///< no tabs and line breaks
  std::uint64_t page_id = 0;
  std::uint32_t ordinal = 0;
  std::uint64_t revision = 0;  ///< of the page; 0: not known
  std::vector<std::string> section_path;
  std::vector<std::string> repeats = {};  ///< docids of passages that say the same and are not in the corpus; sorted
  template <class Fields>
  void fields(Fields& field) {
    field("docid", docid)("title", title)("text", text)("page_id", page_id)("ordinal", ordinal)("revision", revision)(
        "section_path", section_path)("repeats", repeats);
  }
};

/// What one judge, or one sample, said where several were asked.
struct VoteRecord {
  std::string judge;
  std::optional<int> grade;
  std::optional<double> probability;
  JudgmentState state = JudgmentState::kJudged;
  std::string digest;  ///< key of its verbatim reply in the store
  /// The grade on the judge's own scale. Only where judges have different scales: `grade` is then 1 for evidence, else
  /// 0.
  std::optional<int> own_grade = {};
  template <class Fields>
  void fields(Fields& field) {
    field("judge", judge)("grade", grade)("probability", probability)("state", state)("digest", digest)("own_grade",
                                                                                                        own_grade);
  }
};

/// One judgment of one (topic, member, passage): a grade, or the reason why there is no grade.
struct JudgmentRecord {
  std::string topic, docid;
  std::string member;  ///< title
  std::uint64_t member_page_id = 0;
  std::string digest;        ///< key of the verbatim reply in the store
  std::string judge;         ///< e.g. "lexical/6 (baseline)"
  std::string prompt;        ///< digest of the prompt, empty for judges without one
  std::optional<int> grade;  ///< only if `state` is kJudged; evidence from CollectionInfo::evidence_grade on
  JudgmentState state = JudgmentState::kJudged;                   ///< kJudged: there is a grade; else why there is not
  std::optional<double> probability;                              ///< of evidence, 0..1
  std::string reason;                                             ///< what the judge says
  bool own_article = false;                                       ///< the passage is from the member's own page
  std::optional<CandidateSource> source = {};                     ///< nothing: of a collection that does not say
  std::vector<std::pair<std::uint32_t, std::uint32_t>> mentions;  ///< code points of links to the member, or its names
  std::vector<std::pair<std::uint32_t, std::uint32_t>> spans;     ///< code points of supporting text, when asked for
  std::vector<VoteRecord> votes;                                  ///< only where several judges or samples were asked
  std::string reply;                         ///< only without a grade: what was said instead, verbatim
  std::string kept_from = {};                ///< digest of the question that was asked before an edit of the passage
  std::optional<LabelHistory> history = {};  ///< only in a collection that has one before it; stages do not know it
  template <class Fields>
  void fields(Fields& field) {
    field("topic", topic)("docid", docid)("member", member)("member_page_id", member_page_id)("digest", digest)(
        "judge", judge)("prompt", prompt)("grade", grade)("state", state)("probability", probability)("reason", reason)(
        "own_article", own_article)("source", source)("mentions", mentions)("spans", spans)("votes", votes)(
        "reply", reply)("kept_from", kept_from);
  }
};

/// Something that was left out, for `discarded.tsv`.
struct DiscardedRecord {
  std::string kind;  ///< "column", "topic", "member"
  std::string page;
  std::vector<std::string> section_path;
  std::string column;
  std::string reason;  ///< short and countable, e.g. "empty cell", "too few members"
  std::string detail;  ///< numbers or the cell that decided
  template <class Fields>
  void fields(Fields& field) {
    field("kind", kind)("page", page)("section_path", section_path)("column", column)("reason", reason)("detail",
                                                                                                        detail);
  }
};

/// The headings above a place, as people see them: `a » b » c`.
inline std::string join_path(const std::vector<std::string>& headings) {
  return fmt::format("{}", fmt::join(headings, " » "));
}

}  // namespace touchstone::collection::evidence
