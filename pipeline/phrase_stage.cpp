#include <algorithm>

#include "pipeline/evidence_records.hpp"
#include "pipeline/stage.hpp"
#include "pipeline/title_index.hpp"
#include "pipeline/wiki_language.hpp"

namespace touchstone::pipeline {
namespace {

/// Words a topic by template: what the list lists, then the headings that narrow it, outermost first:
/// "List of lighthouses of Ostrand » By island » Great Ostra » Name" -> "lighthouses of Ostrand, By island, Great Ostra".
/// The header says what the cells are called, not what is looked for, and is left out.
std::string phrase(const Group& group, const std::vector<std::string>& prefixes) {
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
  for (const auto& heading : group.section_path) {
    if (!heading.empty()) query += ", " + heading;
  }
  return query;
}

class PhraseStage : public Stage {
 public:
  StageReport run(StageContext& context) override {
    const TitleIndex titles(context.store);
    auto prefixes = context.config.groups.list_prefixes;
    if (prefixes.empty()) prefixes = list_prefixes(titles.site().language);
    // The longest first: "Liste der" before "Liste".
    std::stable_sort(prefixes.begin(), prefixes.end(), [](const auto& a, const auto& b) { return a.size() > b.size(); });
    std::vector<TopicQuery> queries;
    for (const auto& group : read_groups(context.paths.stage_file("groups.jsonl"))) {
      if (group.kept) queries.push_back({group.topic, phrase(group, prefixes), "template/1"});
    }
    context.progress.records = queries.size();
    write_queries(context.paths.stage_file("queries.jsonl"), queries);
    StageReport report;
    report.counts["queries"] = queries.size();
    return report;
  }
};

}  // namespace

std::unique_ptr<Stage> make_phrase_stage() { return std::make_unique<PhraseStage>(); }

}  // namespace touchstone::pipeline
