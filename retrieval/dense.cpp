#include "retrieval/dense.hpp"

#include "common/error.hpp"
#include "common/files.hpp"
#include "formats/fields/quote.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <string>
#include <unordered_map>

#include <tbb/enumerable_thread_specific.h>
#include <tbb/parallel_for.h>

namespace touchstone::retrieval {
namespace {

constexpr std::size_t kRowsPerBlock = 1024;
constexpr std::size_t kLanes = 16;

/// Sixteen sums side by side, so that the processor computes several at once, in an order that never changes.
float inner_product(const float* a, const float* b, std::size_t size) {
  std::array<float, kLanes> sums{};
  std::size_t i = 0;
  for (; i + kLanes <= size; i += kLanes) {
    for (std::size_t lane = 0; lane < kLanes; ++lane) sums[lane] += a[i + lane] * b[i + lane];
  }
  float sum = 0;
  for (const float part : sums) sum += part;
  for (; i < size; ++i) sum += a[i] * b[i];
  return sum;
}

/// The best documents of one query: a heap with the worst of them in front.
class Best {
 public:
  void add(const Index& index, Hit hit, std::size_t depth) {
    const auto is_better = [&](const Hit& a, const Hit& b) { return index.ranks_before(a, b); };
    if (hits_.size() == depth) {
      if (!is_better(hit, hits_.front())) return;
      std::pop_heap(hits_.begin(), hits_.end(), is_better);
      hits_.back() = hit;
    } else {
      hits_.push_back(hit);
    }
    std::push_heap(hits_.begin(), hits_.end(), is_better);
  }
  const Ranking& hits() const noexcept { return hits_; }

 private:
  Ranking hits_;
};

/// For each row of `vectors`, the number that `number_of` gives its id, which is a line of the file; each once.
/// \param what     that an id names: "docid", of which there are `count`
/// \param missing  what is wrong where `number_of` gives -1, and `twice` where it gives a number again
template <class NumberOf>
std::vector<std::uint32_t> numbers_of_rows(const std::filesystem::path& file, const NpyFile& vectors, std::size_t count,
                                           const NumberOf& number_of, const char* what, const char* missing,
                                           const char* twice) {
  std::vector<std::string> ids;
  for_each_line(file, [&](std::string_view line, std::uint64_t) {
    ids.emplace_back(line);
    return true;
  });
  if (ids.size() != vectors.rows()) {
    throw FormatError(file.string() + " has " + std::to_string(ids.size()) + " ids, and " + vectors.path().string() +
                      " has " + std::to_string(vectors.rows()) +
                      " rows; each row needs the id of its text, one a line");
  }
  std::vector<std::uint32_t> numbers;
  std::vector<bool> seen(count);
  for (const auto& id : ids) {
    const std::int64_t number = number_of(id);
    const bool again = number >= 0 && seen[static_cast<std::size_t>(number)];
    if (number < 0 || again) {
      throw FormatError(file.string() + " line " + std::to_string(numbers.size() + 1) + " has " + what + " " +
                        formats::fields::quote_for_message(id) + (again ? twice : missing));
    }
    seen[static_cast<std::size_t>(number)] = true;
    numbers.push_back(static_cast<std::uint32_t>(number));
  }
  return numbers;
}

std::vector<std::uint32_t> documents_of_rows(const Index& index, const DenseFiles& files, const NpyFile& vectors) {
  return numbers_of_rows(
      files.ids, vectors, index.size(), [&](std::string_view id) { return index.find(id); }, "docid",
      ", which is not in the collection; take the vectors of this collection",
      " a second time; give each document one vector");
}

/// The number of the topic of each query row.
std::vector<std::uint32_t> topics_of_rows(std::span<const Topic> topics, const DenseFiles& files,
                                          const NpyFile& queries) {
  if (files.query_ids.empty()) {
    if (queries.rows() != topics.size()) {
      throw FormatError(
          queries.path().string() + " has " + std::to_string(queries.rows()) + " rows for " +
          std::to_string(topics.size()) +
          " topics; give one vector for each topic in the order of the topics, or name their ids with --query-ids");
    }
    std::vector<std::uint32_t> numbers(topics.size());
    std::iota(numbers.begin(), numbers.end(), 0U);
    return numbers;
  }
  std::unordered_map<std::string_view, std::int64_t> by_id;
  for (std::size_t i = 0; i < topics.size(); ++i) by_id[topics[i].id] = static_cast<std::int64_t>(i);
  const auto number_of = [&](std::string_view id) {
    const auto found = by_id.find(id);
    return found == by_id.end() ? -1 : found->second;
  };
  return numbers_of_rows(files.query_ids, queries, topics.size(), number_of, "topic",
                         ", which the collection does not have; take the vectors of its topics",
                         " a second time; give each topic one vector");
}

}  // namespace

std::vector<Ranking> search_vectors(const Index& index, const NpyFile& rows, std::span<const std::uint32_t> documents,
                                    const NpyFile& queries, std::size_t depth) {
  const auto width = rows.columns();
  if (queries.columns() != width) {
    throw FormatError(queries.path().string() + " has vectors of " + std::to_string(queries.columns()) +
                      " values, and those of " + rows.path().string() + " have " + std::to_string(width) +
                      "; take both from one model");
  }
  std::vector<float> query_values(queries.rows() * width);
  queries.read_rows(0, query_values);
  struct State {
    std::vector<float> values;
    std::vector<Best> best;
  };
  tbb::enumerable_thread_specific<State> states([&] { return State{{}, std::vector<Best>(queries.rows())}; });
  const auto blocks = (rows.rows() + kRowsPerBlock - 1) / kRowsPerBlock;
  tbb::parallel_for(std::size_t{0}, blocks, [&](std::size_t block) {
    auto& state = states.local();
    const auto first = block * kRowsPerBlock, count = std::min(kRowsPerBlock, rows.rows() - first);
    state.values.resize(count * width);
    rows.read_rows(first, state.values);
    for (std::size_t query = 0; query < queries.rows(); ++query) {
      for (std::size_t row = 0; row < count; ++row) {
        const float score = inner_product(&query_values[query * width], &state.values[row * width], width);
        state.best[query].add(index, {documents[first + row], score}, depth);
      }
    }
  });
  std::vector<Ranking> rankings(queries.rows());
  for (std::size_t query = 0; query < rankings.size(); ++query) {
    auto& ranking = rankings[query];
    for (const auto& state : states)
      ranking.insert(ranking.end(), state.best[query].hits().begin(), state.best[query].hits().end());
    index.rank(ranking, depth);
  }
  return rankings;
}

std::vector<Ranking> search_dense(const Index& index, std::span<const Topic> topics, const DenseFiles& files,
                                  std::size_t depth) {
  const NpyFile vectors(files.vectors), queries(files.queries);
  const auto documents = documents_of_rows(index, files, vectors);
  const auto numbers = topics_of_rows(topics, files, queries);
  auto found = search_vectors(index, vectors, documents, queries, depth);
  std::vector<Ranking> rankings(topics.size());
  for (std::size_t i = 0; i < numbers.size(); ++i) rankings[numbers[i]] = std::move(found[i]);
  return rankings;
}

}  // namespace touchstone::retrieval
