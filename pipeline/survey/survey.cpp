#include "pipeline/survey/survey.hpp"

#include "common/error.hpp"
#include "pipeline/corpus/ingest_options.hpp"
#include "pipeline/corpus/wiki_options.hpp"
#include "pipeline/evidence/candidate_options.hpp"
#include "pipeline/evidence/phrase_options.hpp"
#include "pipeline/evidence/wording/wiki_subject.hpp"
#include "pipeline/passages/passage_options.hpp"
#include "pipeline/release/topic_options.hpp"
#include "pipeline/survey/settings_choices.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace touchstone::pipeline::survey {
namespace {

using automatic::selection::AutomaticOptions;
using evidence::GroupsOptions;
using evidence::MemberSource;
using passages::Granularity;
using passages::PassageScope;
using passages::PassagesOptions;

constexpr std::uint64_t kMaxParts = 3'000'000;  ///< columns, sections with items, and links in them, held in memory
constexpr std::size_t kMaxChoices = 3;
constexpr std::uint64_t kEnoughQueryPages = 20;
constexpr double kPartOfList = 0.2;       ///< for groups.min_resolved_ratio
constexpr std::size_t kMostGroups = 150;  ///< judged in a trial

class Survey {
 public:
  Survey(const TrialPlace& place, const Settings& settings, const std::vector<flow::SourceInput>& sources)
      : place_(place), settings_(settings), sources_(sources) {}

  SurveyResult run() {
    const auto facts = take_census(place_, settings_);
    result_.min_evidence = static_cast<std::uint64_t>(settings_.get<release::TopicsOptions>().min_evidence);
    describe_wiki(facts);
    explore(facts);
    choose();
    survey_automatic(facts);
    recommend();
    return std::move(result_);
  }

 private:
  void describe_wiki(const WikiCensus& facts) {
    const auto& name = settings_.get<corpus::NameOptions>().name;
    result_.wiki = name.empty() ? facts.site.db_name : name;
    if (result_.wiki.empty()) result_.wiki = "wiki";
    result_.language = facts.site.language;
    result_.subject = evidence::wording::wiki_subject(facts.site.site_name);
    result_.articles = facts.articles;
    result_.is_dump =
        std::any_of(sources_.begin(), sources_.end(), [](const auto& source) { return source.kind == "dump"; });
    result_.list_pages = facts.list_pages;
    for (const auto& [ns, pages] : facts.namespaces) {
      if (ns == kNamespaceMain) continue;
      auto text = facts.site.prefixed({ns, ""});
      if (text.ends_with(':')) text.pop_back();
      result_.other_pages.emplace_back(text, pages);
    }
    result_.templates = template_share(place_.store, settings_, sources_, place_.stop);
    result_.expands = settings_.get<corpus::IngestOptions>().templates == extractors::wikitext::TemplateMode::kExpand;
  }

  /// Finds all groups that any setting could give, and what titles, headers and headings they come from.
  void explore(const WikiCensus& facts) {
    affixes_ = facts.affixes.chosen();
    result_.all_pages_tried = facts.list_parts <= kMaxParts;
    if (affixes_.empty() && !result_.all_pages_tried) return;
    auto wide = copy_of(settings_);
    auto& options = wide.edit<GroupsOptions>();
    options.sources = {MemberSource::kTable, MemberSource::kListItem};
    options.header = ".";
    options.columns = evidence::ColumnChoice::kAll;
    options.min_resolved_ratio = std::min(options.min_resolved_ratio, kPartOfList);
    options.list_prefixes = result_.all_pages_tried ? std::vector<std::string>{"*"} : affixes_;
    explored_ = try_groups(place_, wide);
    // What is below "See also" is not a list of things of one kind.
    std::erase_if(explored_, [&](const evidence::Group& group) {
      return is_from_list(group) && !group.section_path.empty() && facts.headings.knows(group.section_path.back());
    });
    std::erase_if(explored_, [&](const evidence::Group& group) { return names_lists(group, affixes_); });
    const auto candidates = try_candidates(place_, wide, explored_);
    const GroupCensus census(place_.store, explored_, candidates, result_.min_evidence);
    keep_titles(facts, census.by_title(affixes_));
    result_.headers = census.by_header();
    result_.headings = census.by_heading();
  }

  /// Titles that only look like those of lists, but give no groups, are of no use.
  void keep_titles(const WikiCensus& facts, std::vector<GroupRow> rows) {
    affixes_.clear();
    for (auto& row : rows) {
      if (row.counts.groups == 0) continue;
      affixes_.push_back(row.name);
      for (const auto& affix : facts.affixes.counted()) {
        if (affix.text == row.name) row.pages_of_name = affix.pages;
      }
      result_.titles.push_back(std::move(row));
    }
  }

  /// Builds a sample with these settings.
  /// \param may_add_subject  adds what the wiki is about to queries that mean little without it
  SettingsChoice try_settings(std::string name, Settings settings, SourceChoice sources,
                              bool may_add_subject = false) const {
    const auto groups = try_groups(place_, settings);
    if (may_add_subject) add_subject(settings, groups);
    auto outcome = try_build(place_, settings, groups, kMostGroups, sources);
    settings.edit<evidence::CandidatesOptions>().sources = outcome.sources;
    auto counts = GroupCensus(place_.store, groups, outcome.candidates, result_.min_evidence).count_all();
    return {std::move(name), std::move(settings), std::move(counts), std::move(outcome)};
  }

  void add_subject(Settings& settings, const std::vector<evidence::Group>& groups) const {
    auto& phrase = settings.edit<evidence::PhraseOptions>();
    if (phrase.subject.empty() && queries_need_subject(place_, settings, groups)) phrase.subject = result_.subject;
  }

  /// Tries a plan with leads and with all sections as passages, unless the user chose, and keeps the better one.
  SettingsChoice try_plan(const GroupsPlan& plan) const {
    auto settings = copy_of(settings_);
    settings.edit<GroupsOptions>() = plan.options;
    auto& tried = settings.edit<evidence::CandidatesOptions>().sources;
    const bool may_choose = tried == evidence::CandidatesOptions().sources;
    if (may_choose) tried = {CandidateSource::kLink, CandidateSource::kMention, CandidateSource::kPage};
    const auto sources = may_choose ? SourceChoice::kWorthwhile : SourceChoice::kAll;
    auto choice = try_settings(plan.name, copy_of(settings), sources, true);
    if (choice.outcome.groups == 0 || !has_default_passages()) return choice;
    settings.edit<PassagesOptions>().scope = PassageScope::kAll;
    auto whole = try_settings(plan.name + ", passages from whole articles", std::move(settings), sources, true);
    return trial_worth(whole.outcome, plan.weight) > trial_worth(choice.outcome, plan.weight) ? std::move(whole)
                                                                                              : std::move(choice);
  }

  bool has_default_passages() const {
    const auto& passages = settings_.get<PassagesOptions>();
    const PassagesOptions standard;
    return passages.scope == standard.scope && passages.granularity == standard.granularity;
  }

  void choose() {
    result_.current = try_settings("as given", copy_of(settings_), SourceChoice::kAll);
    note_fruitless(result_.current->outcome);
    std::vector<std::pair<double, SettingsChoice>> tried;
    for (const auto& plan :
         groups_plans(settings_.get<GroupsOptions>(), explored_, affixes_, result_.all_pages_tried)) {
      auto choice = try_plan(plan);
      note_fruitless(choice.outcome);
      if (choice.outcome.topics == 0) continue;
      const auto worth = trial_worth(choice.outcome, plan.weight);
      tried.emplace_back(worth, std::move(choice));
    }
    std::stable_sort(tried.begin(), tried.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
    for (auto& [worth, choice] : tried) {
      if (result_.choices.size() < kMaxChoices) result_.choices.push_back(std::move(choice));
    }
  }

  void note_fruitless(const TrialOutcome& outcome) {
    if (outcome.topics > 0) return;
    if (!result_.fruitless || outcome.groups > result_.fruitless->groups) result_.fruitless = outcome;
  }

  void survey_automatic(const WikiCensus& facts) {
    const bool chosen = !settings_.get<corpus::LanguageOptions>().language.empty() ||
                        !settings_.get<corpus::TextOptions>().text_language.empty();
    if (!chosen) result_.likely_language = facts.headings.likely_language(result_.language, facts.articles);
    const auto& language = result_.likely_language.empty() ? result_.language : result_.likely_language;
    result_.heading_languages = facts.headings.further(language, facts.articles);
    result_.selection = survey_selection(place_, settings_.get<AutomaticOptions>());
  }

  /// Fewer sections where that gives clearly more query pages than there are, and those are few.
  std::int64_t best_min_sections() const {
    const auto* best = &result_.selection.front();
    for (const auto& other : result_.selection) {
      const auto pages = best->counts.query_pages();
      if (pages < kEnoughQueryPages && 2 * other.counts.query_pages() >= 3 * pages &&
          other.counts.query_pages() > pages)
        best = &other;
    }
    return best->min_sections;
  }

  void recommend_automatic(Settings& settings) const {
    auto& options = settings.edit<AutomaticOptions>();
    for (const auto& [language, headings] : result_.heading_languages) {
      const bool known = std::find(options.heading_languages.begin(), options.heading_languages.end(), language) !=
                         options.heading_languages.end();
      if (!known) options.heading_languages.push_back(language);
    }
    options.min_sections = best_min_sections();
    if (!result_.likely_language.empty()) settings.edit<corpus::TextOptions>().text_language = result_.likely_language;
  }

  void recommend() {
    for (auto& choice : result_.choices) recommend_automatic(choice.settings);
    auto best = copy_of(result_.choices.empty() ? settings_ : result_.choices.front().settings);
    if (result_.choices.empty()) recommend_automatic(best);
    result_.recommended_selection = std::move(survey_selection(place_, best.get<AutomaticOptions>()).front());
    result_.recommended = std::move(best);
  }

  const TrialPlace& place_;
  const Settings& settings_;
  const std::vector<flow::SourceInput>& sources_;
  std::vector<std::string> affixes_;
  std::vector<evidence::Group> explored_;
  SurveyResult result_;
};

}  // namespace

SurveyResult survey_wiki(const TrialPlace& place, const Settings& settings,
                         const std::vector<flow::SourceInput>& sources) {
  return Survey(place, settings, sources).run();
}

}  // namespace touchstone::pipeline::survey
