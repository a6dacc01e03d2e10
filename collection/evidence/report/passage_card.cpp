#include "collection/evidence/audit_records.hpp"
#include "collection/evidence/report/topic_view.hpp"
#include "collection/evidence/topic_grades.hpp"
#include "collection/release/page_address.hpp"
#include "collection/release/report/shown_text.hpp"
#include "common/display_text.hpp"
#include "common/number_text.hpp"
#include "common/unicode.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include <fmt/format.h>

namespace touchstone::collection::evidence::report::internal {

using namespace release::report;
namespace {

using formats::html::element;
using formats::html::Html;

constexpr std::size_t kTitleCodePoints = 300;
constexpr std::size_t kReasonCodePoints = 1000;

/// Why a judgment has no grade, by JudgmentState.
constexpr std::array<std::string_view, kJudgmentStates.size()> kStateTexts = {
    "judged",
    "not judged: the reply holds no answer of the form that was asked for",
    "not judged: the judge declined to answer",
    "not judged: a filter of the provider held the answer back",
    "not judged: the question was too long for the judge",
    "not judged: the reply was cut at its greatest length",
    "not judged: another model answered",
    "not judged: there was no reply, because the request failed",
    "not judged: several judges or samples, and no grade has more votes than the others",
    "not judged: the judge cannot tell"};

/// The part of a text that is shown, in code points.
struct Window {
  std::size_t first = 0, last = 0;
};

/// At most `limit` code points that hold the first mention.
Window window_of(const ShownPassage& shown, std::size_t length, std::size_t limit) {
  if (length <= limit) return {0, length};
  std::size_t mention = length, mention_end = 0;
  for (const auto& judgment : shown.judgments) {
    for (const auto& [start, end] : judgment.mentions) {
      if (start < mention) {
        mention = start;
        mention_end = end;
      }
    }
  }
  std::size_t first = 0;
  if (mention < length && mention_end > limit) first = std::min(mention - std::min(mention, limit / 4), length - limit);
  return {first, first + limit};
}

/// What is marked at a code point.
struct Mark {
  const JudgmentRecord* mention = nullptr;
  bool span = false;
  friend bool operator==(const Mark&, const Mark&) = default;
};

std::vector<Mark> marks_of(const ShownPassage& shown, std::size_t length) {
  std::vector<Mark> marks(length);
  for (const auto& judgment : shown.judgments) {
    for (const auto& [start, end] : judgment.mentions) {
      for (std::size_t i = start; i < std::min<std::size_t>(end, length); ++i) marks[i].mention = &judgment;
    }
    for (const auto& [start, end] : judgment.spans) {
      for (std::size_t i = start; i < std::min<std::size_t>(end, length); ++i) marks[i].span = true;
    }
  }
  return marks;
}

Html marked_piece(std::string_view text, const Mark& mark) {
  Html piece = shown(text);
  if (mark.span) piece = element("span", {{"class", "span"}}, piece);
  if (mark.mention == nullptr) return piece;
  return element("mark", {{"title", "link to " + display_text(mark.mention->member)}}, piece);
}

Html marked_text(const ShownPassage& passage, std::size_t max_code_points) {
  if (!passage.found) return element("p", {{"class", "note"}}, "corpus.jsonl.gz does not have this passage.");
  const std::string_view text = passage.passage.text;
  const auto length = count_code_points(text);
  const auto window = window_of(passage, length, max_code_points);
  const auto marks = marks_of(passage, length);
  Html out;
  if (window.first > 0) out += Html("… ");
  std::size_t at = byte_of_code_point(text, window.first);
  for (std::size_t i = window.first; i < window.last;) {
    const auto start = at;
    const auto first = i;
    for (; i < window.last && marks[i] == marks[first]; ++i) next_code_point(text, at);
    out += marked_piece(text.substr(start, at - start), marks[first]);
  }
  if (window.last < length) out += Html(" …");
  return element("p", {{"class", "text"}, {"dir", "auto"}}, out);
}

Html meter(const JudgmentRecord& judgment, bool yes) {
  if (!judgment.probability) return element("span", {{"class", "meter off"}, {"title", "no probability"}}, "–");
  const double probability = std::clamp(*judgment.probability, 0.0, 1.0);
  return element("span",
                 {{"class", yes ? "meter" : "meter off"}, {"title", "probability that the passage is evidence"}},
                 element("i", {{"style", "inline-size:" + fixed_digits(100 * probability, 0) + "%"}}, ""),
                 fixed_digits(probability, 2));
}

std::string votes_text(const JudgmentRecord& judgment) {
  if (judgment.votes.empty()) return {};
  std::size_t yes = 0, votes = 0;
  for (const auto& vote : judgment.votes) {
    if (is_by_people(judgment) && !is_of_person(vote)) continue;  // the vote of the judge before, which did not count
    ++votes;
    yes += vote.grade.value_or(0) > 0 ? 1 : 0;
  }
  return fmt::format(" ({} of {} votes say evidence)", yes, votes);
}

Html judgment_item(const JudgmentRecord& judgment, int evidence_grade) {
  const bool yes = judgment.grade && qrel_grade(*judgment.grade, evidence_grade) > 0;
  Html words = element("b", {}, shown_excerpt(judgment.member, kTitleCodePoints)) + ": " +
               verdict_text(judgment, evidence_grade) + votes_text(judgment) + ".";
  if (!judgment.reason.empty()) words += Html(" ") + shown_excerpt(judgment.reason, kReasonCodePoints);
  return element("li", {}, meter(judgment, yes), element("span", {{"dir", "auto"}}, words));
}

Html passage_header(const ShownPassage& shown_passage, const ViewOptions& options) {
  const auto& passage = shown_passage.passage;
  Html header =
      element("span", {{"class", "title"}},
              page_link(passage.title.empty() ? passage.docid : passage.title, options.base_url, passage.revision));
  if (!passage.section_path.empty()) {
    header += element("span", {{"class", "where"}, {"dir", "auto"}},
                      shown_excerpt(join_path(passage.section_path), kTitleCodePoints));
  }
  header += element("code", {{"class", "where"}}, shown_excerpt(passage.docid, kTitleCodePoints));
  if (std::any_of(shown_passage.judgments.begin(), shown_passage.judgments.end(),
                  [](const JudgmentRecord& judgment) { return judgment.own_article; }))
    header += element("span", {{"class", "pill"}}, "the member's own article");
  if (!passage.repeats.empty())
    header += element("span", {{"class", "pill"}},
                      "stands for " + counted(passage.repeats.size(), "other passage") + " with the same text");
  return element("header", {}, header);
}

}  // namespace

Html page_link(std::string_view title, std::string_view base_url, std::uint64_t revision) {
  const auto address = release::page_address(base_url, title, revision);
  const auto text = shown_excerpt(title, kTitleCodePoints);
  if (address.empty()) return element("span", {{"dir", "auto"}}, text);
  return element("a", {{"href", address}, {"rel", "noopener noreferrer"}, {"dir", "auto"}}, text);
}

std::string verdict_text(const JudgmentRecord& judgment, int evidence_grade) {
  if (!judgment.grade) {
    const auto state = judgment.state == JudgmentState::kJudged ? JudgmentState::kFailed : judgment.state;
    return std::string(kStateTexts.at(static_cast<std::size_t>(state)));
  }
  const std::string verdict = qrel_grade(*judgment.grade, evidence_grade) > 0 ? "evidence" : "no evidence";
  return evidence_grade > 1 ? fmt::format("{}, grade {}", verdict, *judgment.grade) : verdict;
}

Html passage_card(const ShownPassage& passage, const ViewOptions& options) {
  Html judgments;
  for (const auto& judgment : passage.judgments) judgments += judgment_item(judgment, options.evidence_grade);
  Html card = passage_header(passage, options) + marked_text(passage, options.max_passage_code_points) +
              element("ul", {{"class", "judgments"}}, judgments);
  if (passage.judgments.size() < passage.judgment_count) {
    card += element("p", {{"class", "note"}},
                    fmt::format("It was judged for {} more, see judgments.jsonl.gz.",
                                counted(passage.judgment_count - passage.judgments.size(), "member")));
  }
  return element("article", {{"class", "passage"}}, card);
}

}  // namespace touchstone::collection::evidence::report::internal
