#include "pipeline/evidence/query_template.hpp"

#include "pipeline/corpus/terms.hpp"
#include "pipeline/corpus/wiki_language.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <string_view>

namespace touchstone::pipeline::evidence {
namespace {

using corpus::TermSplitter;

/// `heading` without a qualifier in parentheses at its end, in which wikis repeat a name in another script.
std::string_view without_parenthesis(std::string_view heading) {
  const auto open = heading.rfind(" (");
  return open != std::string_view::npos && heading.ends_with(')') ? heading.substr(0, open) : heading;
}

/// The header says what the cells are called, not what is looked for, and is left out; so is a heading that only says
/// again what the title said.
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

}  // namespace

std::vector<TopicQuery> template_queries(const std::vector<const Group*>& groups, const GroupsOptions& options,
                                         const corpus::TitleIndex& titles) {
  const auto& language = titles.site().language;
  auto prefixes = options.list_prefixes_for(language);
  // The longest first: "Liste der" before "Liste".
  std::stable_sort(prefixes.begin(), prefixes.end(), [](const auto& a, const auto& b) { return a.size() > b.size(); });
  TermSplitter splitter(corpus::stemmer_name(language));
  std::vector<TopicQuery> queries;
  for (const auto* group : groups) queries.push_back({group->topic, phrase(*group, prefixes, splitter), "template/1"});
  return queries;
}

}  // namespace touchstone::pipeline::evidence
