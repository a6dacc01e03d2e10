#include "analysis/audit/strata.hpp"

#include "common/digest.hpp"
#include "common/number_text.hpp"

#include <algorithm>
#include <map>
#include <tuple>

#include <fmt/format.h>

namespace touchstone::analysis::audit {
namespace {

using Key = std::tuple<Verdict, int, std::string_view>;  ///< verdict, bin or -1, part

std::string name_of(const Key& key, int bins) {
  const auto& [verdict, bin, part] = key;
  const auto bound = [&](int at) { return at_most_digits(static_cast<double>(at) / bins, 3); };
  std::string name(to_string(verdict));
  name += bin < 0 ? " without probability" : fmt::format(" {}-{}", bound(bin), bound(bin + 1));
  if (!part.empty()) name += fmt::format(" {}", part);
  return name;
}

}  // namespace

std::uint64_t decision_hash(const Decision& decision, std::uint64_t seed) {
  return xxh3_64(fmt::format("{}\n{}\n{}", decision.topic, decision.member, decision.docid), seed);
}

int bin_of(double probability, int bins) {
  return std::clamp(static_cast<int>(probability * bins), 0, bins - 1);
}

Strata stratify(std::span<const Decision> decisions, int bins) {
  struct Seen {
    std::uint64_t decisions = 0;
    double probability = 0;
    std::uint32_t index = 0;
  };
  const auto key_of = [&](const Decision& decision) {
    return Key(decision.verdict, decision.probability ? bin_of(*decision.probability, bins) : -1, decision.part);
  };
  std::map<Key, Seen> seen;
  for (const auto& decision : decisions) ++seen[key_of(decision)].decisions;
  Strata found;
  for (auto& [key, of] : seen) {
    of.index = static_cast<std::uint32_t>(found.strata.size());
    const auto bin = std::get<1>(key);
    found.strata.push_back({name_of(key, bins), std::get<0>(key), bin < 0 ? std::nullopt : std::optional(bin),
                            of.decisions, std::nullopt});
  }
  // Sums of numbers depend on their order in the last digit, so that the probabilities are added in theirs.
  std::vector<std::vector<double>> probabilities(found.strata.size());
  found.of.reserve(decisions.size());
  for (const auto& decision : decisions) {
    found.of.push_back(seen.at(key_of(decision)).index);
    if (decision.probability) probabilities[found.of.back()].push_back(*decision.probability);
  }
  for (std::size_t i = 0; i < found.strata.size(); ++i) {
    auto& values = probabilities[i];
    if (values.empty()) continue;
    std::sort(values.begin(), values.end());
    double sum = 0;
    for (const double value : values) sum += value;
    found.strata[i].mean_probability = sum / static_cast<double>(values.size());
  }
  return found;
}

}  // namespace touchstone::analysis::audit
