#pragma once

#include "common/stop.hpp"
#include "pipeline/corpus/title_index.hpp"
#include "pipeline/evidence/discard_reason.hpp"
#include "pipeline/passages/passage_corpus.hpp"
#include "pipeline/release/topic_options.hpp"

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

namespace touchstone::pipeline::release {

/// What the judgments of one topic come to.
struct TopicTally {
  std::set<std::string> evidence;  ///< docids
  std::set<std::string> own;       ///< of them, those of a member's own article
  std::map<std::uint64_t, std::pair<std::uint64_t, std::uint64_t>> members;  ///< page id -> candidates, evidence
  std::uint64_t judgments = 0, unsure = 0;
  double probability_sum = 0;          ///< of the judgments that are evidence and have one
  std::uint64_t with_probability = 0;  ///< their number
  std::size_t moulds = 0;              ///< passages of evidence, those of one mould counted once
};

/// Adds up judgments by topic.
/// \param file            judgments, a line each
/// \param evidence_grade  lowest grade that is evidence
std::map<std::string, TopicTally> tally_topics(const std::filesystem::path& file, int evidence_grade,
                                               const passages::PassageCorpus& passages, const StopFlag& stop);

/// Why a topic is left out: a reason and the fact that decided. Nothing for topics that stay.
struct TopicDiscard {
  evidence::DiscardReason reason;
  std::string detail;
};
std::optional<TopicDiscard> discard_of(const TopicTally& tally, const TopicsOptions& options);

}  // namespace touchstone::pipeline::release
