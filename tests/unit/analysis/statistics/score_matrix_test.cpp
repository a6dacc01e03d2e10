#include "analysis/statistics/score_matrix.hpp"

#include "common/error.hpp"
#include "common/files.hpp"
#include "tests/support/error_message.hpp"
#include "tests/support/temporary_folder.hpp"

#include <gtest/gtest.h>

namespace touchstone::analysis::statistics {
namespace {

using testing::message_of;

using Names = std::vector<std::string>;

struct MatrixFile {
  testing::TemporaryFolder folder;
  std::filesystem::path write(const std::string& text) {
    write_file_atomically(folder / "m.tsv", text);
    return folder / "m.tsv";
  }
};

TEST(ScoreMatrix, FiveFormsGiveTheSameScores) {
  for (const auto* text :
       {"run\tt1\tt2\tt3\na\t.1\t.2\t.3\nb\t.4\t.5\t1e-1\n", "topic\ta\tb\nt1\t.1\t.4\nt2\t.2\t.5\nt3\t.3\t.1\n",
        "\"a\",\"b\"\n.1,.4\n.2,.5\n.3,.1\n", "3 2\n.1 .4\n.2 .5\n.3 .1\n",
        "run\tmeasure\ttopic\tvalue\na\tmap\tt1\t.1\na\tmap\tt2\t.2\na\tmap\tt3\t.3\na\tmap\tall\t.2\n"
        "b\tmap\tt2\t.5\nb\tmap\tt1\t.4\nb\tmap\tt3\t.1\n"}) {
    MatrixFile file;
    const auto matrix = read_score_matrix(file.write(text));
    ASSERT_EQ(matrix.systems.size(), 2U) << text;
    ASSERT_EQ(matrix.topics.size(), 3U) << text;
    EXPECT_EQ(matrix.values, (std::vector<double>{.1, .2, .3, .4, .5, .1})) << text;
  }
}

TEST(ScoreMatrix, UnnamedSystemsAndTopicsAreNumbered) {
  MatrixFile file;
  const auto matrix = read_score_matrix(file.write("1 2\n.1 .4\n"));
  EXPECT_EQ(matrix.systems, (Names{"system1", "system2"}));
  EXPECT_EQ(matrix.topics, Names{"topic1"});
}

TEST(ScoreMatrix, ProblemsAreNamedWithFileLineAndRemedy) {
  struct {
    const char *text, *where, *what;
  } const cases[] = {{"", "m.tsv: ", "is empty"},
                     {"run\tt1\tt2\na\t1\n", "m.tsv:2", "2 columns where the header has 3"},
                     {"run\tt1\na\tx\n", "m.tsv:2", "no finite number"},
                     {"run\tt1\na\tnan\n", "m.tsv:2", "no finite number"},
                     {"run\tt1\na\t1\na\t2\n", "m.tsv:3", "a second time"},
                     {"run\tt1\tt1\na\t1\t2\n", "m.tsv:1", "a second time"},
                     {"run\tt1\n", "m.tsv", "no scores"},
                     {".1,.2\n.3,.4\n", "m.tsv:1", "no header"},
                     {"2 2\n1 2\n", "m.tsv:1", "announces 2 topics, and 1 line"},
                     {"2 2\n1 2\n1\n", "m.tsv:3", "1 score where line 1 announces 2"},
                     {"run\tmeasure\ttopic\tvalue\na\tmap\t1\t.1\na\tP_5\t1\t.1\n", "m.tsv:3", "one measure"},
                     {"run\tmeasure\ttopic\tvalue\na\tmap\t1\t.1\nb\tmap\t2\t.1\n", "m.tsv", "no score of"}};
  for (const auto& c : cases) {
    MatrixFile file;
    const auto path = file.write(c.text);
    const auto message = message_of([&] { read_score_matrix(path); });
    EXPECT_NE(message.find(c.where), std::string::npos) << message;
    EXPECT_NE(message.find(c.what), std::string::npos) << message;
  }
}

TEST(ScoreMatrix, SelectedSystemsComeInTheirOrder) {
  const ScoreMatrix matrix{{"a", "b", "c"}, {"1", "2"}, {1, 2, 3, 4, 5, 6}};
  EXPECT_EQ(select_systems(matrix, {"c", "a"}).values, (std::vector<double>{5, 6, 1, 2}));
  EXPECT_THROW(select_systems(matrix, {"d"}), Error);
}

TEST(SystemScores, ReadsNamesAndScoresWithAndWithoutHeader) {
  MatrixFile file;
  EXPECT_EQ(read_system_scores(file.write("a\t.5\nb\t.25\n")).scores, (std::vector<double>{.5, .25}));
  EXPECT_EQ(read_system_scores(file.write("run value\na .5\nb .25\n")).systems, (Names{"a", "b"}));
  EXPECT_EQ(read_system_scores(file.write("run\tx\ty\na\t1\t2\nb\t3\t4\n"), "y").scores, (std::vector<double>{2, 4}));
}

TEST(SystemScores, WhatEvaluatePrintsIsReadWithoutItsSingleTopics) {
  MatrixFile file;
  const std::string header = "run\tmeasure\ttopic\tvalue\n";
  EXPECT_EQ(read_system_scores(file.write(header + "a\tmap\t7\t1\na\tmap\tall\t.5\nb\tmap\tall\t.25\n")).scores,
            (std::vector<double>{.5, .25}));
  const auto two = file.write(header + "a\tmap\tall\t.5\na\tP_5\tall\t.2\n");
  EXPECT_NE(message_of([&] { read_system_scores(two); }).find("a second time"), std::string::npos);
}

TEST(SystemScores, AWideTableNeedsTheColumn) {
  MatrixFile file;
  const auto path = file.write("run\tx\ty\na\t1\t2\nb\t3\t4\n");
  EXPECT_NE(message_of([&] { read_system_scores(path); }).find("3 columns"), std::string::npos);
  EXPECT_NE(message_of([&] { read_system_scores(path, "z"); }).find("no column \"z\""), std::string::npos);
}

}  // namespace
}  // namespace touchstone::analysis::statistics
