// This file is long because qrels, members and judgments are compared with each other.
#include "collection/evidence/validation/validator.hpp"
#include "common/digest.hpp"
#include "formats/beir/beir_lines.hpp"
#include "formats/fields/one_line.hpp"
#include "formats/trec/qrels.hpp"

#include <algorithm>
#include <tuple>

namespace touchstone::collection::evidence::validation {
namespace {

bool is_digest(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

}  // namespace

bool Validator::check_qrel(std::string_view name, std::uint64_t number, const formats::trec::QrelRecord& qrel,
                           Qrel& checked) {
  bool ok = true;
  if (topics_read_) {
    const auto topic = topics_.find(qrel.topic);
    ok = topic.has_value();
    if (!ok)
      problem(
          name, number,
          "judges topic " + quote(qrel.topic) + ", which topics.tsv does not define; add the topic or remove the line");
    checked.topic = topic.value_or(0);
  }
  if (passages_read_) {
    const auto docid = docids_.find(qrel.docid);
    if (!docid)
      problem(name, number,
              "judges docid " + quote(qrel.docid) +
                  ", which is not in corpus.jsonl.gz; add the passage or remove the line");
    ok = ok && docid.has_value();
    checked.docid = docid.value_or(0);
  }
  checked.grade = qrel.grade;
  checked.line = number;
  return ok;
}

void Validator::check_qrels() {
  const std::string_view name = "qrels.txt";
  formats::trec::QrelRecord before;
  std::uint64_t count = 0;
  qrels_read_ = read_lines(name, [&](std::string_view line, std::uint64_t number) -> std::string {
    ++count;
    const auto qrel = formats::trec::parse_qrel(line);
    if (!qrel) {
      problem(name, number, qrel.error());
      qrel_lines_.push_back(0);
      return "";
    }
    const auto order = std::tie(before.topic, before.docid);
    const auto here = std::tie(qrel->topic, qrel->docid);
    if (order == here) {
      problem(name, number, "judges " + pair_name(qrel->topic, qrel->docid) + " a second time; keep one of the lines");
    } else if (here < order) {
      problem(name, number,
              "has " + pair_name(qrel->topic, qrel->docid) + " out of order; sort by topic, then docid, bytewise");
    }
    before = *qrel;
    Qrel checked;
    if (check_qrel(name, number, *qrel, checked)) qrels_.push_back(checked);
    qrel_lines_.push_back(xxh3_64(formats::beir::qrel_line(*qrel)));
    qrels_json_.update(formats::beir::qrel_json_line(*qrel));
    return formats::trec::qrel_line(*qrel);
  });
  report_.counts["qrels"] = count;
  std::sort(qrels_.begin(), qrels_.end(), [](const Qrel& a, const Qrel& b) {
    return std::tie(a.topic, a.docid, a.line) < std::tie(b.topic, b.docid, b.line);
  });
}

void Validator::check_beir_qrels() {
  const std::string_view name = "qrels/test.tsv";
  std::uint64_t lines = 0;
  bool equal = qrels_read_;
  const bool read = read_lines(name, [&](std::string_view line, std::uint64_t number) -> std::string {
    lines = number;
    if (number == 1) return std::string(formats::beir::kQrelsHeader) + "\n";
    const auto qrel = formats::beir::parse_qrel(line);
    if (!qrel) {
      problem(name, number, qrel.error());
      equal = false;
      return "";
    }
    const std::string written = formats::beir::qrel_line(*qrel);
    const std::size_t at = static_cast<std::size_t>(number - 2);
    if (equal && (at >= qrel_lines_.size() || qrel_lines_[at] != xxh3_64(written))) {
      equal = false;
      problem(name, number,
              "has " + pair_name(qrel->topic, qrel->docid) + ", grade " + std::to_string(qrel->grade) +
                  ", where line " + std::to_string(at + 1) + " of qrels.txt " +
                  (at < qrel_lines_.size() ? "has another judgment" : "does not exist") + "; make the two files equal");
    }
    return written;
  });
  if (!read) return;
  if (lines == 0)
    problem(name, 0,
            "has no header line, so that readers lose the first judgment; write \"query-id<TAB>corpus-id<TAB>score\" "
            "first");
  if (equal && lines > 0 && lines - 1 < qrel_lines_.size()) {
    problem(name, 0,
            "has " + std::to_string(lines - 1) + " judgments where qrels.txt has " +
                std::to_string(qrel_lines_.size()) + "; make the two files equal");
  }
}

void Validator::check_members() {
  const std::string_view name = "members.jsonl";
  std::pair<std::string, std::string> before;
  std::uint64_t count = 0;
  members_read_ = read_lines(name, [&](std::string_view line, std::uint64_t number) -> std::string {
    ++count;
    const auto member = reader_.member(line);
    if (!member) {
      problem(name, number, member.error());
      return "";
    }
    if (topics_read_ && !counter_.member(*member)) {
      problem(name, number,
              "names topic " + quote(member->topic) +
                  ", which topics.tsv does not define; add the topic or remove the line");
      return "";
    }
    const std::pair key(member->topic, member->title);
    check_title(name, number, member->page_id, member->title);
    if (key < before) {
      problem(name, number,
              "has member " + quote(member->title) + " out of order; sort by topic, then title, bytewise");
    }
    before = key;
    if (formats::fields::is_blank(member->title))
      problem(name, number, "has a member without a title; name its article");
    if (member->evidence > member->candidates) {
      problem(name, number,
              "says " + std::to_string(member->evidence) + " evidence of " + std::to_string(member->candidates) +
                  " candidates for member " + quote(member->title) + "; evidence cannot be more than was judged");
    }
    const auto inserted =
        members_.emplace(member_key(member->topic, member->page_id),
                         Member{member->topic, member->title, number, member->candidates, member->evidence, 0, 0});
    if (!inserted.second) {
      problem(name, number,
              "has the page " + std::to_string(member->page_id) + " a second time as a member of topic " +
                  quote(member->topic) + ", after line " + std::to_string(inserted.first->second.line) +
                  "; keep one of the lines");
    }
    evidence_->add(*member);
    return member_line(*member);
  });
  report_.counts["members"] = count;
}

void Validator::read_statements() {
  std::error_code ignored;  // a manifest that is missing is reported by check_digests
  if (!std::filesystem::is_regular_file(directory_ / release::kManifest.name, ignored)) return;
  try {
    const auto manifest = read_manifest(directory_);
    evidence_grade_ = manifest.info.evidence_grade;
    has_ = {manifest.info.reading_copies, manifest.baseline.has_value(), manifest.info.has_history(),
            manifest.info.audit.has_value()};
    topics_are_frozen_ = keeps_topics(manifest.info);
  } catch (const Error&) {  // check_manifest says it
  }
}

void Validator::check_judgments() {
  const std::string_view name = "judgments.jsonl.gz";
  std::string topic_before;
  std::pair<std::uint64_t, std::string> before;
  TopicGrades grades(evidence_grade_);
  std::uint64_t count = 0;
  bool sorted = true;
  judgments_read_ = read_lines(name, [&](std::string_view line, std::uint64_t number) -> std::string {
    ++count;
    std::optional<std::string> unknown_state;
    const auto judgment = reader_.judgment(line, &unknown_state);
    if (!judgment) {
      problem(name, number, judgment.error());
      return "";
    }
    if (judgment->topic != topic_before) check_grades(topic_before, grades);
    const std::pair key(judgment->member_page_id, judgment->docid);
    if (count > 1) {
      if (judgment->topic == topic_before && key == before) {
        problem(name, number,
                "judges " + pair_name(judgment->topic, judgment->docid) + " a second time for member " +
                    quote(judgment->member) + "; keep one of the lines");
      } else if (sorted && (judgment->topic < topic_before || (judgment->topic == topic_before && key < before))) {
        sorted = false;
        problem(name, number,
                "has " + pair_name(judgment->topic, judgment->docid) +
                    " out of order; sort by topic, member page id and docid");
      }
    }
    topic_before = judgment->topic;
    before = key;
    check_judgment(name, number, *judgment, unknown_state);
    check_history(name, number, *judgment);
    note_judges(*judgment);
    counter_.judgment(*judgment);
    evidence_->add(*judgment);
    grades.add(*judgment);
    std::string written = judgment_line(*judgment);
    check_audited_judgment(name, number, *judgment, written);
    if (!judgment->grade) unjudged_lines_.push_back(xxh3_64(written));
    return unknown_state ? "" : written;
  });
  report_.counts["judgments"] = count;
  if (!judgments_read_) return;
  check_audit_is_complete();
  check_grades(topic_before, grades);
  if (topics_read_ && passages_read_ && qrels_read_) {
    for (const auto& qrel : qrels_) {
      if (!qrel.judged) {
        problem("qrels.txt", qrel.line,
                "has " + pair_name(topics_[qrel.topic], docids_[qrel.docid]) +
                    ", for which judgments.jsonl.gz has no grade; remove the line");
      }
    }
  }
  if (members_read_) check_member_counts();
}

void Validator::check_judgment(std::string_view name, std::uint64_t number, const JudgmentRecord& judgment,
                               const std::optional<std::string>& unknown_state) {
  const std::string where = " of " + pair_name(judgment.topic, judgment.docid);
  if (unknown_state) {
    problem(name, number,
            "has the state " + quote(*unknown_state) + where + "; docs/collection.md lists the states; correct it");
  } else if (judgment.grade.has_value() != (judgment.state == JudgmentState::kJudged)) {
    problem(name, number,
            std::string(judgment.grade ? "has a grade" : "has no grade") + " in state " +
                quote(to_string(judgment.state)) + where + "; a grade and \"judged\" go together");
  }
  if (judgment.probability && !(*judgment.probability >= 0 && *judgment.probability <= 1)) {
    problem(name, number, "has a probability" + where + " that is not from 0 to 1; correct it");
  }
  if (formats::fields::is_blank(judgment.judge)) {
    problem(name, number, "does not say who judged" + where + "; name the judge");
  }
  const auto is_bad = [](const std::string& digest) { return !digest.empty() && !is_digest(digest); };
  if (!is_digest(judgment.digest) || is_bad(judgment.prompt) || is_bad(judgment.kept_from))
    problem(name, number, "has a digest" + where + " that is not hexadecimal; correct it");
  if (judgment.grade && !judgment.reply.empty())
    problem(name, number, "has a grade and a reply without one" + where + "; remove the reply");
  check_votes(name, number, judgment);
  check_judged_member(name, number, judgment);
  if (passages_read_) check_judged_passage(name, number, judgment);
}

void Validator::check_votes(std::string_view name, std::uint64_t number, const JudgmentRecord& judgment) {
  if (judgment.votes.empty()) return;
  const std::string where = " of " + pair_name(judgment.topic, judgment.docid);
  bool for_grade = !judgment.grade;
  for (const auto& vote : judgment.votes) {
    for_grade = for_grade || vote.grade == judgment.grade;
    const bool graded = vote.grade.has_value() == (vote.state == JudgmentState::kJudged);
    const bool possible = !vote.probability || (*vote.probability >= 0 && *vote.probability <= 1);
    const bool own_scale = !vote.own_grade || vote.grade;
    if (!graded || !possible || !own_scale || formats::fields::is_blank(vote.judge) || !is_digest(vote.digest))
      problem(name, number,
              "has a vote" + where +
                  " without a judge, or whose grade, state, probability and digest cannot be; correct it");
  }
  if (!for_grade) problem(name, number, "has a grade" + where + " for which there is no vote; correct it");
}

void Validator::check_judged_member(std::string_view name, std::uint64_t number, const JudgmentRecord& judgment) {
  if (topics_read_ && !topics_.find(judgment.topic)) {
    problem(name, number,
            "judges topic " + quote(judgment.topic) +
                ", which topics.tsv does not define; add the topic or remove the line");
    return;
  }
  if (!members_read_) return;
  const auto member = members_.find(member_key(judgment.topic, judgment.member_page_id));
  if (member == members_.end() || member->second.title != judgment.member) {
    problem(name, number,
            "is about member " + quote(judgment.member) + " (page " + std::to_string(judgment.member_page_id) +
                "), whom members.jsonl does not have for topic " + quote(judgment.topic) +
                "; add the member or remove the line");
    return;
  }
  ++member->second.judgments;
  if (judgment.grade.value_or(0) >= evidence_grade_) ++member->second.judged_yes;
}

void Validator::check_judged_passage(std::string_view name, std::uint64_t number, const JudgmentRecord& judgment) {
  const std::string where = " of " + pair_name(judgment.topic, judgment.docid);
  const auto docid = docids_.find(judgment.docid);
  if (!docid) {
    problem(name, number,
            "judges docid " + quote(judgment.docid) +
                ", which is not in corpus.jsonl.gz; add the passage or remove the line");
    return;
  }
  const Passage& passage = passages_[*docid];
  check_source(name, number, judgment, passage.page_id, where);
  check_ranges(name, number, "mentions", judgment.mentions, passage.code_points, where);
  check_ranges(name, number, "spans", judgment.spans, passage.code_points, where);
}

void Validator::check_ranges(std::string_view name, std::uint64_t number, const char* what,
                             const std::vector<std::pair<std::uint32_t, std::uint32_t>>& ranges, std::uint32_t length,
                             const std::string& where) {
  std::uint32_t end = 0;
  for (const auto& range : ranges) {
    if (range.first >= range.second || range.second > length || range.first < end) {
      problem(name, number,
              std::string("has ") + what + " [" + std::to_string(range.first) + ", " + std::to_string(range.second) +
                  "]" + where + ", a text of " + std::to_string(length) +
                  " code points; they must be in order, apart and inside the text");
      return;
    }
    end = range.second;
  }
}

void Validator::check_grades(const std::string& topic, TopicGrades& grades) {
  for (const auto& expected : grades.take()) {
    counter_.qrel(topic, expected.grade, expected.own_article);
    if (!topics_read_ || !passages_read_ || !qrels_read_) continue;
    const auto topic_index = topics_.find(topic);
    const auto docid = docids_.find(expected.docid);
    if (!topic_index || !docid) continue;  // reported where it is
    const auto at = std::lower_bound(qrels_.begin(), qrels_.end(), std::pair(*topic_index, *docid),
                                     [](const Qrel& qrel, const std::pair<std::uint32_t, std::uint32_t>& key) {
                                       return std::tie(qrel.topic, qrel.docid) < std::tie(key.first, key.second);
                                     });
    if (at == qrels_.end() || at->topic != *topic_index || at->docid != *docid) {
      problem("qrels.txt", 0,
              "has no line for " + pair_name(topic, expected.docid) + ", which judgments.jsonl.gz gives grade " +
                  std::to_string(expected.grade) + "; add it");
      continue;
    }
    if (at->grade != expected.grade) {
      const std::string counted = evidence_grade_ == 1 ? "is " : "counts as ";
      problem("qrels.txt", at->line,
              "gives " + pair_name(topic, expected.docid) + " grade " + std::to_string(at->grade) +
                  " where the highest grade in judgments.jsonl.gz " + counted + std::to_string(expected.grade) +
                  "; make them equal");
    }
    for (auto same = at; same != qrels_.end() && same->topic == at->topic && same->docid == at->docid; ++same) {
      same->judged = true;
    }
  }
}

void Validator::check_member_counts() {
  std::vector<const Member*> members;
  for (const auto& [key, member] : members_) members.push_back(&member);
  std::sort(members.begin(), members.end(), [](const Member* a, const Member* b) { return a->line < b->line; });
  for (const Member* member : members) {
    if (member->judgments != member->candidates || member->judged_yes != member->evidence) {
      problem("members.jsonl", member->line,
              "says " + std::to_string(member->candidates) + " candidates and " + std::to_string(member->evidence) +
                  " evidence for member " + quote(member->title) + " where judgments.jsonl.gz has " +
                  std::to_string(member->judgments) + " judgments and " + std::to_string(member->judged_yes) +
                  " with grade " + std::to_string(evidence_grade_) + " or more; make them equal");
    }
  }
}

void Validator::check_unjudged() {
  const std::string_view name = "unjudged.jsonl";
  std::uint64_t count = 0;
  bool equal = judgments_read_;
  const bool read = read_lines(name, [&](std::string_view line, std::uint64_t number) -> std::string {
    std::optional<std::string> unknown_state;  // reported for judgments.jsonl.gz
    const auto judgment = reader_.judgment(line, &unknown_state);
    if (!judgment) {
      problem(name, number, judgment.error());
      equal = false;
      return "";
    }
    std::string written = judgment_line(*judgment);
    if (equal && (count >= unjudged_lines_.size() || unjudged_lines_[count] != xxh3_64(written))) {
      equal = false;
      problem(name, number,
              "has " + pair_name(judgment->topic, judgment->docid) +
                  ", which is not the next one without a grade in judgments.jsonl.gz; make the two files equal");
    }
    ++count;
    return unknown_state ? "" : written;
  });
  report_.counts["unjudged"] = count;
  if (read && equal && count < unjudged_lines_.size()) {
    problem(name, 0,
            "has " + std::to_string(count) + " lines where judgments.jsonl.gz has " +
                std::to_string(unjudged_lines_.size()) + " without a grade; make the two files equal");
  }
}

}  // namespace touchstone::collection::evidence::validation
