#include "retrieval/dense.hpp"

#include "common/error.hpp"
#include "common/files.hpp"
#include "formats/fields/quote.hpp"

#include <algorithm>
#include <array>
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
    const auto is_better = [&](const Hit& a, const Hit& b) { return better(index, a, b); };
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

  static bool better(const Index& index, const Hit& a, const Hit& b) {
    return a.score != b.score ? a.score > b.score : index.order(a.document) < index.order(b.document);
  }

 private:
  Ranking hits_;
};

std::vector<std::string> read_ids(const std::filesystem::path& path) {
  std::vector<std::string> ids;
  for_each_line(path, [&](std::string_view line, std::uint64_t) {
    ids.emplace_back(line);
    return true;
  });
  return ids;
}

void check_count(const std::filesystem::path& ids, std::size_t count, const NpyFile& vectors) {
  if (count == vectors.rows()) return;
  throw FormatError(ids.string() + " has " + std::to_string(count) + " ids, and " + vectors.path().string() + " has " +
                    std::to_string(vectors.rows()) + " rows; each row needs the id of its text, one a line");
}

std::vector<std::uint32_t> documents_of_rows(const Index& index, const DenseFiles& files, const NpyFile& vectors) {
  const auto ids = read_ids(files.ids);
  check_count(files.ids, ids.size(), vectors);
  std::vector<std::uint32_t> documents;
  std::vector<bool> seen(index.size());
  for (std::size_t i = 0; i < ids.size(); ++i) {
    const auto document = index.find(ids[i]);
    const auto where = files.ids.string() + " line " + std::to_string(i + 1) + " has docid " +
                       formats::fields::quote_for_message(ids[i]);
    if (document < 0)
      throw FormatError(where + ", which is not in the collection; take the vectors of this collection");
    if (seen[static_cast<std::size_t>(document)])
      throw FormatError(where + " a second time; give each document one vector");
    seen[static_cast<std::size_t>(document)] = true;
    documents.push_back(static_cast<std::uint32_t>(document));
  }
  return documents;
}

/// The number of the topic of each query row.
std::vector<std::size_t> topics_of_rows(std::span<const Topic> topics, const DenseFiles& files,
                                        const NpyFile& queries) {
  std::vector<std::size_t> numbers;
  if (files.query_ids.empty()) {
    if (queries.rows() != topics.size()) {
      throw FormatError(
          queries.path().string() + " has " + std::to_string(queries.rows()) + " rows for " +
          std::to_string(topics.size()) +
          " topics; give one vector for each topic in the order of the topics, or name their ids with --query-ids");
    }
    for (std::size_t i = 0; i < topics.size(); ++i) numbers.push_back(i);
    return numbers;
  }
  std::unordered_map<std::string_view, std::size_t> by_id;
  for (std::size_t i = 0; i < topics.size(); ++i) by_id[topics[i].id] = i;
  const auto ids = read_ids(files.query_ids);
  check_count(files.query_ids, ids.size(), queries);
  std::vector<bool> seen(topics.size());
  for (std::size_t i = 0; i < ids.size(); ++i) {
    const auto found = by_id.find(ids[i]);
    const auto where = files.query_ids.string() + " line " + std::to_string(i + 1) + " has topic " +
                       formats::fields::quote_for_message(ids[i]);
    if (found == by_id.end())
      throw FormatError(where + ", which the collection does not have; take the vectors of its topics");
    if (seen[found->second]) throw FormatError(where + " a second time; give each topic one vector");
    seen[found->second] = true;
    numbers.push_back(found->second);
  }
  return numbers;
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
    std::sort(ranking.begin(), ranking.end(), [&](const Hit& a, const Hit& b) { return Best::better(index, a, b); });
    if (ranking.size() > depth) ranking.resize(depth);
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
