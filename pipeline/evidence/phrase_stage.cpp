#include "pipeline/corpus/terms.hpp"
#include "pipeline/corpus/title_index.hpp"
#include "pipeline/corpus/wiki_language.hpp"
#include "pipeline/evidence/evidence_records.hpp"
#include "pipeline/evidence/groups_options.hpp"
#include "pipeline/evidence/phrase_options.hpp"
#include "pipeline/evidence/stages.hpp"
#include "storage/meta_keys.hpp"

#include <algorithm>
#include <set>

namespace touchstone::pipeline::evidence {
namespace {

using corpus::TermSplitter;
using corpus::TitleIndex;
using flow::StageContext;
using flow::StageReport;

/// `heading` without a qualifier in parentheses at its end, in which wikis repeat a name in another script.
std::string_view without_parenthesis(std::string_view heading) {
  const auto open = heading.rfind(" (");
  return open != std::string_view::npos && heading.ends_with(')') ? heading.substr(0, open) : heading;
}

/// Words a topic by template: what the list lists, then the headings that narrow it, outermost first:
/// "List of lighthouses of Ostrand » By island » Great Ostra » Name" -> "lighthouses of Ostrand, By island, Great
/// Ostra". The header says what the cells are called, not what is looked for, and is left out; so is a heading that
/// only says again what the title said.
std::string phrase(const Group& group, const std::vector<std::string>& prefixes, TermSplitter& splitter) {
  std::string query = group.page;
  for (const auto& prefix : prefixes) {
    const bool ending = prefix.starts_with('*');
    const std::string_view words = std::string_view(prefix).substr(ending ? 1 : 0);
    if (query.size() <= words.size() + 1 || !(ending ? query.ends_with(words) : query.starts_with(words))) continue;
    query.erase(ending ? query.size() - words.size() : 0, words.size());
    break;
  }
  query.erase(0, std::min(query.find_first_not_of(' '), query.size()));
  query.erase(query.find_last_not_of(' ') + 1);
  std::set<std::string> said;
  for (auto& term : splitter.split(query)) said.insert(std::move(term.stem));
  for (const auto& heading : group.section_path) {
    const auto short_heading = without_parenthesis(heading);
    bool anything_new = false;
    for (auto& term : splitter.split(short_heading)) {
      if (!splitter.is_stop_word(term.stem)) anything_new |= said.insert(std::move(term.stem)).second;
    }
    if (anything_new) query += ", " + std::string(short_heading);
  }
  return query;
}

class PhraseStage : public flow::Stage {
 public:
  explicit PhraseStage(ModelQueries model) : model_(std::move(model)) {}

  StageReport run(StageContext& context) override {
    const TitleIndex titles(context.store);
    auto prefixes = context.options<GroupsOptions>().list_prefixes_for(titles.site().language);
    // The longest first: "Liste der" before "Liste".
    std::stable_sort(prefixes.begin(), prefixes.end(),
                     [](const auto& a, const auto& b) { return a.size() > b.size(); });
    TermSplitter splitter(corpus::stemmer_name(titles.site().language));
    std::vector<TopicQuery> queries;
    const auto groups = read_groups(context.input(kGroupsFile));
    std::vector<const Group*> kept;
    for (const auto& group : groups) {
      if (!group.kept()) continue;
      kept.push_back(&group);
      queries.push_back({group.topic, phrase(group, prefixes, splitter), "template/1"});
    }
    StageReport report;
    if (context.options<PhraseOptions>().source == QuerySource::kJudge)
      model_.make(context)->write(kept, queries, report);
    context.progress.records = queries.size();
    write_queries(context.output(kQueriesFile), queries);
    report.counts["queries"] = queries.size();
    return report;
  }

 private:
  ModelQueries model_;
};

}  // namespace

flow::StageInfo phrase_stage(const ModelQueries& model) {
  flow::StageInfo stage = {
      .name = "phrase",
      .summary = "Word each topic as a search user would",
      .format_version = 1,
      .inputs = {flow::file(kGroupsFile), flow::meta(storage::kMetaSite)},
      .outputs = {flow::file(kQueriesFile)},
      .keeps = model.keeps,
      .options = {flow::reads<PhraseOptions>(), flow::inherits<GroupsOptions>()},
      .progress_unit = "topics",
      .progress_records = "queries",
      .make = [model] { return std::make_unique<PhraseStage>(model); },
      .extra_fingerprint = model.fingerprint,
  };
  stage.options.insert(stage.options.end(), model.options.begin(), model.options.end());
  return stage;
}

}  // namespace touchstone::pipeline::evidence
