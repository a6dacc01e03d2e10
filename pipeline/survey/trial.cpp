#include "pipeline/survey/trial.hpp"

#include "collection/health/damage.hpp"
#include "common/digest.hpp"
#include "common/files.hpp"
#include "pipeline/corpus/docids.hpp"
#include "pipeline/corpus/title_index.hpp"
#include "pipeline/corpus/wiki_language.hpp"
#include "pipeline/corpus/wiki_options.hpp"
#include "pipeline/evidence/candidate_options.hpp"
#include "pipeline/evidence/groups_options.hpp"
#include "pipeline/evidence/phrase_options.hpp"
#include "pipeline/evidence/query_template.hpp"
#include "pipeline/evidence/stages.hpp"
#include "pipeline/evidence/wording/keyword_query.hpp"
#include "pipeline/flow/local_executor.hpp"
#include "pipeline/flow/stage.hpp"
#include "pipeline/flow/work_files.hpp"
#include "pipeline/flow/work_paths.hpp"
#include "pipeline/judging/lexical/lexical_judge.hpp"
#include "pipeline/judging/question_walk.hpp"
#include "pipeline/judging/stage/judge_options.hpp"
#include "pipeline/passages/passage_composer.hpp"
#include "pipeline/passages/stages.hpp"
#include "pipeline/release/topic_tally.hpp"
#include "storage/keys.hpp"
#include "text/terms.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <set>
#include <utility>

#include <fmt/format.h>

namespace touchstone::pipeline::survey {
namespace {

/// Where the files of trials are that have the same passages, which are composed once for all of them.
flow::WorkPaths paths_of(const TrialPlace& place, const Settings& settings) {
  std::string options;
  for (std::size_t i = 0; i < settings.size(); ++i) {
    if (settings.row(i).key.starts_with("passages.")) options += settings.value_text(i) + "\n";
  }
  return {place.folder / fmt::format("{:016x}", xxh3_64(options))};
}

/// Runs one stage on the store with its files in the trial's folder.
void run_stage_in(const TrialPlace& place, const Settings& settings, const flow::StageInfo& stage) {
  const auto paths = paths_of(place, settings);
  std::filesystem::create_directories(paths.stages());
  ProgressCounters progress;
  flow::RunObjects objects;
  flow::WriteContext context(stage, {.settings = settings,
                                     .paths = paths,
                                     .store = place.store,
                                     .stop = place.stop,
                                     .progress = progress,
                                     .objects = objects,
                                     .threads = place.threads});
  flow::run_stage(stage, context);
}

CandidateCount count_candidates(const evidence::TopicCandidates& topic) {
  std::map<std::pair<PageId, std::uint32_t>, bool> outside;
  for (const auto& member : topic.members) {
    for (const auto& passage : member.passages) {
      bool& is_outside = outside.try_emplace({passage.page, passage.ordinal}, true).first->second;
      is_outside = is_outside && passage.page != member.page;
    }
  }
  CandidateCount count;
  count.passages = outside.size();
  for (const auto& [passage, is_outside] : outside) count.outside += is_outside ? 1 : 0;
  return count;
}

/// Counts what the stage `candidates` wrote. Topic id -> candidates.
std::map<std::string, CandidateCount> count_all_candidates(const std::filesystem::path& file) {
  std::map<std::string, CandidateCount> counts;
  evidence::CandidateFile::for_each(
      file, [&](const evidence::TopicCandidates& topic) { counts[topic.topic] = count_candidates(topic); });
  return counts;
}

/// Leaves sources out of the trial's candidates, and out of what the outcome uses.
void leave_out(const std::filesystem::path& candidates, const std::set<CandidateSource>& sources,
               TrialOutcome& outcome) {
  if (sources.empty()) return;
  std::erase_if(outcome.sources, [&](CandidateSource source) { return sources.contains(source); });
  drop_candidates(candidates, sources);
  outcome.candidates = count_all_candidates(candidates);
}

/// Leaves out what the sources bring whose evidence is too little or too doubtful.
void leave_out_weak(const std::filesystem::path& candidates, const std::filesystem::path& judgments,
                    TrialOutcome& outcome) {
  std::set<CandidateSource> weak;
  for (const auto source : outcome.sources) {
    if (source != CandidateSource::kLink && !outcome.tried[source].is_worthwhile()) weak.insert(source);
  }
  if (weak.empty()) return;
  leave_out(candidates, weak, outcome);
  drop_judgments(judgments, weak);
}

/// Where a trial's judgments would be kept.
class NoReplies : public llm_client::ReplyStore {
 public:
  std::optional<llm_client::StoredReply> find(std::string_view) const override { return std::nullopt; }
  std::size_t add(const std::vector<Entry>&) override { return 0; }
  void add_new(const std::vector<Entry>&) override {}
};

/// Has the lexical judge answer all questions of the trial; writes the judgments to a file.
std::filesystem::path judge_trial(const TrialPlace& place, const Settings& settings) {
  const auto paths = paths_of(place, settings);
  const NoReplies replies;
  judging::JudgeDescription description;
  description.id = judging::lexical::LexicalScorer::kId;
  description.is_baseline = description.answers_at_once = true;
  std::vector<std::unique_ptr<judging::Judge>> judges;
  judges.push_back(std::make_unique<judging::lexical::LexicalJudge>(
      judging::lexical::LexicalSettings{judging::stage::JudgeOptions{}.threshold,
                                        settings.get<evidence::GroupsOptions>().list_prefixes},
      std::move(description), replies));
  const judging::JudgePanel panel(std::move(judges), {});
  judging::QuestionWalk walk(place.store, settings.get<corpus::TextOptions>(),
                             passages::PassageCorpus(place.store, paths, settings.get<corpus::NameOptions>()),
                             judging::CandidateReader(paths.file(kGroupsFile), paths.file(kCandidatesFile)), {},
                             place.threads, place.stop);
  for (const auto& judge : panel) judge->prepare(walk.corpus());
  const auto file = paths.file(kJudgmentsFile);
  evidence::JudgmentFile::Writer out(file);
  walk.run(
      panel, judging::Ungraded::kKeep, [] {},
      [&](judging::ReadChunk& read) {
        for (const auto& reading : read.readings) out.add(reading.record);
      });
  out.finish();
  return file;
}

}  // namespace

Settings copy_of(const Settings& settings) {
  std::vector<const OptionGroup*> groups;
  for (std::size_t i = 0; i < settings.size(); ++i) groups.push_back(&settings.group(i));
  Settings copy(groups);
  copy.read_text(settings.remembered(), "survey");
  return copy;
}

std::vector<evidence::Group> try_groups(const TrialPlace& place, const Settings& settings) {
  run_stage_in(place, settings, evidence::groups_stage());
  return evidence::GroupFile::read(paths_of(place, settings).file(kGroupsFile));
}

std::map<std::string, CandidateCount> try_candidates(const TrialPlace& place, const Settings& settings,
                                                     const std::vector<evidence::Group>& groups) {
  const auto paths = paths_of(place, settings);
  std::filesystem::create_directories(paths.stages());
  evidence::GroupFile::write(paths.file(kGroupsFile), groups);
  if (!std::filesystem::exists(paths.file(kPassagesFolder))) {
    run_stage_in(place, settings, passages::boilerplate_stage());
    run_stage_in(place, settings, passages::passages_stage());
  }
  run_stage_in(place, settings, evidence::candidates_stage());
  return count_all_candidates(paths.file(kCandidatesFile));
}

bool queries_need_subject(const TrialPlace& place, const Settings& settings,
                          const std::vector<evidence::Group>& groups) {
  constexpr double kFewWords = 2;
  constexpr std::size_t kMany = 4;  // one of so many
  std::vector<const evidence::Group*> kept;
  for (const auto& group : groups) {
    if (group.kept()) kept.push_back(&group);
  }
  const corpus::TitleIndex titles(place.store, settings.get<corpus::TextOptions>());
  const auto& language = titles.site().language;
  text::TermSplitter splitter(corpus::stemmer_name(language));
  std::size_t few = 0, others = 0;
  for (const auto& query :
       evidence::template_queries(kept, place.store, titles, settings.get<evidence::PhraseOptions>())) {
    if (query.verdict == QueryVerdict::kUnworded && !evidence::lacks_subject(query)) continue;
    const bool short_one = query.verdict != QueryVerdict::kCertain &&
                           evidence::wording::count_meaning_words(splitter, language, query.query) <= kFewWords;
    ++(short_one ? few : others);
  }
  return kMany * few > few + others;
}

double TrialOutcome::outside_share() const noexcept {
  return evidence == 0 ? 0 : static_cast<double>(outside) / static_cast<double>(evidence);
}

std::uint64_t TrialOutcome::of_all_groups(std::uint64_t count) const noexcept {
  return judged == 0 ? 0 : (count * groups + judged / 2) / judged;
}

double TextSample::damaged_share() const noexcept {
  return passages == 0 ? 0 : static_cast<double>(damaged) / static_cast<double>(passages);
}

namespace {

/// Looks at the passages of some thousands of pages, spread evenly.
/// \param passages_of  of a page
template <class PassagesOf>
TextSample sample_passages(const TrialPlace& place, const PassagesOf& passages_of) {
  constexpr std::size_t kPages = 2000;
  std::vector<PageId> pages;
  for (auto cursor = place.store.cursor(storage::Family::kOutline); cursor.valid(); cursor.next()) {
    if (const auto id = storage::read_page_key(cursor.key())) pages.push_back(*id);
  }
  TextSample sample;
  const auto step = std::max<std::size_t>(1, pages.size() / kPages);
  for (std::size_t i = 0; i < pages.size(); i += step) {
    place.stop.check();
    for (const auto& passage : passages_of(pages[i])) {
      ++sample.passages;
      sample.damaged += collection::health::find_damage(passage.text) ? 1 : 0;
    }
  }
  return sample;
}

}  // namespace

TextSample sample_texts(const TrialPlace& place) {
  passages::PassagesOptions options;
  options.scope = passages::PassageScope::kAll;
  const passages::PassageComposer composer(place.store, options);
  return sample_passages(place, [&](PageId page) { return composer.passages(page); });
}

TrialOutcome try_build(const TrialPlace& place, const Settings& settings, std::vector<evidence::Group> groups,
                       std::size_t most_groups, SourceChoice choice) {
  constexpr std::size_t kShownQueries = 5;
  std::erase_if(groups, [](const auto& group) { return !group.kept(); });
  std::sort(groups.begin(), groups.end(), [](const auto& a, const auto& b) { return a.topic < b.topic; });
  TrialOutcome outcome;
  outcome.sources = settings.get<evidence::CandidatesOptions>().sources;
  outcome.groups = groups.size();
  if (groups.size() > most_groups) groups.resize(most_groups);
  outcome.judged = groups.size();
  if (groups.empty()) return outcome;
  outcome.candidates = try_candidates(place, settings, groups);
  const auto paths = paths_of(place, settings);
  const auto candidates = paths.file(kCandidatesFile);
  outcome.tried = count_questions(candidates);
  if (choice == SourceChoice::kWorthwhile) leave_out(candidates, too_expensive(outcome.tried), outcome);
  const auto judgments = judge_trial(place, settings);
  count_evidence(judgments, outcome.tried);
  if (choice == SourceChoice::kWorthwhile) leave_out_weak(candidates, judgments, outcome);
  const corpus::TitleIndex titles(place.store, settings.get<corpus::TextOptions>());
  const passages::PassageCorpus passages(place.store, paths, settings.get<corpus::NameOptions>());
  auto tallies = release::tally_topics(judgments, 1, passages, place.stop);
  std::vector<const evidence::Group*> kept;
  for (const auto& group : groups) kept.push_back(&group);
  const auto queries = evidence::template_queries(kept, place.store, titles, settings.get<evidence::PhraseOptions>());
  std::set<std::string> subjects;
  std::size_t survivors = 0;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    const auto& tally = tallies[groups[i].topic];
    const auto discard = queries[i].verdict == QueryVerdict::kUnworded
                             ? std::optional(release::TopicDiscard{evidence::DiscardReason::kUnworded, ""})
                             : release::discard_of(tally, settings.get<release::TopicsOptions>());
    if (discard) {
      ++outcome.left_out[std::string(to_string(discard->reason))];
      continue;
    }
    ++survivors;
    subjects.insert(groups[i].page);
    outcome.evidence += tally.evidence.size();
    outcome.outside += tally.evidence.size() - tally.own.size();
    if (outcome.queries.size() < kShownQueries) outcome.queries.push_back(queries[i].query);
  }
  outcome.subjects = subjects.size();
  outcome.topics =
      static_cast<double>(survivors) * static_cast<double>(outcome.groups) / static_cast<double>(outcome.judged);
  outcome.texts = sample_passages(place, [&](PageId page) { return passages.corpus_passages(page); });
  return outcome;
}

}  // namespace touchstone::pipeline::survey
