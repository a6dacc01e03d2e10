#include "analysis/measures/preference_group.hpp"
#include "analysis/measures/preference_measures.hpp"
#include "analysis/measures/topic_scorer.hpp"
#include "common/error.hpp"
#include "formats/fields/quote.hpp"

#include <algorithm>
#include <limits>
#include <vector>

#include <fmt/format.h>

namespace touchstone::analysis::measures::internal {
namespace {

using formats::trec::PreferenceForm;
using formats::trec::PreferenceTable;
using formats::trec::RunEntry;

constexpr std::uint32_t kNotRetrieved = std::numeric_limits<std::uint32_t>::max();
/// Preferences that are held pair by pair, of all groups.
constexpr std::size_t kMaxPairBytes = std::size_t{1} << 30;

PreferenceForm form_of(JudgmentForm judgments) noexcept {
  return judgments == JudgmentForm::kPreferences ? PreferenceForm::kPreferences : PreferenceForm::kQrels;
}

/// The first `most` entries, with those of equal scores by ascending docid. trec_eval breaks ties so for preferences,
/// unlike for qrels.
std::vector<std::string_view> ranked_docids(std::span<const RunEntry> entries, std::uint32_t most) {
  std::vector<std::string_view> docids;
  for (std::size_t first = 0, last; first < entries.size() && docids.size() < most; first = last) {
    for (last = first; last < entries.size() && entries[last].score == entries[first].score;) ++last;
    for (std::size_t i = last; i > first; --i) docids.push_back(entries[i - 1].docid);  // from descending docids
  }
  docids.resize(std::min<std::size_t>(docids.size(), most));
  return docids;
}

/// Scores by preferences.
class PreferenceScorer final : public TopicScorer {
 public:
  PreferenceScorer(const std::filesystem::path& path, std::span<const Measure> measures, const EvaluateOptions& options)
      : table_(path, form_of(options.judgments), options.lenient), measures_(measures), most_(options.max_passages) {
    std::size_t bytes = 0;
    for (const auto& topic : table_.topics()) {
      auto& groups = groups_.emplace_back();
      for (const auto& group : topic.groups) {
        const auto where =
            fmt::format("{}: topic {}, group {}", path.string(), formats::fields::quote_for_message(topic.id),
                        formats::fields::quote_for_message(group.id));
        groups.emplace_back(group, topic.docids, where);
        bytes += groups.back().bytes();
        if (bytes > kMaxPairBytes)
          throw FormatError(
              fmt::format("{}: the groups with several sub-groups take more than {} MB of memory; divide "
                          "the file by topics",
                          path.string(), kMaxPairBytes >> 20));
      }
    }
  }

  const std::filesystem::path& path() const override { return table_.path(); }
  std::size_t topic_count() const override { return table_.topics().size(); }
  std::string_view topic(std::size_t index) const override { return table_.topics()[index].id; }
  std::optional<std::size_t> find_topic(std::string_view id) const override { return table_.find_topic(id); }
  const formats::trec::LineFaults& faults() const override { return table_.faults(); }

  TopicScores score(std::size_t topic, std::span<const RunEntry> entries) const override {
    const auto places = places_of(table_.topics()[topic].docids, ranked_docids(entries, most_));
    const PreferenceCounts counts(groups_[topic], places);
    TopicScores scores;
    for (const auto& measure : measures_) scores.values.push_back(preference_score(measure.kind, counts));
    return scores;
  }

  TopicScores score_missing(std::size_t topic) const override { return score(topic, {}); }

 private:
  /// The places of judged docids: first those retrieved, in their order, then the others in the order of their ids.
  static Places places_of(std::span<const std::string_view> docids, const std::vector<std::string_view>& ranking) {
    Places places;
    places.of.assign(docids.size(), kNotRetrieved);
    for (const auto docid : ranking) {
      const auto at = std::lower_bound(docids.begin(), docids.end(), docid);
      if (at != docids.end() && *at == docid)
        places.of[static_cast<std::size_t>(at - docids.begin())] = places.retrieved++;
    }
    std::uint32_t next = places.retrieved;
    for (auto& place : places.of) {
      if (place == kNotRetrieved) place = next++;
    }
    return places;
  }

  PreferenceTable table_;
  std::span<const Measure> measures_;
  std::uint32_t most_;
  std::vector<std::vector<PreferenceGroup>> groups_;  ///< by topic
};

}  // namespace

std::unique_ptr<TopicScorer> make_preference_scorer(const std::filesystem::path& path,
                                                    std::span<const Measure> measures, const EvaluateOptions& options) {
  return std::make_unique<PreferenceScorer>(path, measures, options);
}

}  // namespace touchstone::analysis::measures::internal
