#include "analysis/agreement/coefficients.hpp"

#include "analysis/statistics/random.hpp"
#include "common/error.hpp"
#include "formats/trec/qrels.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <numeric>

#include <fmt/format.h>

namespace touchstone::analysis::agreement {
namespace {

bool holds(std::span<const std::string> topics, const std::string& topic) {
  return std::find(topics.begin(), topics.end(), topic) != topics.end();
}

std::vector<std::size_t> all_assessors(const Ratings& ratings) {
  std::vector<std::size_t> columns(ratings.assessors.size());
  std::iota(columns.begin(), columns.end(), std::size_t{0});
  return columns;
}

/// The wanted items, with the assessors of `columns`.
Ratings selection(const Ratings& ratings, const std::vector<std::size_t>& columns,
                  const std::function<bool(std::size_t)>& wanted) {
  Ratings result;
  for (const auto column : columns) result.assessors.push_back(ratings.assessors[column]);
  for (std::size_t i = 0; i < ratings.items.size(); ++i) {
    if (!wanted(i)) continue;
    result.items.push_back(ratings.items[i]);
    for (const auto column : columns) result.grades.push_back(ratings.at(i, column));
  }
  return result;
}

/// Whether no other file has the same name in another folder.
bool has_own_name(std::span<const std::filesystem::path> files, std::size_t file) {
  return std::count_if(files.begin(), files.end(),
                       [&](const auto& other) { return other.filename() == files[file].filename(); }) == 1;
}

constexpr double kUndefined = std::numeric_limits<double>::quiet_NaN();

/// The form that all kappas share.
double beyond_chance(double observed, double expected) {
  return expected >= 1 ? kUndefined : (observed - expected) / (1 - expected);
}

double cohen_of_pair(const Ratings& ratings, ItemSet items, std::size_t first, std::size_t second) {
  std::map<int, std::pair<double, double>> margins;
  double agreed = 0;
  for (const auto item : items) {
    const int a = ratings.at(item, first), b = ratings.at(item, second);
    agreed += a == b;
    ++margins[a].first;
    ++margins[b].second;
  }
  const auto n = static_cast<double>(items.size());
  double expected = 0;
  for (const auto& [grade, counts] : margins) expected += counts.first * counts.second / (n * n);
  return beyond_chance(agreed / n, expected);
}

enum class Distance : std::uint8_t { kNominal, kOrdinal, kInterval };

double krippendorff(const Ratings& ratings, ItemSet items, Distance distance) {
  const auto grades = internal::distinct_grades(ratings);
  const std::size_t k = grades.size();
  // Coincidences: each item spreads its ordered pairs of grades over 1 / (grades of the item - 1).
  std::vector<double> coincidences(k * k), row(k), totals(k);
  for (const auto item : items) {
    std::fill(row.begin(), row.end(), 0);
    double judged = 0;
    for (std::size_t a = 0; a < ratings.assessors.size(); ++a) {
      if (ratings.at(item, a) == Ratings::kMissing) continue;
      ++row[internal::index_of(grades, ratings.at(item, a))];
      ++judged;
    }
    if (judged < 2) continue;
    for (std::size_t c = 0; c < k; ++c)
      for (std::size_t d = 0; d < k; ++d) coincidences[c * k + d] += row[c] * (row[d] - (c == d)) / (judged - 1);
  }
  for (std::size_t c = 0; c < k; ++c)
    for (std::size_t d = 0; d < k; ++d) totals[c] += coincidences[c * k + d];
  const double all = std::accumulate(totals.begin(), totals.end(), 0.0);
  double observed = 0, expected = 0;
  for (std::size_t c = 0; c < k; ++c) {
    double between = totals[c] / 2;  // grades from c up to d, the ends by half
    for (std::size_t d = c + 1; d < k; ++d) {
      between += totals[d];
      const double steps = distance == Distance::kNominal   ? 1
                           : distance == Distance::kOrdinal ? between - totals[d] / 2
                                                            : grades[d] - grades[c];
      observed += coincidences[c * k + d] * steps * steps;
      expected += totals[c] * totals[d] * steps * steps;
    }
  }
  return expected == 0 ? kUndefined : 1 - (all - 1) * observed / expected;
}

/// First and last + 1 of the items of each topic; items are sorted by topic.
std::vector<std::pair<std::uint32_t, std::uint32_t>> topic_ranges(const Ratings& ratings) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> ranges;
  for (std::uint32_t i = 0; i < ratings.items.size(); ++i) {
    if (i == 0 || ratings.items[i].first != ratings.items[i - 1].first) ranges.emplace_back(i, i);
    ranges.back().second = i + 1;
  }
  return ranges;
}

using Statistic = std::function<double(const Ratings&, ItemSet)>;

struct NamedStatistic {
  std::string_view name;
  Statistic statistic;
  const Ratings* ratings;
};

Statistic mean_over_topics(AgreementStatistic statistic) {
  return [=](const Ratings& ratings, ItemSet items) { return macro_mean(ratings, items, statistic); };
}

/// \param complete  items that all assessors judged
/// \param all       items with missing grades too
std::vector<AgreementCoefficient> coefficients(const Ratings& complete, const Ratings& all,
                                               const AgreementOptions& options) {
  const NamedStatistic statistics[] = {{"overlap", overlap, &complete},
                                       {"overlap, mean over topics", mean_over_topics(overlap), &complete},
                                       {"Cohen kappa", cohen_kappa, &complete},
                                       {"Cohen kappa, mean over topics", mean_over_topics(cohen_kappa), &complete},
                                       {"Fleiss kappa", fleiss_kappa, &complete},
                                       {"Fleiss kappa, mean over topics", mean_over_topics(fleiss_kappa), &complete},
                                       {"Krippendorff alpha, nominal", krippendorff_nominal, &all},
                                       {"Krippendorff alpha, ordinal", krippendorff_ordinal, &all},
                                       {"Krippendorff alpha, interval", krippendorff_interval, &all}};
  std::vector<AgreementCoefficient> result;
  for (const auto& [name, statistic, ratings] : statistics) {
    const auto items = all_items(*ratings);
    result.push_back(
        {name, statistic(*ratings, items), bootstrap_interval(*ratings, statistic, options.resamples, options.seed)});
  }
  return result;
}

}  // namespace

bool Ratings::is_complete(std::size_t item) const {
  for (std::size_t a = 0; a < assessors.size(); ++a)
    if (at(item, a) == kMissing) return false;
  return true;
}

Ratings read_ratings(std::span<const std::filesystem::path> qrels) {
  Ratings ratings;
  std::map<std::pair<std::string, std::string>, std::vector<int>> rows;
  for (std::size_t a = 0; a < qrels.size(); ++a) {
    ratings.assessors.push_back(has_own_name(qrels, a) ? qrels[a].filename().string() : qrels[a].string());
    for (auto& record : formats::trec::read_qrels(qrels[a])) {
      auto& row = rows[{std::move(record.topic), std::move(record.docid)}];
      row.resize(qrels.size(), Ratings::kMissing);
      row[a] = record.grade;
    }
  }
  bool shared = false;
  for (const auto& [item, row] : rows) {
    shared = shared || std::count(row.begin(), row.end(), Ratings::kMissing) + 2 <= std::ssize(row);
    ratings.items.push_back(item);
    ratings.grades.insert(ratings.grades.end(), row.begin(), row.end());
  }
  if (!shared)
    throw FormatError(fmt::format(
        "no passage was judged in two of the {} qrels files; give files that judge the same topics and docids",
        qrels.size()));
  return ratings;
}

Ratings without_topics(const Ratings& ratings, std::span<const std::string> excluded_topics) {
  return selection(ratings, all_assessors(ratings),
                   [&](std::size_t item) { return !holds(excluded_topics, ratings.items[item].first); });
}

Ratings complete_ratings(const Ratings& ratings, std::span<const std::string> excluded_topics) {
  return selection(ratings, all_assessors(ratings), [&](std::size_t item) {
    return ratings.is_complete(item) && !holds(excluded_topics, ratings.items[item].first);
  });
}

Ratings binary_ratings(const Ratings& ratings, int min_grade) {
  Ratings result = ratings;
  for (int& grade : result.grades)
    if (grade != Ratings::kMissing) grade = grade >= min_grade;
  return result;
}

Ratings pair_of_assessors(const Ratings& ratings, std::size_t first, std::size_t second) {
  return selection(ratings, {first, second}, [&](std::size_t item) {
    return ratings.at(item, first) != Ratings::kMissing && ratings.at(item, second) != Ratings::kMissing;
  });
}

std::map<int, std::uint64_t> grade_counts_of(const Ratings& ratings, std::size_t assessor) {
  std::map<int, std::uint64_t> counts;
  for (std::size_t i = 0; i < ratings.items.size(); ++i)
    if (ratings.at(i, assessor) != Ratings::kMissing) ++counts[ratings.at(i, assessor)];
  return counts;
}

GradeTransitions grade_transitions(const Ratings& ratings, std::size_t first, std::size_t second) {
  const auto pair = pair_of_assessors(ratings, first, second);
  GradeTransitions result;
  result.grades = internal::distinct_grades(pair);
  result.counts.resize(result.grades.size() * result.grades.size());
  for (std::size_t i = 0; i < pair.items.size(); ++i) {
    const auto row = internal::index_of(result.grades, pair.at(i, 0));
    const auto column = internal::index_of(result.grades, pair.at(i, 1));
    ++result.counts[row * result.grades.size() + column];
  }
  return result;
}

std::vector<int> internal::distinct_grades(const Ratings& ratings) {
  std::vector<int> grades;
  for (const int grade : ratings.grades)
    if (grade != Ratings::kMissing) grades.push_back(grade);
  std::sort(grades.begin(), grades.end());
  grades.erase(std::unique(grades.begin(), grades.end()), grades.end());
  return grades;
}

std::size_t internal::index_of(const std::vector<int>& grades, int grade) {
  return static_cast<std::size_t>(std::lower_bound(grades.begin(), grades.end(), grade) - grades.begin());
}

std::vector<std::uint32_t> all_items(const Ratings& ratings) {
  std::vector<std::uint32_t> items(ratings.items.size());
  std::iota(items.begin(), items.end(), 0U);
  return items;
}

double overlap(const Ratings& ratings, ItemSet items) {
  double agreed = 0;
  for (const auto item : items) {
    bool same = true;
    for (std::size_t a = 1; a < ratings.assessors.size(); ++a)
      same = same && ratings.at(item, a) == ratings.at(item, 0);
    agreed += same;
  }
  return items.empty() ? kUndefined : agreed / static_cast<double>(items.size());
}

double cohen_kappa(const Ratings& ratings, ItemSet items) {
  if (items.empty()) return kUndefined;
  double sum = 0, pairs = 0;
  for (std::size_t a = 0; a < ratings.assessors.size(); ++a) {
    for (std::size_t b = a + 1; b < ratings.assessors.size(); ++b) {
      sum += cohen_of_pair(ratings, items, a, b);
      ++pairs;
    }
  }
  return sum / pairs;
}

double fleiss_kappa(const Ratings& ratings, ItemSet items) {
  if (items.empty()) return kUndefined;
  const auto n = static_cast<double>(ratings.assessors.size());
  const auto count = static_cast<double>(items.size());
  std::map<int, double> totals, row;
  double observed = 0;
  for (const auto item : items) {
    row.clear();
    for (std::size_t a = 0; a < ratings.assessors.size(); ++a) ++row[ratings.at(item, a)];
    for (const auto& [grade, times] : row) {
      totals[grade] += times;
      observed += times * (times - 1) / (n * (n - 1) * count);
    }
  }
  double expected = 0;
  for (const auto& [grade, times] : totals) expected += times * times / (n * count * n * count);
  return beyond_chance(observed, expected);
}

double krippendorff_nominal(const Ratings& ratings, ItemSet items) {
  return krippendorff(ratings, items, Distance::kNominal);
}
double krippendorff_ordinal(const Ratings& ratings, ItemSet items) {
  return krippendorff(ratings, items, Distance::kOrdinal);
}
double krippendorff_interval(const Ratings& ratings, ItemSet items) {
  return krippendorff(ratings, items, Distance::kInterval);
}

double macro_mean(const Ratings& ratings, ItemSet items, AgreementStatistic statistic) {
  if (ratings.items.empty() || ratings.items.front().first == ratings.items.back().first)
    return statistic(ratings, items);
  // A topic that a resample holds twice counts twice, since its items come in runs.
  double sum = 0, topics = 0;
  for (std::size_t first = 0, last; first < items.size(); first = last) {
    last = first + 1;
    while (last < items.size() && items[last] > items[last - 1] &&
           ratings.items[items[last]].first == ratings.items[items[first]].first)
      ++last;
    const double value = statistic(ratings, items.subspan(first, last - first));
    if (std::isnan(value)) continue;
    sum += value;
    ++topics;
  }
  return topics == 0 ? kUndefined : sum / topics;
}

Interval bootstrap_interval(const Ratings& ratings, const std::function<double(const Ratings&, ItemSet)>& statistic,
                            std::size_t resamples, std::uint64_t seed, double level) {
  auto units = topic_ranges(ratings);
  if (units.size() == 1) {
    units.clear();
    for (std::uint32_t i = 0; i < ratings.items.size(); ++i) units.emplace_back(i, i + 1);
  }
  statistics::Random random(seed);
  std::vector<double> values;
  std::vector<std::uint32_t> items;
  for (std::size_t b = 0; b < resamples && !units.empty(); ++b) {
    items.clear();
    for (std::size_t u = 0; u < units.size(); ++u) {
      const auto [first, last] = units[random.below(static_cast<std::uint32_t>(units.size()))];
      for (std::uint32_t i = first; i < last; ++i) items.push_back(i);
    }
    values.push_back(statistic(ratings, items));
  }
  return statistics::percentile_interval(std::move(values), level);
}

AssessorAgreement measure_agreement(const Ratings& ratings, const AgreementOptions& options) {
  const auto complete = complete_ratings(ratings, options.excluded_topics);
  if (complete.items.empty())
    throw Error(fmt::format("no passage was judged by all {} assessors; compare fewer files at a time",
                            ratings.assessors.size()));
  AssessorAgreement result;
  result.ratings = without_topics(ratings, options.excluded_topics);
  result.complete_items = complete.items.size();
  result.options = options;
  result.all_grades = coefficients(complete, result.ratings, options);
  result.two_grades = coefficients(binary_ratings(complete, options.min_grade),
                                   binary_ratings(result.ratings, options.min_grade), options);
  return result;
}

}  // namespace touchstone::analysis::agreement
