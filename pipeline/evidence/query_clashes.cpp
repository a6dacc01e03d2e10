#include "pipeline/evidence/query_clashes.hpp"

#include "common/unicode.hpp"
#include "pipeline/evidence/header_pattern.hpp"

#include <cstddef>
#include <map>
#include <string>
#include <tuple>
#include <utility>

namespace touchstone::pipeline::evidence {
namespace {

/// What tells topics apart that are worded alike, from the least to the most that must be said.
std::string longer_query(const Group& group, const std::string& query, std::size_t step, std::string_view language) {
  if (step == 0) {
    std::string text = query;
    for (const auto& heading : group.section_path) {
      const auto said = heading.substr(without_parenthesis(heading).size());
      if (said.size() > 3 && said.ends_with(')')) text += " " + lower_case(said.substr(2, said.size() - 3));
    }
    return text;
  }
  const auto column = lower_case(group.column);
  const bool told = !is_header(group.column) || is_header_of_names(group.column, language) ||
                    lower_case(query).find(column) != std::string::npos;
  return told ? query : query + " " + column;
}

}  // namespace

std::string_view without_parenthesis(std::string_view heading) {
  if (heading.ends_with('.')) heading.remove_suffix(1);
  const auto open = heading.rfind(" (");
  return open != std::string_view::npos && heading.ends_with(')') ? heading.substr(0, open) : heading;
}

void tell_apart(const std::vector<const Group*>& groups, std::vector<TopicQuery>& queries, std::string_view language) {
  std::map<std::string, std::size_t> uses;
  const auto count = [&] {
    uses.clear();
    for (const auto& query : queries) uses[lower_case(query.query)] += query.query.empty() ? 0 : 1;
  };
  for (std::size_t step = 0; step < 2; ++step) {
    count();
    for (std::size_t i = 0; i < queries.size(); ++i) {
      if (uses.at(lower_case(queries[i].query)) < 2) continue;
      auto longer = longer_query(*groups[i], queries[i].query, step, language);
      if (longer == queries[i].query) continue;
      queries[i].query = std::move(longer);
      queries[i].verdict = QueryVerdict::kKeywords;
    }
  }
  count();
  std::map<std::string, std::size_t>
      first;  // of those with the same words, a certain one, and the one with the most members
  for (std::size_t i = 0; i < queries.size(); ++i) {
    if (uses.at(lower_case(queries[i].query)) < 2) continue;
    const auto rank = [&](std::size_t at) {
      return std::tuple(queries[at].verdict, -static_cast<std::ptrdiff_t>(groups[at]->members.size()),
                        groups[at]->structured);
    };
    const auto [found, fresh] = first.try_emplace(lower_case(queries[i].query), i);
    if (!fresh && rank(i) < rank(found->second)) found->second = i;
  }
  for (std::size_t i = 0; i < queries.size(); ++i) {
    const auto found = first.find(lower_case(queries[i].query));
    if (queries[i].query.empty() || found == first.end() || found->second == i) continue;
    queries[i] = {queries[i].topic, "", queries[i].source, QueryVerdict::kUnworded,
                  "topic " + groups[found->second]->topic + " has the same words"};
  }
}

}  // namespace touchstone::pipeline::evidence
