#include "analysis/agreement/correlation.hpp"

#include "common/error.hpp"

#include <map>
#include <string>
#include <vector>

#include <fmt/format.h>

namespace touchstone::analysis::agreement {

Correlation correlate(const statistics::SystemScores& first, const statistics::SystemScores& second, double p) {
  std::map<std::string, double> other;
  for (std::size_t i = 0; i < second.systems.size(); ++i) other[second.systems[i]] = second.scores[i];
  std::vector<double> x, y;
  Correlation result;
  result.first_file = first.file;
  result.first_column = first.column;
  result.first_measure = first.measure;
  result.second_file = second.file;
  result.second_column = second.column;
  result.second_measure = second.measure;
  for (std::size_t i = 0; i < first.systems.size(); ++i) {
    const auto found = other.find(first.systems[i]);
    if (found == other.end()) continue;
    x.push_back(first.scores[i]);
    y.push_back(found->second);
  }
  result.common = x.size();
  result.only_first = first.systems.size() - x.size();
  result.only_second = second.systems.size() - x.size();
  if (x.size() < 2)
    throw Error(fmt::format(
        "the two rankings have {} systems in common and a correlation needs two; are their systems named alike?",
        x.size()));
  result.pairs = count_pairs(x, y);
  result.tau_a = kendall_tau_a(result.pairs);
  result.tau_b = kendall_tau_b(result.pairs);
  result.tau_ap_a = tau_ap_a(x, y);
  result.tau_ap_b = tau_ap_b(x, y);
  result.spearman = spearman_rho(x, y);
  const auto a = ranking_of(first), b = ranking_of(second);
  result.average_overlap = average_overlap(a, b);
  result.p = p;
  result.rbo_a = rank_biased_overlap(a, b, p, RboTies::kA);
  result.rbo_b = rank_biased_overlap(a, b, p, RboTies::kB);
  result.rbo_w = rank_biased_overlap(a, b, p, RboTies::kW);
  return result;
}

}  // namespace touchstone::analysis::agreement
