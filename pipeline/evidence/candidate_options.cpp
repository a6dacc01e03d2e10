#include "pipeline/evidence/candidate_options.hpp"

#include <algorithm>

namespace touchstone::pipeline::evidence {

bool CandidatesOptions::uses(CandidateSource source) const noexcept {
  return std::find(sources.begin(), sources.end(), source) != sources.end();
}

std::vector<Option<CandidatesOptions>> CandidatesOptions::options() {
  using C = CandidatesOptions;
  return {
      {"candidates.sources", &C::sources,
       "Which passages are proposed for a member: \"link\" (they link to it), \"mention\" (they name it without a "
       "link) and \"page\" (their page links to it somewhere; includes \"link\")."},
      {"candidates.own_article", &C::own_article, "Include a member's own passages in its candidates."},
      {"candidates.list_page", &C::list_page,
       "Include passages of the list page itself in the candidates of its topic."},
      {"candidates.max_per_member", &C::max_per_member, between(0, 1e9),
       "Highest number of candidates for each member: own passages and links first, then mentions, then pages, each in "
       "order of docid. 0: no limit."},
      {"candidates.max_added_per_member", &C::max_added_per_member, between(1, 1e6),
       "Highest number of candidates that the sources mention and page add to a member, mentions first."},
      {"candidates.max_added_per_topic", &C::max_added_per_topic, between(1, 1e7),
       "Highest number of candidates that the sources mention and page add to a topic; members with the most lose "
       "the surplus."},
  };
}

std::vector<std::string> CandidatesOptions::problems(const Settings& settings) {
  const auto& options = settings.get<CandidatesOptions>();
  std::vector<std::string> problems;
  if (options.sources.empty())
    problems.emplace_back("candidates.sources is empty: name \"link\", \"mention\", \"page\" or several of them");
  return problems;
}

}  // namespace touchstone::pipeline::evidence
