#include "common/error.hpp"
#include "tests/unit/analysis/sample_files.hpp"

#include <algorithm>
#include <random>

#include <gtest/gtest.h>

namespace touchstone::analysis::measures {
namespace {

using testing::message_of;
using testing::SampleFiles;

using Paths = std::vector<std::filesystem::path>;

const std::string kQrels = "1 0 a 1\n2 0 a 1\n3 0 a 1\n10 0 a 1\n";

TEST(Evaluate, MeansAreOverTheTopicsThatRunAndQrelsShare) {
  const SampleFiles files;
  const auto result =
      evaluate(files.write("q", kQrels), Paths{files.write("r", "2 Q0 a 1 2 t\n3 Q0 x 1 2 t\n7 Q0 a 1 2 t\n")},
               parse_measures(std::vector<std::string>{"map", "num_q", "num_ret"}));
  const auto& run = result.runs[0];
  EXPECT_EQ(result.topics, (std::vector<std::string>{"1", "10", "2", "3"}));
  EXPECT_EQ(run.topics, (std::vector<std::size_t>{2, 3}));
  EXPECT_EQ(run.means, (std::vector<double>{.5, 2, 2}));
  EXPECT_EQ(run.unknown_topics, 1U);
  EXPECT_EQ(run.first_unknown_topic, "7");
  EXPECT_EQ(run.first_unknown_line, 3U);
  EXPECT_EQ(run.missing_topics, 2U);
}

TEST(Evaluate, CompleteCountsMissingTopicsAsZero) {
  const SampleFiles files;
  EvaluateOptions options;
  options.complete = true;
  const auto run =
      evaluate(files.write("q", kQrels), Paths{files.write("r", "2 Q0 a 1 2 t\n")},
               parse_measures(std::vector<std::string>{"map", "num_q", "num_ret", "num_rel", "gm_map"}), options)
          .runs[0];
  EXPECT_EQ(run.topics.size(), 4U);
  EXPECT_EQ(run.means[0], .25);
  EXPECT_EQ(run.means[1], 4);
  EXPECT_EQ(run.means[2], 1);
  EXPECT_EQ(run.means[3], 4);
  EXPECT_NEAR(run.means[4], std::pow(.00001, .75), 1e-12);
}

TEST(Evaluate, ARunWithoutALineScoresZero) {
  const SampleFiles files;
  for (const bool complete : {false, true}) {
    EvaluateOptions options;
    options.complete = complete;
    const auto result = evaluate(files.write("q", kQrels), Paths{files.write("weak.run", "")},
                                 parse_measures(std::vector<std::string>{"map", "nDCG@10", "P_5"}), options);
    EXPECT_EQ(result.runs[0].means, (std::vector<double>{0, 0, 0}));
    EXPECT_EQ(result.runs[0].name, "weak");
    EXPECT_EQ(result.runs[0].missing_topics, 4U);
  }
}

TEST(Evaluate, KnowsTheHighestGradeOfTheQrels) {
  const SampleFiles files;
  const auto run = files.write("r", "1 Q0 a 1 2 t\n");
  EXPECT_EQ(evaluate(files.write("q", "1 0 a 1\n2 0 b 3\n"), Paths{run}, parse_measure("map")).highest_grade, 3);
}

TEST(Evaluate, ARunWithoutACommonTopicIsAnError) {
  const SampleFiles files;
  const auto message = message_of(
      [&] { evaluate(files.write("q", kQrels), Paths{files.write("r", "7 Q0 a 1 2 t\n")}, parse_measure("map")); });
  EXPECT_NE(message.find("have no topic in common (\"7\" against \"1\", \"10\", \"2\", ...)"), std::string::npos)
      << message;
}

TEST(Evaluate, TheFirstBadLineOfTheFirstBadRunIsReported) {
  const SampleFiles files;
  const auto qrels = files.write("q", kQrels);
  const Paths runs = {files.write("good", "1 Q0 a 1 2 t\n"),
                      files.write("bad", "2 Q0 a 1 2 t\n1 Q0 a 1 x t\n1 Q0 b 1\n"), files.write("worse", "1 Q0 a\n")};
  for (int round = 0; round < 20; ++round) {
    const auto message = message_of([&] { evaluate(qrels, runs, parse_measure("map")); });
    EXPECT_NE(message.find("bad:2: has the score \"x\", which is no finite number"), std::string::npos) << message;
  }
}

TEST(Evaluate, LenientSkipsAndCountsByReason) {
  const SampleFiles files;
  EvaluateOptions options;
  options.lenient = true;
  const auto result = evaluate(
      files.write("q", kQrels + "1 0 b\n1 0 c x\n1 0 a 0\n"),
      Paths{files.write("r", "1 Q0 z 1 9 t\n1 Q0\n1 Q0 b 1 nan t\n1 Q0 a 2 inf t\n1 Q0 z 1 1 t\n1 Q0 a 1 8 t\n")},
      parse_measure("recip_rank"), options);
  EXPECT_EQ(result.runs[0].means[0], .5);
  EXPECT_EQ(result.runs[0].faults.count, (std::array<std::uint64_t, 3>{1, 2, 1}));
  EXPECT_EQ(result.qrels_faults.count, (std::array<std::uint64_t, 3>{1, 1, 1}));
}

TEST(Evaluate, WordsBehindTheTagAreCountedAndNotLookedAt) {
  const SampleFiles files;
  const auto run = evaluate(files.write("q", kQrels),
                            Paths{files.write("r", "1 Q0 a 1 2 t\n2 Q0 a 1 2 t more words\n")}, parse_measure("map"))
                       .runs[0];
  EXPECT_EQ(run.means[0], 1);
  EXPECT_EQ(run.faults.with_more_fields, 1U);
  EXPECT_EQ(run.first_line_with_more, 2U);
}

/// 40 topics with 50 passages each, many scores equal.
std::vector<std::string> random_run(std::mt19937& random) {
  std::vector<std::string> lines;
  for (int topic = 0; topic < 40; ++topic) {
    for (int docid = 0; docid < 50; ++docid) {
      lines.push_back(std::to_string(topic) + " Q0 d" + std::to_string(docid) + " 0 " + std::to_string(random() % 20) +
                      "." + std::to_string(random() % 10) + " t\n");
    }
  }
  return lines;
}

std::string joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const auto& line : lines) text += line;
  return text;
}

TEST(Evaluate, NeitherThreadsNorTheOrderOfLinesChangeAValue) {
  std::mt19937 random(7);  // the seed
  const SampleFiles files;
  std::string judgments;
  for (int topic = 0; topic < 45; ++topic) {
    for (int docid = 0; docid < 60; docid += 1 + static_cast<int>(random() % 5)) {
      judgments += std::to_string(topic) + " 0 d" + std::to_string(docid) + " " +
                   std::to_string(static_cast<int>(random() % 5) - 1) + "\n";
    }
  }
  const auto qrels = files.write("q", judgments);
  Paths runs, shuffled;
  for (int i = 0; i < 4; ++i) {
    auto lines = random_run(random);
    runs.push_back(files.write("r" + std::to_string(i), joined(lines)));
    std::shuffle(lines.begin(), lines.end(), random);
    shuffled.push_back(files.write("s" + std::to_string(i), joined(lines)));
  }
  const auto measures = parse_measures(std::vector<std::string>{"all_trec", "nDCG@10", "RBP", "yaap", "Judged@5"});
  EvaluateOptions options;
  options.threads = 1;
  const auto expected = evaluate(qrels, runs, measures, options);
  for (const auto* files_of : {&runs, &shuffled}) {
    for (const int threads : {1, 2, 4}) {
      options.threads = threads;
      const auto found = evaluate(qrels, *files_of, measures, options);
      for (std::size_t i = 0; i < runs.size(); ++i) {
        EXPECT_EQ(found.runs[i].values, expected.runs[i].values);
        EXPECT_EQ(found.runs[i].means, expected.runs[i].means);
        EXPECT_EQ(found.runs[i].relevance_strings, expected.runs[i].relevance_strings);
      }
    }
  }
}

TEST(EvaluateMatrix, HasTheTopicsThatAllRunsHave) {
  const SampleFiles files;
  const auto qrels = files.write("q", kQrels);
  const Paths runs = {files.write("a.run", "1 Q0 a 1 2 t\n2 Q0 a 1 2 t\n"),
                      files.write("b.run", "2 Q0 x 1 2 t\n3 Q0 a 1 2 t\n")};
  const auto matrix = evaluate_matrices(qrels, runs, parse_measure("map")).front();
  EXPECT_EQ(matrix.systems, (std::vector<std::string>{"a.run", "b.run"}));
  EXPECT_EQ(matrix.topics, std::vector<std::string>{"2"});
  EXPECT_EQ(matrix.values, (std::vector<double>{1, 0}));
  EXPECT_EQ(matrix.topics_left_out, 3U);
  EXPECT_EQ(missing_answers(matrix), "topics left out: 3 of 4 (not answered: a.run 2, b.run 2)");
  EvaluateOptions options;
  options.complete = true;
  const auto complete = evaluate_matrices(qrels, runs, parse_measure("map"), options).front();
  EXPECT_EQ(complete.topics, (std::vector<std::string>{"1", "10", "2", "3"}));
  EXPECT_EQ(complete.topics_left_out, 0U);
  EXPECT_EQ(missing_answers(complete), "topics without an answer count as 0 (a.run 2, b.run 2)");
  EXPECT_EQ(complete.at(0, 0), 1);
  EXPECT_EQ(complete.at(1, 3), 1);
  EXPECT_EQ(complete.at(1, 0), 0);
}

TEST(EvaluateMatrix, RefusesARunThatIsGivenTwice) {
  const SampleFiles files;
  const auto qrels = files.write("q", kQrels);
  const auto run = files.write("a.run", "1 Q0 a 1 2 t\n");
  const auto message = message_of([&] { evaluate_matrices(qrels, Paths{run, run}, parse_measure("map")); });
  EXPECT_NE(message.find("a.run is given twice"), std::string::npos) << message;
}

TEST(EvaluateMatrix, RefusesMeasuresWithoutANumberForEachTopic) {
  EXPECT_THROW(evaluate_matrices("q", Paths{"r"}, parse_measure("runid")), ConfigError);
}

using Words = std::vector<std::string>;

TEST(RunNames, AreTheTagsUnlessTheyCollide) {
  EXPECT_EQ(run_names(Paths{"x/a.run.gz", "y/b.run"}, Words{"bm25", "splade"}), (Words{"bm25", "splade"}));
  EXPECT_EQ(run_names(Paths{"x/a.run.gz", "y/b.run", "c.run"}, Words{"t", "t", "u"}), (Words{"a.run", "b.run", "u"}));
  EXPECT_EQ(run_names(Paths{"x/a.run", "y/a.run"}, Words{"t", "t"}), (Words{"x/a.run", "y/a.run"}));
}

TEST(RunNames, AreDistinctForDistinctFiles) {
  // The third run's tag is the name of the first run's file.
  EXPECT_EQ(run_names(Paths{"x/a.run", "y/b.run", "c.run"}, Words{"t", "t", "a.run"}),
            (Words{"x/a.run", "b.run", "c.run"}));
  // A tag may look like the path of another run.
  EXPECT_EQ(run_names(Paths{"x/a", "y/a", "z"}, Words{"t", "t", "x/a"}), (Words{"x/a", "y/a", "z"}));
}

TEST(RunNames, ATagThatCannotBeShownIsNoName) {
  EXPECT_EQ(run_names(Paths{"a.run", "b.run"}, Words{"x\x1b[2J", "\xff"}), (Words{"a.run", "b.run"}));
}

TEST(EvaluateMatrix, SaysWhereItsScoresComeFrom) {
  const SampleFiles files;
  const auto qrels = files.write("q", kQrels);
  const Paths runs = {files.write("a.run", "1 Q0 a 1 2 first\n"), files.write("b.run", "1 Q0 x 1 2 second\n")};
  const auto matrix = evaluate_matrices(qrels, runs, parse_measure("P_5")).front();
  EXPECT_EQ(matrix.systems, (Words{"first", "second"}));
  EXPECT_EQ(matrix.source.measure, "P_5");
  EXPECT_EQ(matrix.source.judgments(), qrels.string());
  EXPECT_EQ(matrix.source.run_files, (Words{runs[0].string(), runs[1].string()}));
  const auto second = select_systems(matrix, {"second"});
  EXPECT_EQ(second.source.run_files, Words{runs[1].string()});
  EXPECT_EQ(second.source.run_tags, Words{"second"});
}

TEST(ToZScores, AreDistancesInDeviationsAndSayWhereThereIsNoReference) {
  const SampleFiles files;
  auto result = evaluate(files.write("q", kQrels),
                         Paths{files.write("r", "1 Q0 a 1 2 t\n2 Q0 a 1 2 t\n3 Q0 a 1 2 t\n")}, parse_measure("map"));
  to_z_scores(result, files.write("z", "1 map 0.5 0.25\n2 map 1 0\n"));
  EXPECT_EQ(result.runs[0].values, (std::vector<double>{2, 0, -1000000}));
  const auto message = message_of([&] { to_z_scores(result, files.write("bad", "1 map 0.5 0.25\n2 map x 0\n")); });
  EXPECT_NE(message.find("bad:2: is no line \"topic measure mean deviation\""), std::string::npos) << message;
}

TEST(Evaluate, ErrNeedsItsScaleToHoldAllGrades) {
  const SampleFiles files;
  const auto message = message_of([&] {
    evaluate(files.write("q", "1 0 a 5\n"), Paths{files.write("r", "1 Q0 a 1 2 t\n")}, parse_measure("ERR@10"));
  });
  EXPECT_NE(message.find("has the grade 5; say ERR(max_rel=...)"), std::string::npos) << message;
}

}  // namespace
}  // namespace touchstone::analysis::measures
