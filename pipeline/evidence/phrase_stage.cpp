#include "pipeline/corpus/title_index.hpp"
#include "pipeline/corpus/wiki_language.hpp"
#include "pipeline/evidence/evidence_records.hpp"
#include "pipeline/judging/lexical/terms.hpp"
#include "pipeline/judging/online_requester.hpp"
#include "pipeline/stage.hpp"

#include <algorithm>
#include <set>

namespace touchstone::pipeline::evidence {
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

/// Has the judge's model word the queries; a topic without a usable answer keeps its template.
class ModelPhraser {
 public:
  explicit ModelPhraser(StageContext& context)
      : judge_(make_phraser(context.config)),
        log_(context.store),
        asker_(judge_, log_, context.budget, context.stop, context.progress) {}

  void phrase(const std::vector<const Group*>& groups, std::vector<TopicQuery>& queries, StageReport& report) {
    for (const auto* group : groups) {
      auto question = question_of(*group);
      if (log_.find(question.digest)) continue;
      const auto limits = asker_.traits().limits;
      Errand errand;
      errand.key = question.digest;
      errand.body = judge_.llm->body(question, limits);
      errand.topic = group->topic;
      errand.size = question.size;
      asker_.ask(std::move(errand));
    }
    asker_.finish();
    const auto source = judge_.llm->id() + ", prompt " + judge_.llm->prompt().digest().substr(0, kShownDigits);
    for (std::size_t i = 0; i < groups.size(); ++i) {
      const auto reply = log_.find(question_of(*groups[i]).digest);
      const auto query = reply ? judge_.llm->read_query(static_cast<int>(reply->status), reply->reply) : std::string();
      if (query.empty()) {
        report.reject("kept as the template has it: no usable answer", queries[i].topic + " " + queries[i].query);
        continue;
      }
      queries[i].query = query;
      queries[i].source = source;
    }
  }

 private:
  llm_client::Question question_of(const Group& group) const {
    llm_client::PromptValues values;
    const auto value = [&](llm_client::PromptField field) -> std::string& {
      return values[static_cast<std::size_t>(field)];
    };
    value(llm_client::PromptField::kArticle) = group.page;
    for (const auto& heading : group.section_path) {
      auto& path = value(llm_client::PromptField::kSection);
      path += (path.empty() ? "" : " » ") + heading;
    }
    value(llm_client::PromptField::kColumn) = group.column;
    for (std::size_t i = 0; i < std::min(group.members.size(), kShownMembers); ++i)
      value(llm_client::PromptField::kMembers) += (i > 0 ? ", " : "") + group.members[i].title;
    return judge_.llm->question(values, 0);
  }

  static constexpr std::size_t kShownMembers = 5, kShownDigits = 12;
  Panelist judge_;
  JudgmentLog log_;
  Asker asker_;
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
    TermSplitter splitter(stemmer_name(titles.site().language));
    std::vector<TopicQuery> queries;
    const auto groups = read_groups(context.paths.stage_file("groups.jsonl"));
    std::vector<const Group*> kept;
    for (const auto& group : groups) {
      if (!group.kept()) continue;
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

}  // namespace touchstone::pipeline::evidence
