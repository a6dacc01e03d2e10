#include "collection/evidence/collection_lines.hpp"
#include "common/error.hpp"
#include "common/files.hpp"
#include "pipeline/difference/key_matcher.hpp"
#include "pipeline/release/previous_collection.hpp"

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace touchstone::pipeline::release {
namespace {

using collection::evidence::CollectionWriter;
using collection::evidence::GoneRecord;
using collection::evidence::JudgmentRecord;
using collection::evidence::LabelHistory;
using collection::evidence::LabelReason;
using collection::evidence::LabelState;

/// The judgments of one topic, by member and docid.
using TopicJudgments = std::vector<JudgmentRecord>;

/// All digests of what was asked.
std::vector<std::string> questions_of(const JudgmentRecord& judgment) {
  std::vector<std::string> digests{judgment.digest};
  for (const auto& vote : judgment.votes) digests.push_back(vote.digest);
  return digests;
}

/// The question that was asked, of a label that is kept from an earlier one.
const std::string& asked(const JudgmentRecord& judgment) {
  return judgment.kept_from.empty() ? judgment.digest : judgment.kept_from;
}

using Labels = std::vector<JudgmentRecord*>;

bool asks_the_same(const JudgmentRecord& old, const JudgmentRecord& now) {
  return questions_of(old) == questions_of(now);
}

LabelHistory history_of(const JudgmentRecord* old, const JudgmentRecord& now, const LabelReasons& reasons) {
  if (old == nullptr) return {LabelState::kNew, reasons.of_label(now, Side::kAfter), ""};
  std::string from = old->docid == now.docid ? "" : old->docid;
  if (asks_the_same(*old, now) && old->grade == now.grade && old->state == now.state)
    return {LabelState::kCarried, std::nullopt, std::move(from)};
  if (!now.kept_from.empty()) return {LabelState::kKept, reasons.of_question(*old, now), std::move(from)};
  return {LabelState::kAskedAgain, reasons.of_question(*old, now), std::move(from)};
}

/// Gives the labels of one topic and member their history, and passes the old ones on that have no successor. The same
/// question comes first, then the one that a label is kept from, then the same passage, then the same text on another
/// page.
template <class UseGone>
void trace_member(const Labels& before, const Labels& after, const LabelReasons& reasons, const UseGone& use_gone) {
  difference::KeyMatcher<JudgmentRecord*> matcher(before, after);
  matcher.pair_by([](const auto* label) { return std::optional(std::pair(label->docid, questions_of(*label))); });
  matcher.pair_by([](const auto* label) { return std::optional(questions_of(*label)); });
  matcher.pair_by(
      [](const auto* label) { return std::optional(asked(*label)); },
      [](const auto* label) { return label->kept_from.empty() ? std::nullopt : std::optional(label->kept_from); });
  matcher.pair_by([&](const auto* label) { return reasons.now(place_of_docid(label->docid)); },
                  [](const auto* label) { return std::optional(place_of_docid(label->docid)); });
  matcher.pair_by([&](const auto* label) { return reasons.text_of(*label, Side::kBefore); },
                  [&](const auto* label) { return reasons.text_of(*label, Side::kAfter); });
  for (std::uint32_t i = 0; i < after.size(); ++i) {
    const auto old = matcher.old_of(i);
    after[i]->history = history_of(old == difference::kNoPart ? nullptr : before[old], *after[i], reasons);
  }
  for (std::uint32_t i = 0; i < before.size(); ++i) {
    if (matcher.is_free_before(i)) use_gone(*before[i]);
  }
}

class LabelTrace {
 public:
  LabelTrace(const LabelReasons& reasons, NextJudgment next, CollectionWriter& writer)
      : reasons_(reasons), next_(std::move(next)), writer_(writer), pending_(next_()) {}

  /// Takes the judgments of a topic of the previous collection; they come by topic.
  void take(TopicJudgments& before) {
    if (before.empty()) return;
    while (pending_ && pending_->topic < before.front().topic) write_new();
    if (pending_ && pending_->topic == before.front().topic) {
      auto after = next_topic();
      write_both(before, after);
    } else {
      const auto reason = reasons_.of_topic(before.front().topic, Side::kBefore);
      for (const auto& label : before) write_gone(label, reason);
    }
    reasons_.forget();
  }
  void finish() {
    while (pending_) write_new();
  }

 private:
  TopicJudgments next_topic() {
    TopicJudgments topic;
    do {
      topic.push_back(std::move(*pending_));
      pending_ = next_();
    } while (pending_ && pending_->topic == topic.front().topic);
    return topic;
  }

  void write_new() {
    auto topic = next_topic();
    const auto reason = reasons_.of_topic(topic.front().topic, Side::kAfter);
    for (auto& label : topic) {
      label.history = {LabelState::kNew, reason, ""};
      writer_.add(label);
    }
    reasons_.forget();
  }

  void write_both(TopicJudgments& before, TopicJudgments& after) {
    std::map<std::uint64_t, std::pair<Labels, Labels>> members;
    for (auto& label : before) members[label.member_page_id].first.push_back(&label);
    for (auto& label : after) members[label.member_page_id].second.push_back(&label);
    for (auto& [member, labels] : members) {
      trace_member(labels.first, labels.second, reasons_,
                   [&](const JudgmentRecord& label) { write_gone(label, reasons_.of_label(label, Side::kBefore)); });
    }
    for (const auto& label : after) writer_.add(label);
  }

  void write_gone(const JudgmentRecord& label, LabelReason reason) {
    writer_.add(GoneRecord{label.topic, label.docid, label.member, label.member_page_id, label.grade, reason});
  }

  const LabelReasons& reasons_;
  const NextJudgment next_;
  CollectionWriter& writer_;
  std::optional<JudgmentRecord> pending_;
};

}  // namespace

void write_judgments_with_history(const PreviousCollection& previous, const LabelReasons& reasons,
                                  const NextJudgment& next, CollectionWriter& writer) {
  LabelTrace trace(reasons, next, writer);
  collection::evidence::CollectionLineReader reader;
  TopicJudgments topic;
  for_each_line(
      previous.judgments(),
      [&](std::string_view line, std::uint64_t number) {
        auto judgment = reader.judgment(line);
        if (!judgment)
          throw FormatError(fmt::format("{}:{}: {}; touchstone validate lists all that is wrong with the collection",
                                        previous.judgments().string(), number, judgment.error()));
        if (!topic.empty() && topic.front().topic != judgment->topic) {
          trace.take(topic);
          topic.clear();
        }
        topic.push_back(std::move(*judgment));
        return true;
      },
      collection::evidence::kMaxCollectionLineBytes);
  trace.take(topic);
  trace.finish();
}

}  // namespace touchstone::pipeline::release
