#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

/// Scores of answers in text: which members of a topic they state, what else they state, and what they cite.
namespace touchstone::analysis::measures {

/// What one answer states about one topic. Titles are sorted and distinct.
struct TopicAnswer {
  std::string topic;
  std::vector<std::string> stated = {};       ///< members
  std::vector<std::string> missing = {};      ///< members that are not stated
  std::vector<std::string> unsupported = {};  ///< of `stated`: no cited passage is evidence for them
  std::vector<std::string> others = {};       ///< other pages that are stated
  std::uint64_t listed_others = 0;            ///< of `others`: members of other topics
  std::uint64_t nameless = 0;                 ///< members that no name tells; they are in no list above
  std::uint64_t citations = 0;                ///< distinct passages
  std::uint64_t citations_evidence = 0;       ///< of these: evidence for a member of the topic
};

enum class AnswerMeasure : std::uint8_t {
  kRecall,             ///< stated members / members
  kPrecision,          ///< stated members / (stated members + other pages); 0 if nothing is stated
  kF1,                 ///< harmonic mean of these two
  kListedPrecision,    ///< as kPrecision, with members of other topics alone as other pages
  kSupported,          ///< share of the stated members that a cited passage supports; no value if none is stated
  kCitationPrecision,  ///< share of the citations that are evidence; no value without a citation
  // Counts; over all topics their sums.
  kMembers,
  kStated,
  kOthers,
  kListedOthers,
  kUnsupported,
  kNameless,
};
inline constexpr std::size_t kAnswerMeasures = 12;
inline constexpr std::size_t kAnswerShares = 6;  ///< the first of them are shares, the others counts

inline constexpr std::array<std::string_view, kAnswerMeasures> kAnswerMeasureNames = {
    "member_recall", "member_precision", "member_f1",  "listed_precision",  "supported",       "citation_precision",
    "num_members",   "num_stated",       "num_others", "num_listed_others", "num_unsupported", "num_nameless"};

/// One value for each measure, in the order of AnswerMeasure; NaN where there is no value.
using AnswerValues = std::array<double, kAnswerMeasures>;

/// A value over all topics. Shares are means over the topics that have a value, and have intervals if there are at
/// least two; NaN otherwise.
struct AnswerMean {
  double value, low, high;
};

struct AnswerOptions {
  std::uint32_t resamples = 1000;  ///< of the bootstrap; at least 100
  std::uint64_t seed = 1;
};

struct AnswerScores {
  std::vector<AnswerValues> topics;  ///< in the order of the answers
  std::array<AnswerMean, kAnswerMeasures> means;
};

/// Scores the answers to the topics of one collection. Intervals have 95 %: the percentile bootstrap over topics, from
/// the 2.5 % to the 97.5 % quantile of the means of the resamples. Source: B. Efron, R. Tibshirani, "An Introduction to
/// the Bootstrap", 1993, section 13.3. The same answers and seed give the same bits. Pure and thread-safe.
AnswerScores score_answers(const std::vector<TopicAnswer>& answers, const AnswerOptions& options = {});

}  // namespace touchstone::analysis::measures
