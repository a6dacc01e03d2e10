#include "collection/evidence/evidence_texts.hpp"

#include "collection/health/moulds.hpp"
#include "collection/health/passage_health.hpp"
#include "common/number_text.hpp"

#include <fmt/format.h>

namespace touchstone::collection::evidence::internal {
namespace {

using health::such_as;

constexpr double kMostOfOneMould = 0.25;
constexpr double kMostBystanders = 0.02;
constexpr double kMostUnsure = 0.6;
constexpr double kUnsureTopic = 0.5;  ///< share of unsure judgments of a doubtful topic
constexpr double kMostDoubtful = 0.25;
constexpr double kMostKeywords = 0.8;

constexpr auto kDiffers = health::Remedy::Unless::kDiffers, kLacks = health::Remedy::Unless::kLacks;

}  // namespace

void EvidenceTexts::add(const TopicRecord& topic) {
  ++topics_;
  unworded_ += topic.query_verdict == QueryVerdict::kUnworded ? 1 : 0;
  if (topic.query_verdict == QueryVerdict::kKeywords && keywords_++ == 0) keyword_sample_ = topic.query;
}

void EvidenceTexts::add(const JudgmentRecord& judgment, int evidence_grade) {
  ++judgments_;
  const bool unsure = judgment.state == JudgmentState::kUnsure;
  unsure_ += unsure ? 1 : 0;
  auto& [all, doubtful] = of_topic_[judgment.topic];
  ++all;
  doubtful += unsure ? 1 : 0;
  if (judgment.grade.value_or(0) < evidence_grade) return;
  auto& spans = evidence_[judgment.docid];
  spans.insert(spans.end(), judgment.mentions.begin(), judgment.mentions.end());
  if (judgment.own_article) return;
  ++outside_;
  // A near copy represents the passage in which the member is named.
  if (judgment.mentions.empty() && bystanders_++ == 0) bystander_sample_ = judgment.docid;
}

void EvidenceTexts::add(const PassageRecord& passage) {
  const auto found = evidence_.find(passage.docid);
  if (found == evidence_.end()) return;
  const bool fresh = moulds_.insert(health::mould_of(passage.text, {passage.title}, found->second)).second;
  if (!fresh && repeated_moulds_++ == 0) mould_sample_ = passage.docid;
}

std::vector<health::HealthCheck> EvidenceTexts::checks(const health::RunOptions& options) const {
  std::vector<health::HealthCheck> checks;
  const auto add = [&](const char* name, double value, double threshold, std::string verdict,
                       const std::vector<health::Remedy>& remedies) {
    checks.push_back(health::at_most(name, value, threshold, std::move(verdict), remedies, options));
  };
  add("keyword_queries", health::share_of(keywords_ + unworded_, topics_), kMostKeywords,
      fmt::format("{} of {} have a query of keywords{}, because their titles and headings make no phrase.",
                  with_commas(keywords_ + unworded_), health::counted(topics_, "topic"), such_as(keyword_sample_)),
      {{"write better words into queries-review.tsv of the work directory with the decision \"reword\", and build with "
        "--set "
        "phrase.review=FILE"},
       {"choose a language model as judge (judge.kind), which words the queries", kDiffers, "judge.kind",
        health::kLexical}});
  add("evidence_of_one_mould", health::share_of(repeated_moulds_, evidence_.size()), kMostOfOneMould,
      fmt::format("{} of {} are of the same mould as an earlier one{}: equal but for names and numbers.",
                  with_commas(repeated_moulds_), health::counted(evidence_.size(), "evidence passage"),
                  such_as(mould_sample_)),
      {{"drop topics of such evidence in queries-review.tsv of the work directory (decision \"drop\"), and build with "
        "--set phrase.review=FILE"}});
  add("bystander_evidence", health::share_of(bystanders_, outside_), kMostBystanders,
      fmt::format("{} of {} for members of other articles do not name the member{}.", with_commas(bystanders_),
                  health::counted(outside_, "evidence judgment"), such_as(bystander_sample_)),
      {{"leave \"page\" out of candidates.sources", kLacks, "candidates.sources", "\"page\""},
       {"choose a language model as judge (judge.kind)", kDiffers, "judge.kind", health::kLexical}});
  if (outside_ == 0) health::leave_unmeasured(checks.back(), "there is no evidence of other articles");
  add("unsure_judgments", health::share_of(unsure_, judgments_), kMostUnsure,
      fmt::format("The judge could not tell for {} of {}; these passages are not in the qrels.", with_commas(unsure_),
                  health::counted(judgments_, "candidate")),
      {{"choose a language model as judge (judge.kind), which reads what words alone do not tell", kDiffers,
        "judge.kind", health::kLexical}});
  std::uint64_t doubtful_topics = 0;
  for (const auto& [topic, counts] : of_topic_)
    doubtful_topics += static_cast<double>(counts.second) > kUnsureTopic * static_cast<double>(counts.first) ? 1 : 0;
  add("doubtful_topics", health::share_of(doubtful_topics, topics_), kMostDoubtful,
      fmt::format("For {} of {}, the judge could not tell about more than {:.0f} % of the candidates.",
                  with_commas(doubtful_topics), health::counted(topics_, "topic"), 100 * kUnsureTopic),
      {{"set topics.max_unsure = 0.5, which leaves them out", health::Remedy::Unless::kAtMost, "topics.max_unsure",
        "0.5"},
       {"choose a language model as judge (judge.kind)", kDiffers, "judge.kind", health::kLexical}});
  return checks;
}

}  // namespace touchstone::collection::evidence::internal
