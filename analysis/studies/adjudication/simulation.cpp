#include "analysis/studies/adjudication/simulation.hpp"

#include "common/digest.hpp"

#include <algorithm>
#include <unordered_map>

namespace touchstone::analysis::studies::adjudication {

PooledTopics::PooledTopics(const JudgedRuns& runs, std::span<const std::size_t> pooling, std::size_t depth,
                           int min_grade)
    : runs_(runs), min_grade_(min_grade) {
  for (std::size_t t = 0; t < runs.topic_count(); ++t) {
    std::unordered_map<std::string_view, std::uint32_t> judged;
    for (std::uint32_t passage = 0; passage < runs.judged_count(t); ++passage) {
      if (runs.grade(t, passage) >= 0) judged.emplace(runs.docids(t)[passage], passage);
    }
    std::vector<std::vector<std::string_view>> rankings;
    for (const auto system : pooling) {
      auto& ranking = rankings.emplace_back();
      const auto passages = runs.ranking(system, t);
      for (const auto passage : passages.first(std::min(depth, passages.size())))
        ranking.push_back(runs.docids(t)[passage]);
    }
    Topic topic;
    topic.pool =
        methods::make_topic_pool(rankings, depth, [&](std::string_view docid) { return judged.contains(docid); });
    topic.seed = xxh3_64(runs.topic(t));
    auto& labels = gold_.emplace_back(runs.judged_count(t));
    for (const auto& docid : topic.pool.docids) {
      const auto passage = judged.at(docid);
      topic.passages.push_back(passage);
      labels.set(passage, runs.grade(t, passage));
      relevant_ += runs.grade(t, passage) >= min_grade ? 1 : 0;
    }
    documents_ += topic.passages.size();
    topics_.push_back(std::move(topic));
  }
}

PooledTopics::Collected PooledTopics::collect(const methods::AdjudicationOptions& options) const {
  Collected collected;
  for (std::size_t t = 0; t < topics_.size(); ++t) {
    const auto& topic = topics_[t];
    auto& labels = collected.labels.emplace_back(runs_.judged_count(t));
    const auto adjudicator = methods::make_adjudicator(options, topic.pool, topic.seed);
    for (std::size_t judged = 0; judged < options.budget; ++judged) {
      const auto document = adjudicator->next();
      if (!document) break;
      const auto passage = topic.passages[*document];
      const auto grade = runs_.grade(t, passage);
      labels.set(passage, grade);
      adjudicator->judge(grade >= min_grade_);
      ++collected.judged;
      collected.relevant += grade >= min_grade_ ? 1 : 0;
    }
  }
  return collected;
}

}  // namespace touchstone::analysis::studies::adjudication
