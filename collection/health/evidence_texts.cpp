#include "collection/health/evidence_texts.hpp"

#include "collection/health/moulds.hpp"
#include "collection/health/passage_health.hpp"
#include "common/number_text.hpp"
#include "formats/fields/quote.hpp"

#include <fmt/format.h>

namespace touchstone::collection::health::internal {
namespace {

using formats::fields::quote_for_message;

constexpr double kMostOfOneMould = 0.25;
constexpr double kMostBystanders = 0.02;
constexpr double kMostUnsure = 0.6;
constexpr double kMostKeywords = 0.8;

std::string such_as(const std::string& sample) {
  return sample.empty() ? "" : ", such as " + quote_for_message(sample);
}

}  // namespace

void EvidenceTexts::add(const TopicRecord& topic) {
  ++topics_;
  unworded_ += topic.query_verdict == QueryVerdict::kUnworded ? 1 : 0;
  if (topic.query_verdict == QueryVerdict::kKeywords && keywords_++ == 0) keyword_sample_ = topic.query;
}

void EvidenceTexts::add(const JudgmentRecord& judgment, int evidence_grade) {
  ++judgments_;
  unsure_ += judgment.state == JudgmentState::kUnsure ? 1 : 0;
  if (judgment.grade.value_or(0) < evidence_grade) return;
  auto& spans = evidence_[judgment.docid];
  spans.insert(spans.end(), judgment.mentions.begin(), judgment.mentions.end());
  if (judgment.own_article) return;
  ++outside_;
  // A near copy stands for the passage in which the member is named.
  if (judgment.mentions.empty() && bystanders_++ == 0) bystander_sample_ = judgment.docid;
}

void EvidenceTexts::add(const PassageRecord& passage) {
  const auto found = evidence_.find(passage.docid);
  if (found == evidence_.end()) return;
  const bool fresh = moulds_.insert(mould_of(passage.text, {passage.title}, found->second)).second;
  if (!fresh && repeated_moulds_++ == 0) mould_sample_ = passage.docid;
}

std::vector<HealthCheck> EvidenceTexts::checks() const {
  std::vector<HealthCheck> checks;
  const auto add = [&](std::string name, double value, double threshold, std::string verdict, std::string remedy) {
    checks.push_back({.name = std::move(name),
                      .value = value,
                      .threshold = threshold,
                      .verdict = std::move(verdict),
                      .remedy = std::move(remedy)});
  };
  add("keyword_queries", share_of(keywords_ + unworded_, topics_), kMostKeywords,
      fmt::format("{} of {} have a query of keywords{}, because their titles and headings make no phrase.",
                  with_commas(keywords_ + unworded_), counted(topics_, "topic"), such_as(keyword_sample_)),
      "write better words into queries-review.tsv of the work directory and build with --set phrase.review=FILE, or "
      "set phrase.source = \"judge\" with a language model as judge.");
  add("evidence_of_one_mould", share_of(repeated_moulds_, evidence_.size()), kMostOfOneMould,
      fmt::format("{} of {} are of the same mould as an earlier one{}: equal but for names and numbers.",
                  with_commas(repeated_moulds_), counted(evidence_.size(), "evidence passage"), such_as(mould_sample_)),
      "set passages.scope = \"all\" if it is \"lead\": leads of stubs are much alike.");
  add("bystander_evidence", share_of(bystanders_, outside_), kMostBystanders,
      fmt::format("{} of {} for members of other articles do not name the member{}.", with_commas(bystanders_),
                  counted(outside_, "evidence judgment"), such_as(bystander_sample_)),
      "leave \"page\" out of candidates.sources, or choose a language model as judge.");
  add("unsure_judgments", share_of(unsure_, judgments_), kMostUnsure,
      fmt::format("The judge could not tell for {} of {}; these passages are not in the qrels.", with_commas(unsure_),
                  counted(judgments_, "candidate")),
      "choose a language model as judge (judge.kind), which reads what words alone do not tell.");
  return checks;
}

}  // namespace touchstone::collection::health::internal
