#include "llm_client/online_requester.hpp"
#include "pipeline/corpus/title_index.hpp"
#include "pipeline/corpus/wiki_language.hpp"
#include "pipeline/evidence/evidence_records.hpp"
#include "pipeline/judging/judgment_log.hpp"
#include "pipeline/judging/lexical/terms.hpp"
#include "pipeline/judging/model/model_judge.hpp"
#include "pipeline/judging/stage/panel_config.hpp"
#include "pipeline/stage.hpp"

#include <algorithm>
#include <set>

namespace touchstone::pipeline {
namespace {

/// `heading` without a qualifier in parentheses at its end, in which wikis repeat a name in another script.
std::string_view without_parenthesis(std::string_view heading) {
  const auto open = heading.rfind(" (");
  return open != std::string_view::npos && heading.ends_with(')') ? heading.substr(0, open) : heading;
}

/// Words a topic by template: what the list lists, then the headings that narrow it, outermost first:
/// "List of lighthouses of Ostrand » By island » Great Ostra » Name" -> "lighthouses of Ostrand, By island, Great
/// Ostra". The header says what the cells are called, not what is looked for, and is left out; so is a heading that
/// only says again what the title said.
std::string phrase(const Group& group, const std::vector<std::string>& prefixes,
                   judging::lexical::TermSplitter& splitter) {
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

/// Has the judge's model word the queries; a topic without a usable answer keeps its template.
class ModelPhraser {
 public:
  explicit ModelPhraser(StageContext& context)
      : served_(judging::stage::phrasing_model(context.config)),
        log_(context.store),
        requester_(served_, log_, context.budget, context.stop, context.progress) {}

  void phrase(const std::vector<const Group*>& groups, std::vector<TopicQuery>& queries, StageReport& report) {
    for (const auto* group : groups) ask(*group);
    requester_.finish();
    const auto& model = served_.model;
    const auto source = model.id() + ", prompt " + model.prompt().digest().substr(0, kShownDigits);
    for (std::size_t i = 0; i < groups.size(); ++i) {
      const auto reply = log_.find(question_of(*groups[i]).digest);
      const auto query = reply ? model.read_query(static_cast<int>(reply->status), reply->reply) : std::string();
      if (query.empty()) {
        report.reject("kept as the template has it: no usable answer", queries[i].topic + " " + queries[i].query);
        continue;
      }
      queries[i].query = query;
      queries[i].source = source;
    }
  }

 private:
  void ask(const Group& group) {
    auto question = question_of(group);
    if (log_.find(question.digest)) return;
    const auto traits = requester_.open();
    llm_client::PendingRequest request;
    request.body = served_.model.body(question, traits ? traits->limits : llm_client::providers::ServerLimits{});
    request.digest = std::move(question.digest);
    request.topic = group.topic;
    request.size = question.size;
    requester_.ask(std::move(request));
  }

  llm_client::Question question_of(const Group& group) const {
    auto values = judging::model::topic_values(group.page, group.section_path, group.column);
    auto& members = values[static_cast<std::size_t>(llm_client::prompts::PromptField::kMembers)];
    for (std::size_t i = 0; i < std::min(group.members.size(), kShownMembers); ++i)
      members += (i > 0 ? ", " : "") + group.members[i].title;
    return served_.model.question(values, 0);
  }

  static constexpr std::size_t kShownMembers = 5, kShownDigits = 12;
  const llm_client::ServedModel served_;
  judging::JudgmentLog log_;
  llm_client::OnlineRequester requester_;
};

class PhraseStage : public Stage {
 public:
  StageReport run(StageContext& context) override {
    const TitleIndex titles(context.store);
    auto prefixes = context.config.groups.list_prefixes;
    if (prefixes.empty()) prefixes = list_prefixes(titles.site().language);
    // The longest first: "Liste der" before "Liste".
    std::stable_sort(prefixes.begin(), prefixes.end(),
                     [](const auto& a, const auto& b) { return a.size() > b.size(); });
    judging::lexical::TermSplitter splitter(stemmer_name(titles.site().language));
    std::vector<TopicQuery> queries;
    const auto groups = read_groups(context.paths.stage_file("groups.jsonl"));
    std::vector<const Group*> kept;
    for (const auto& group : groups) {
      if (!group.kept) continue;
      kept.push_back(&group);
      queries.push_back({group.topic, phrase(group, prefixes, splitter), "template/1"});
    }
    StageReport report;
    if (context.config.phrase.source == "judge") ModelPhraser(context).phrase(kept, queries, report);
    context.progress.records = queries.size();
    write_queries(context.paths.stage_file("queries.jsonl"), queries);
    report.counts["queries"] = queries.size();
    return report;
  }
};

}  // namespace

std::unique_ptr<Stage> make_phrase_stage() {
  return std::make_unique<PhraseStage>();
}

}  // namespace touchstone::pipeline
