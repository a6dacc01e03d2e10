#include "analysis/agreement/agreement.hpp"

#include "analysis/significance/random.hpp"
#include "common/error.hpp"
#include "formats/fields/quote.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

namespace touchstone::analysis {
namespace {

constexpr double kUndefined = std::numeric_limits<double>::quiet_NaN();

/// (observed - expected) / (1 - expected), the form of all kappas.
double beyond_chance(double observed, double expected) {
  return expected >= 1 ? kUndefined : (observed - expected) / (1 - expected);
}

/// The grades that occur, ascending.
std::vector<int> grades_of(const Ratings& ratings) {
  std::vector<int> grades;
  for (const int grade : ratings.grades)
    if (grade != Ratings::kMissing) grades.push_back(grade);
  std::sort(grades.begin(), grades.end());
  grades.erase(std::unique(grades.begin(), grades.end()), grades.end());
  return grades;
}

std::size_t index_of(const std::vector<int>& grades, int grade) {
  return static_cast<std::size_t>(std::lower_bound(grades.begin(), grades.end(), grade) - grades.begin());
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
  const auto grades = grades_of(ratings);
  const std::size_t k = grades.size();
  // Coincidences: each item spreads its ordered pairs of grades over 1 / (grades of the item - 1).
  std::vector<double> coincidences(k * k), row(k), totals(k);
  for (const auto item : items) {
    std::fill(row.begin(), row.end(), 0);
    double judged = 0;
    for (std::size_t a = 0; a < ratings.assessors.size(); ++a) {
      if (ratings.at(item, a) == Ratings::kMissing) continue;
      ++row[index_of(grades, ratings.at(item, a))];
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

/// Items of each topic; they stand together.
std::vector<std::pair<std::uint32_t, std::uint32_t>> topic_ranges(const Ratings& ratings) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> ranges;
  for (std::uint32_t i = 0; i < ratings.items.size(); ++i) {
    if (i == 0 || ratings.items[i].first != ratings.items[i - 1].first) ranges.emplace_back(i, i);
    ranges.back().second = i + 1;
  }
  return ranges;
}

/// The chosen items, with the assessors of `columns`.
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
    ratings.assessors.push_back(qrels[a].filename().string());
    for (auto& record : formats::trec::read_qrels(qrels[a])) {
      auto& row = rows[{std::move(record.topic), std::move(record.docid)}];
      row.resize(qrels.size(), Ratings::kMissing);
      row[a] = record.grade;
    }
  }
  bool shared = false;
  for (auto& [item, row] : rows) {
    shared = shared || std::count(row.begin(), row.end(), Ratings::kMissing) + 2 <= std::ssize(row);
    ratings.items.push_back(item);
    ratings.grades.insert(ratings.grades.end(), row.begin(), row.end());
  }
  if (!shared)
    throw FormatError("no passage was judged in two of the " + std::to_string(qrels.size()) +
                      " qrels files; give files that judge the same topics and docids");
  return ratings;
}

Ratings complete_ratings(const Ratings& ratings, std::span<const std::string> excluded_topics) {
  std::vector<std::size_t> columns(ratings.assessors.size());
  std::iota(columns.begin(), columns.end(), std::size_t{0});
  return selection(ratings, columns, [&](std::size_t item) {
    return ratings.is_complete(item) && std::find(excluded_topics.begin(), excluded_topics.end(),
                                                  ratings.items[item].first) == excluded_topics.end();
  });
}

Ratings binary_view(const Ratings& ratings, int min_grade) {
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
  internal::Random random(seed);
  std::vector<double> values;
  std::vector<std::uint32_t> items;
  for (std::size_t b = 0; b < resamples && !units.empty(); ++b) {
    items.clear();
    for (std::size_t u = 0; u < units.size(); ++u) {
      const auto [first, last] = units[random.below(static_cast<std::uint32_t>(units.size()))];
      for (std::uint32_t i = first; i < last; ++i) items.push_back(i);
    }
    const double value = statistic(ratings, items);
    if (!std::isnan(value)) values.push_back(value);
  }
  if (values.empty()) return {kUndefined, kUndefined};
  std::sort(values.begin(), values.end());
  const auto quantile = [&](double share) {
    const auto rank = static_cast<std::size_t>(std::lround(share * static_cast<double>(values.size() - 1)));
    return values[rank];
  };
  return {quantile((1 - level) / 2), quantile((1 + level) / 2)};
}

GradeTransitions grade_transitions(const Ratings& ratings, std::size_t first, std::size_t second) {
  const auto pair = pair_of_assessors(ratings, first, second);
  GradeTransitions result;
  result.grades = grades_of(pair);
  result.counts.resize(result.grades.size() * result.grades.size());
  for (std::size_t i = 0; i < pair.items.size(); ++i)
    ++result.counts[index_of(result.grades, pair.at(i, 0)) * result.grades.size() +
                    index_of(result.grades, pair.at(i, 1))];
  return result;
}

std::vector<std::pair<int, std::uint64_t>> grade_counts(std::span<const formats::trec::QrelRecord> qrels) {
  std::map<int, std::uint64_t> counts;
  for (const auto& qrel : qrels) ++counts[qrel.grade];
  return {counts.begin(), counts.end()};
}

std::vector<formats::trec::QrelRecord> roll_up_grades(std::span<const formats::trec::QrelRecord> qrels, RollUp how,
                                                char separator) {
  std::map<std::pair<std::string, std::string>, int> documents;
  for (const auto& qrel : qrels) {
    const auto end = qrel.docid.rfind(separator);
    if (end == std::string::npos || end == 0)
      throw FormatError("docid " + formats::fields::quote_for_message(qrel.docid) + " of topic " +
                        formats::fields::quote_for_message(qrel.topic) + " has no \"" + separator +
                        "\" that ends its document's id; name the separator that it has");
    const auto [found, added] = documents.try_emplace({qrel.topic, qrel.docid.substr(0, end)}, qrel.grade);
    if (added) continue;
    int& grade = found->second;
    grade = how == RollUp::kMax || std::min(grade, qrel.grade) < 0 ? std::max(grade, qrel.grade) : grade + qrel.grade;
    if (grade > formats::trec::kMaxGrade)
      throw FormatError("the passages of document " + formats::fields::quote_for_message(found->first.second) + " of topic " +
                        formats::fields::quote_for_message(qrel.topic) + " sum to more than the highest grade of qrels, " +
                        std::to_string(formats::trec::kMaxGrade) + "; take their max");
  }
  std::vector<formats::trec::QrelRecord> result;
  for (const auto& [key, grade] : documents) result.push_back({key.first, key.second, grade});
  return result;
}

}  // namespace touchstone::analysis
