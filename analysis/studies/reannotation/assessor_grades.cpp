#include "analysis/studies/reannotation/assessor_grades.hpp"

#include "common/error.hpp"

#include <algorithm>
#include <map>
#include <string_view>
#include <unordered_map>

#include <fmt/format.h>

namespace touchstone::analysis::studies::reannotation {
namespace {

constexpr std::size_t kStrayDivisor = 10;  ///< see AssessorBlock

agreement::Ratings read_all(const std::filesystem::path& qrels, const std::vector<std::filesystem::path>& files) {
  if (files.size() < 2) {
    throw ConfigError(fmt::format(
        "{} assessor is given; this study needs the qrels of at least 2: name the files, or their folder, with "
        "--assessors",
        files.size()));
  }
  std::vector<std::filesystem::path> all = {qrels};
  all.insert(all.end(), files.begin(), files.end());
  return agreement::read_ratings(all);
}

}  // namespace

AssessorGrades::AssessorGrades(const JudgedRuns& runs, const std::vector<std::filesystem::path>& files)
    : ratings_(read_all(runs.qrels(), files)), topics_(runs.topic_count()) {
  std::unordered_map<std::string_view, std::size_t> topic_of;
  std::vector<std::unordered_map<std::string_view, std::size_t>> number(runs.topic_count());
  for (std::size_t t = 0; t < runs.topic_count(); ++t) {
    topic_of.emplace(runs.topic(t), t);
    for (const auto docid : runs.docids(t)) number[t].emplace(docid, number[t].size());
  }
  for (const auto& [topic, docid] : ratings_.items) {
    const auto at = topic_of.find(topic);
    if (at != topic_of.end()) number[at->second].emplace(docid, number[at->second].size());
  }
  const auto assessors = ratings_.assessors.size();
  for (std::size_t t = 0; t < topics_.size(); ++t) {
    topics_[t].passages = number[t].size();
    topics_[t].grades.assign(number[t].size() * assessors, kNone);
  }
  for (std::size_t i = 0; i < ratings_.items.size(); ++i) {
    const auto at = topic_of.find(ratings_.items[i].first);
    if (at == topic_of.end()) continue;
    auto& topic = topics_[at->second];
    const auto passage = number[at->second].at(ratings_.items[i].second);
    for (std::size_t a = 0; a < assessors; ++a) {
      if (const int grade = ratings_.at(i, a); grade != agreement::Ratings::kMissing)
        topic.grades[a * topic.passages + passage] = static_cast<std::int16_t>(grade);
    }
  }
  find_blocks();
  if (blocks_.empty())
    throw ConfigError(
        "no assessor judged a topic that the qrels and the runs share; are the files of the same topics?");
}

void AssessorGrades::find_blocks() {
  std::map<std::vector<std::size_t>, std::vector<std::size_t>> topics_of;
  for (std::size_t t = 0; t < topics_.size(); ++t) {
    std::vector<std::size_t> judged(ratings_.assessors.size(), 0);
    for (std::size_t a = 1; a < judged.size(); ++a) {
      for (std::size_t p = 0; p < topics_[t].passages; ++p) judged[a] += grade(t, a, p) != kNone ? 1 : 0;
    }
    const auto most = *std::max_element(judged.begin(), judged.end());
    std::vector<std::size_t> who;
    for (std::size_t a = 1; a < judged.size(); ++a) {
      if (judged[a] > 0 && kStrayDivisor * judged[a] >= most) who.push_back(a);
    }
    if (!who.empty()) topics_of[who].push_back(t);
  }
  for (const auto& [who, topics] : topics_of) blocks_.push_back({who, topics});
}

}  // namespace touchstone::analysis::studies::reannotation
