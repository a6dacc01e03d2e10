#include "pipeline/release/topic_tally.hpp"

#include "collection/health/moulds.hpp"
#include "common/files.hpp"
#include "pipeline/corpus/docids.hpp"
#include "pipeline/evidence/evidence_records.hpp"

#include <algorithm>
#include <unordered_map>
#include <vector>

#include <fmt/format.h>
#include <oneapi/tbb/parallel_for.h>

namespace touchstone::pipeline::release {
namespace {

using evidence::DiscardReason;
using Spans = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

/// The moulds of passages, by docid.
/// \param mentions  names of members in them
std::unordered_map<std::string, std::string> find_moulds(const std::unordered_map<std::string, Spans>& mentions,
                                                         const passages::PassageCorpus& passages,
                                                         const StopFlag& stop) {
  std::set<PageId> distinct;
  for (const auto& [docid, spans] : mentions) distinct.insert(corpus::page_of_docid(docid));
  const std::vector<PageId> pages(distinct.begin(), distinct.end());
  std::vector<std::vector<std::pair<std::string, std::string>>> of_page(pages.size());
  oneapi::tbb::parallel_for(std::size_t{0}, pages.size(), [&](std::size_t i) {
    stop.check();
    const auto article = passages.article(pages[i]);
    if (!article) return;
    for (const auto& passage : article->passages) {
      auto docid = passages.docid(pages[i], passage.ordinal);
      const auto found = mentions.find(docid);
      if (found == mentions.end()) continue;
      auto spans = found->second;
      for (const auto& link : passage.links) spans.emplace_back(link.begin, link.end);
      auto mould =
          collection::health::mould_of(passage.text, {article->title}, spans, collection::health::Gloss::kSaid);
      of_page[i].emplace_back(std::move(docid), std::move(mould));
    }
  });
  std::unordered_map<std::string, std::string> moulds;
  for (auto& some : of_page) moulds.insert(some.begin(), some.end());
  return moulds;
}

}  // namespace

std::map<std::string, TopicTally> tally_topics(const std::filesystem::path& file, int evidence_grade,
                                               const passages::PassageCorpus& passages, const StopFlag& stop) {
  std::map<std::string, TopicTally> tallies;
  std::unordered_map<std::string, Spans> mentions;
  evidence::JudgmentFile::for_each(file, [&](const collection::evidence::JudgmentRecord& judgment) {
    auto& topic = tallies[judgment.topic];
    auto& [candidates, evidence] = topic.members[judgment.member_page_id];
    ++candidates;
    ++topic.judgments;
    if (judgment.state == JudgmentState::kUnsure) ++topic.unsure;
    if (judgment.grade.value_or(0) < evidence_grade) return;
    ++evidence;
    topic.evidence.insert(judgment.docid);
    if (judgment.own_article) topic.own.insert(judgment.docid);
    auto& spans = mentions[judgment.docid];
    spans.insert(spans.end(), judgment.mentions.begin(), judgment.mentions.end());
    if (judgment.probability) {
      topic.probability_sum += *judgment.probability;
      ++topic.with_probability;
    }
  });
  const auto moulds = find_moulds(mentions, passages, stop);
  for (auto& [id, topic] : tallies) {
    std::set<std::string> distinct;
    for (const auto& docid : topic.evidence) {
      const auto found = moulds.find(docid);
      distinct.insert(found == moulds.end() ? docid : found->second);
    }
    topic.moulds = distinct.size();
  }
  return tallies;
}

std::optional<TopicDiscard> discard_of(const TopicTally& tally, const TopicsOptions& options) {
  if (tally.moulds < static_cast<std::size_t>(options.min_evidence)) {
    auto detail = fmt::format("{} passages", tally.evidence.size());
    if (tally.moulds < tally.evidence.size())
      detail += fmt::format(" of {} {}", tally.moulds, tally.moulds == 1 ? "pattern" : "patterns");
    return TopicDiscard{DiscardReason::kTooLittleEvidence, detail + fmt::format(", {} needed", options.min_evidence)};
  }
  const double mean =
      tally.with_probability == 0 ? 1 : tally.probability_sum / static_cast<double>(tally.with_probability);
  if (mean < options.min_probability) {
    return TopicDiscard{DiscardReason::kDoubtfulEvidence,
                        fmt::format("mean probability {:.2f}, {:.2f} needed", mean, options.min_probability)};
  }
  if (static_cast<double>(tally.unsure) > options.max_unsure * static_cast<double>(tally.judgments)) {
    return TopicDiscard{DiscardReason::kDoubtfulEvidence,
                        fmt::format("the judge is unsure about {} of {} candidates", tally.unsure, tally.judgments)};
  }
  return std::nullopt;
}

}  // namespace touchstone::pipeline::release
