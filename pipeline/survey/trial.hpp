#pragma once

#include "common/settings.hpp"
#include "common/stop.hpp"
#include "pipeline/evidence/evidence_records.hpp"
#include "pipeline/passages/passage_corpus.hpp"
#include "pipeline/survey/source_trial.hpp"
#include "storage/store.hpp"

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace touchstone::pipeline::survey {

/// What a trial needs of the program around it.
struct TrialPlace {
  storage::Store& store;  ///< linked; is not changed
  std::filesystem::path folder;
  const StopFlag& stop;
  int threads = 1;
};

/// Candidate passages of a topic, as far as they differ.
struct CandidateCount {
  std::uint64_t passages = 0;
  std::uint64_t outside = 0;  ///< those that are on no member's own article for that member
};

/// Whether a trial may leave out sources of candidates.
enum class SourceChoice : std::uint8_t {
  kAll,         ///< those of the settings
  kWorthwhile,  ///< of them links, and those that add enough that is right (SourceTrial::is_worthwhile()) at a
                ///< bearable price (too_expensive())
};

/// A copy of settings, all of whose values count as given.
Settings copy_of(const Settings& settings);

/// Runs the stage `groups` with these settings as `build` does, with its files in the place's folder.
std::vector<evidence::Group> try_groups(const TrialPlace& place, const Settings& settings);

/// Runs the stage `candidates` for these groups. Topic id -> candidates.
std::map<std::string, CandidateCount> try_candidates(const TrialPlace& place, const Settings& settings,
                                                     const std::vector<evidence::Group>& groups);

/// Whether more than a quarter of the topics of these groups have one or two words, which mean little outside the wiki
/// without what it is about.
bool queries_need_subject(const TrialPlace& place, const Settings& settings,
                          const std::vector<evidence::Group>& groups);

/// Texts of a sample of the pages.
struct TextSample {
  std::uint64_t passages = 0, damaged = 0;
  double damaged_share() const noexcept;
};

/// Looks at the passages of some thousands of pages, spread evenly, for all sections. They are composed without what is
/// known of all passages together.
TextSample sample_texts(const TrialPlace& place);

/// What a build with the lexical judge and some settings comes to: the topics that survive, and what they are like.
struct TrialOutcome {
  std::uint64_t groups = 0, judged = 0;  ///< groups that were kept, and those of them that were judged
  double topics = 0;                     ///< expected in a build: those of the judged groups that survive, scaled up
  std::uint64_t subjects = 0;            ///< distinct list pages of the topics that survived
  /// Passages of evidence that surviving topics have, of the judged groups; of them those outside the members' own
  /// articles.
  std::uint64_t evidence = 0, outside = 0;
  TextSample texts;                                  ///< of the corpus
  SourceTrials tried;                                ///< what each source brings to the judged groups
  std::vector<CandidateSource> sources;              ///< those that were used
  std::map<std::string, CandidateCount> candidates;  ///< of the judged groups, by topic id
  std::map<std::string, std::uint64_t> left_out;     ///< reason -> judged groups
  std::vector<std::string> queries;                  ///< of the first topics, by topic id

  double outside_share() const noexcept;
  /// A number of the judged groups, as it is expected of all groups.
  std::uint64_t of_all_groups(std::uint64_t count) const noexcept;
};

/// Builds a sample: words, gathers candidates for, and judges at most `most_groups` of these groups, those with the
/// smallest topic ids, and applies the rules by which `export` keeps topics. The store is not changed: judgments are
/// not kept. The same settings and store give the same outcome.
TrialOutcome try_build(const TrialPlace& place, const Settings& settings, std::vector<evidence::Group> groups,
                       std::size_t most_groups, SourceChoice choice);

}  // namespace touchstone::pipeline::survey
