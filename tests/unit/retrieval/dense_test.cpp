#include "retrieval/dense.hpp"

#include "tests/support/error_message.hpp"
#include "tests/unit/retrieval/sample_index.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <tbb/global_control.h>
#include <tbb/task_arena.h>

namespace touchstone::retrieval {
namespace {

using ::testing::HasSubstr;
using testing::passage;
using testing::SampleIndex;
using touchstone::testing::message_of;

std::string npy(const std::string& header, const std::string& data, char version = 1) {
  std::string file = "\x93NUMPY";
  file += {version, '\0'};
  const auto size = static_cast<std::uint32_t>(header.size());
  for (int byte = 0; byte < (version == 1 ? 2 : 4); ++byte) file += static_cast<char>(size >> (8 * byte) & 0xFFU);
  return file + header + data;
}

std::string header(const std::string& shape, const std::string& type = "<f4", const std::string& order = "False") {
  return "{'descr': '" + type + "', 'fortran_order': " + order + ", 'shape': " + shape + ", }\n";
}

std::string bytes(const std::vector<float>& values) {
  std::string data(values.size() * 4, '\0');
  std::memcpy(data.data(), values.data(), data.size());
  return data;
}

std::string matrix(std::size_t rows, const std::vector<float>& values) {
  return npy(header("(" + std::to_string(rows) + ", " + std::to_string(values.size() / rows) + ")"), bytes(values));
}

class NpyTest : public ::testing::Test {
 protected:
  std::string failure(const std::string& file) {
    touchstone::testing::write_text(folder_ / "v.npy", file);
    return message_of([&] {
      const NpyFile opened(folder_ / "v.npy");
      std::vector<float> values(opened.rows() * opened.columns());
      opened.read_rows(0, values);
    });
  }
  std::vector<float> values(const std::string& file) {
    touchstone::testing::write_text(folder_ / "v.npy", file);
    const NpyFile opened(folder_ / "v.npy");
    std::vector<float> read(opened.rows() * opened.columns());
    opened.read_rows(0, read);
    return read;
  }

  touchstone::testing::TemporaryFolder folder_;
};

TEST_F(NpyTest, ReadsSingleAndHalfPrecision) {
  EXPECT_EQ(values(matrix(2, {1, -2, 3.5, 0})), (std::vector<float>{1, -2, 3.5, 0}));
  EXPECT_EQ(values(npy(header("(1, 2)"), bytes({7, 8}), 2)), (std::vector<float>{7, 8}));
  const std::string halves("\x00\x3c\x00\xc0\x01\x00\xff\x7b", 8);  // 1, -2, the smallest, the greatest
  EXPECT_EQ(values(npy(header("(2, 2)", "<f2"), halves)), (std::vector<float>{1, -2, 0x1p-24F, 65504}));
}

TEST_F(NpyTest, SaysWhatIsWrongWithAFile) {
  EXPECT_THAT(failure("no vectors at all"), HasSubstr("is no .npy file"));
  EXPECT_THAT(failure(npy(header("(2, 2)"), bytes({1, 2, 3}))), HasSubstr("where its shape (2, 2) needs"));
  EXPECT_THAT(failure(npy(header("(2, 2)"), bytes({1, 2, 3, 4, 5}))), HasSubstr("where its shape (2, 2) needs"));
  EXPECT_THAT(failure(npy(header("(9000000000, 9000000000)"), "")), HasSubstr("more than are read"));
  EXPECT_THAT(failure(npy(header("(2147483648, 65536)"), "")), HasSubstr("where its shape"));
  EXPECT_THAT(failure(npy(header("(4,)"), bytes({1, 2, 3, 4}))), HasSubstr("has 1 dimensions"));
  EXPECT_THAT(failure(npy(header("(0, 4)"), "")), HasSubstr("has no values"));
  EXPECT_THAT(failure(npy(header("(1, 1)", "<f8"), "12345678")), HasSubstr("only little-endian float32"));
  EXPECT_THAT(failure(npy(header("(1, 1)", ">f4"), "1234")), HasSubstr("only little-endian float32"));
  EXPECT_THAT(failure(npy(header("(1, 1)", "<f4", "True"), "1234")), HasSubstr("Fortran order"));
  EXPECT_THAT(failure(matrix(1, {1, std::numeric_limits<float>::quiet_NaN()})), HasSubstr("row 0"));
  EXPECT_THAT(failure(npy(header("(1, 1)", "<f2"), std::string("\x00\x7c", 2))), HasSubstr("no finite number"));
  EXPECT_THAT(failure(npy("{'descr': '<f4'", "")), HasSubstr("order"));
  EXPECT_THAT(failure(std::string("\x93NUMPY\x01\x00\xff\xff{", 11)), HasSubstr("ends inside of its header"));
}

class DenseTest : public ::testing::Test {
 protected:
  static constexpr std::size_t kRows = 3000, kWidth = 19, kQueries = 7, kDepth = 25;

  DenseTest() : sample_(corpus()) {
    std::mt19937 random(5);
    // Few values, so that many products are equal.
    std::uniform_int_distribution<int> value(-2, 2);
    for (std::size_t i = 0; i < kRows * kWidth; ++i) rows_.push_back(static_cast<float>(value(random)));
    for (std::size_t i = 0; i < kQueries * kWidth; ++i) queries_.push_back(static_cast<float>(value(random)));
    touchstone::testing::write_text(sample_.folder / "d.npy", matrix(kRows, rows_));
    touchstone::testing::write_text(sample_.folder / "q.npy", matrix(kQueries, queries_));
  }

  static std::string corpus() {
    std::string lines;
    for (std::size_t i = 0; i < kRows; ++i) lines += passage("d" + std::to_string(i), "w");
    return lines;
  }

  std::vector<Ranking> search(const Index& index, int threads) {
    std::vector<std::uint32_t> documents(kRows);
    for (std::uint32_t i = 0; i < kRows; ++i) documents[i] = static_cast<std::uint32_t>(kRows - 1) - i;
    std::vector<Ranking> found;
    const tbb::global_control allowed(tbb::global_control::max_allowed_parallelism, static_cast<std::size_t>(threads));
    tbb::task_arena(threads).execute([&] {
      found = search_vectors(index, NpyFile(sample_.folder / "d.npy"), documents, NpyFile(sample_.folder / "q.npy"),
                             kDepth);
    });
    return found;
  }

  SampleIndex sample_;
  std::vector<float> rows_, queries_;
};

TEST_F(DenseTest, FindsWhatAllProductsGiveWithAnyNumberOfThreads) {
  const auto index = sample_.open();
  for (const int threads : {1, 2, 4}) {
    const auto found = search(index, threads);
    ASSERT_EQ(found.size(), kQueries);
    for (std::size_t query = 0; query < kQueries; ++query) {
      std::vector<std::pair<double, std::string>> all;
      for (std::size_t row = 0; row < kRows; ++row) {
        double product = 0;
        for (std::size_t i = 0; i < kWidth; ++i) product += rows_[row * kWidth + i] * queries_[query * kWidth + i];
        all.emplace_back(-product, "d" + std::to_string(kRows - 1 - row));
      }
      std::sort(all.begin(), all.end());
      ASSERT_EQ(found[query].size(), kDepth);
      for (std::size_t i = 0; i < kDepth; ++i) {
        EXPECT_EQ(index.docid(found[query][i].document), all[i].second);
        EXPECT_EQ(found[query][i].score, -all[i].first);
      }
    }
  }
}

TEST_F(DenseTest, FilesThatDoNotFitAreRefused) {
  const auto index = sample_.open();
  const std::vector<Topic> topics{{"t1", "x"}, {"t2", "y"}};
  auto& folder = sample_.folder;
  touchstone::testing::write_text(folder / "d.npy", matrix(2, {1, 2, 3, 4}));
  touchstone::testing::write_text(folder / "q.npy", matrix(2, {1, 0, 0, 1}));
  touchstone::testing::write_text(folder / "ids", "d1\nd2\n");
  DenseFiles files{folder / "d.npy", folder / "ids", folder / "q.npy", {}};
  const auto failure = [&] { return message_of([&] { search_dense(index, topics, files, 10); }); };
  EXPECT_EQ(failure(), "no error");
  touchstone::testing::write_text(folder / "ids", "d1\nother\n");
  EXPECT_THAT(failure(), HasSubstr("line 2 has docid \"other\", which is not in the collection"));
  touchstone::testing::write_text(folder / "ids", "d1\nd1\n");
  EXPECT_THAT(failure(), HasSubstr("a second time"));
  touchstone::testing::write_text(folder / "ids", "d1\n");
  EXPECT_THAT(failure(), HasSubstr("has 1 ids"));
  touchstone::testing::write_text(folder / "ids", "d1\nd2\n");
  touchstone::testing::write_text(folder / "q.npy", matrix(2, {1, 0, 0, 1, 1, 1}));
  EXPECT_THAT(failure(), HasSubstr("take both from one model"));
  touchstone::testing::write_text(folder / "q.npy", matrix(1, {1, 0}));
  EXPECT_THAT(failure(), HasSubstr("has 1 rows for 2 topics"));
  files.query_ids = folder / "qids";
  touchstone::testing::write_text(folder / "qids", "t2\n");
  EXPECT_EQ(failure(), "no error");
  touchstone::testing::write_text(folder / "qids", "t3\n");
  EXPECT_THAT(failure(), HasSubstr("topic \"t3\", which the collection does not have"));
}

}  // namespace
}  // namespace touchstone::retrieval
