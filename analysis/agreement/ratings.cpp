#include "analysis/agreement/ratings.hpp"

#include "common/error.hpp"
#include "formats/trec/qrels.hpp"

#include <algorithm>
#include <functional>
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

}  // namespace touchstone::analysis::agreement
