#include "analysis/studies/partial/evidence_labels.hpp"
#include "analysis/studies/partial/partial_numbers.hpp"
#include "analysis/studies/partial/partial_output.hpp"
#include "analysis/studies/passage_facts.hpp"
#include "analysis/studies/study.hpp"
#include "tests/unit/analysis/sample_files.hpp"
#include "tests/unit/analysis/shared_data.hpp"

#include <algorithm>
#include <fstream>
#include <set>

#include <gtest/gtest.h>

namespace touchstone::analysis::studies::partial {
namespace {

using analysis::testing::message_of;
using analysis::testing::SampleFiles;

// Recall@2 by all labels: A 2/2 and 1/2, B 1/2 and 1/2, C 0 and 1/2.
const char* const kQrels = "1 0 a 1\n1 0 b 2\n1 0 n 0\n2 0 c 1\n2 0 d 1\n";
const char* const kRuns[] = {"1 Q0 a 1 9 A\n1 Q0 b 2 8 A\n2 Q0 c 1 9 A\n2 Q0 x 2 8 A\n",
                             "1 Q0 b 1 9 B\n1 Q0 n 2 8 B\n2 Q0 c 1 9 B\n2 Q0 y 2 8 B\n",
                             "1 Q0 n 1 9 C\n1 Q0 x 2 8 C\n2 Q0 d 1 9 C\n2 Q0 y 2 8 C\n1 Q0 a 3 7 C\n"};

struct Sample {
  SampleFiles files;
  measures::LabelScorer scorer{measures::parse_measure("R@2").front(), 1};
  JudgedRuns runs;
  EvidenceLabels labels;
  Sample() : runs(files.write("qrels", kQrels), run_files()), labels(runs, scorer, 0.05) {}
  std::vector<std::string> run_files() const {
    std::vector<std::string> names;
    for (int i = 0; i < 3; ++i) names.push_back(files.write("run" + std::to_string(i), kRuns[i]).string());
    return names;
  }
};

TEST(EvidenceLabels, ScoresByOneLabelForEachTopic) {
  const Sample sample;
  EXPECT_EQ(sample.labels.evidence_count(), 4U);
  // b and d: A 1, 0; B 1, 0; C 0, 1. All means are .5: every pair is tied.
  EXPECT_EQ(sample.labels.single({1, 1}).pairs.tied_in_second, 3U);
  // a and d: A 1, 0; B 0, 0; C 0, 1 (a is at rank 3). A over B as before, A and C tied, C over B against the labels.
  const auto outcome = sample.labels.single({0, 1});
  EXPECT_EQ(outcome.pairs.concordant, 1U);
  EXPECT_EQ(outcome.pairs.discordant, 1U);
  EXPECT_EQ(outcome.pairs.tied_in_second, 1U);
  EXPECT_EQ(outcome.means, (std::vector<double>{0.5, 0, 0.5}));
}

TEST(EvidenceLabels, TopicsWithoutChoiceAndTheBaseSystemAreLeftOut) {
  const Sample sample;
  const auto outcome = sample.labels.single({0, kNoEvidence}, 0);
  EXPECT_EQ(outcome.pairs.pairs, 1U);  // B and C, which both miss a
  EXPECT_EQ(outcome.pairs.tied_in_second, 1U);
}

TEST(EvidenceLabels, AllEvidenceGivesTheRankingByAllLabels) {
  const Sample sample;
  const double fractions[] = {0, 0.5, 1};
  const auto outcomes = sample.labels.growing({{0, 1}, {1, 0}}, fractions);
  ASSERT_EQ(outcomes.size(), 3U);
  EXPECT_EQ(outcomes[0].pairs.discordant, 1U);  // 0 % is one label: a and d
  EXPECT_EQ(outcomes[1].pairs.discordant, 1U);  // half of two is one
  EXPECT_EQ(outcomes[2].pairs.concordant, 3U);
  EXPECT_EQ(agreement::kendall_tau_b(outcomes[2].pairs), 1);
}

TEST(EvidenceLabels, LowerPositiveGradesCountOnlyInTheirShare) {
  const SampleFiles files;
  std::vector<std::string> names;
  for (int i = 0; i < 2; ++i) names.push_back(files.write("run" + std::to_string(i), kRuns[i]).string());
  const auto qrels = files.write("qrels", "1 0 a 1\n1 0 b 2\n1 0 x 2\n2 0 c 2\n2 0 d 1\n");
  const JudgedRuns runs(qrels, names);
  const measures::LabelScorer scorer(measures::parse_measure("nDCG@2").front(), 2);
  const EvidenceLabels labels(runs, scorer, 0.05);
  EXPECT_EQ(labels.evidence_count(), 3U);
  // Only b and c have labels: b is at rank 2 of A and at rank 1 of B. With a as well, A is better.
  EXPECT_EQ(labels.single({0, 0}).pairs.discordant, 1U);
  const double fractions[] = {0, 1};
  const auto outcomes = labels.growing({{0, 1}, {0}}, fractions);
  EXPECT_EQ(outcomes[0].pairs.discordant, 1U);
  EXPECT_EQ(outcomes[1].pairs.concordant, 1U);
}

TEST(EvidenceOrders, TiesGoToTheSmallerDocidInByteOrder) {
  const Sample sample;
  const auto longest = order_by_number(sample.labels, {{"a", 3}, {"b", 3}, {"c", 1}, {"d", 2}}, true);
  EXPECT_EQ(longest, (EvidenceOrder{{0, 1}, {1, 0}}));
  const auto shortest = order_by_number(sample.labels, {{"a", 3}, {"b", 3}, {"c", 1}, {"d", 2}}, false);
  EXPECT_EQ(shortest, (EvidenceOrder{{0, 1}, {0, 1}}));
  EXPECT_EQ(first_of({{}, {1}}), (SingleSelection{kNoEvidence, 1}));
}

TEST(EvidenceOrders, ASystemChoosesTheFirstEvidenceOfItsRunHoweverDeep) {
  const Sample sample;
  EXPECT_EQ(system_selection(sample.labels, 0), (SingleSelection{0, 0}));
  EXPECT_EQ(system_selection(sample.labels, 1), (SingleSelection{1, 0}));
  EXPECT_EQ(system_selection(sample.labels, 2), (SingleSelection{0, 1}));  // a at rank 3
  EXPECT_EQ(system_order(sample.labels, 2, 1), (EvidenceOrder{{0, 1}, {1, 0}}));
}

TEST(EvidenceOrders, RandomSelectionsFollowFromTheSeed) {
  const Sample sample;
  std::set<SingleSelection> selections;
  for (std::uint64_t i = 0; i < 100; ++i) {
    selections.insert(random_selection(sample.labels, 7, i));
    EXPECT_EQ(random_selection(sample.labels, 7, i), random_selection(sample.labels, 7, i));
  }
  EXPECT_EQ(selections.size(), 4U);
}

Outcome outcome_of(std::uint64_t pairs, std::uint64_t discordant) {
  Outcome outcome;
  auto& bucket = outcome.buckets[0];
  bucket.pairs = {pairs, pairs - discordant, discordant};
  bucket.concordance = {2 * pairs, 2 * pairs};
  return outcome;
}

TEST(PartialNumbers, RatesOfABucketComeFromThePairsThatAreShown) {
  // A base system leaves the comparison with its pairs: 1 of 2 pairs, 0 of 8, and none at all.
  const auto bucket = spread_of_outcomes({outcome_of(2, 1), outcome_of(8, 0), outcome_of(0, 0)}).buckets[0];
  EXPECT_DOUBLE_EQ(bucket.pairs.mean, 10.0 / 3);
  EXPECT_DOUBLE_EQ(bucket.error_rate.mean, 10);
  EXPECT_DOUBLE_EQ(bucket.error_rate.mean, 100 * bucket.discordant.mean / bucket.pairs.mean);
  EXPECT_DOUBLE_EQ(bucket.partial_tau.mean, 0.8);
}

PartialNumbers with_curve(std::uint64_t pairs, std::uint64_t discordant) {
  PartialNumbers numbers;
  numbers.measure = "R@20";
  numbers.fractions = {0.3};
  numbers.curves = {{"system-based", 1, {spread_of_outcomes({outcome_of(pairs, discordant)})}}};
  return numbers;
}

TEST(PartialFindings, AFewPairsSetNoThreshold) {
  const auto findings = partial_findings({with_curve(1, 1)});
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].verdict, Verdict::kFact);
  EXPECT_NE(findings[0].statement.find("cannot be told with so few pairs"), std::string::npos);
}

TEST(PartialFindings, AShareOfTheEvidenceNamesItsOrderAndATieReachesTheThreshold) {
  const auto findings = partial_findings({with_curve(10, 1)});  // partial tau .8
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].verdict, Verdict::kCaution);
  EXPECT_NE(findings[0].statement.find("30 % of the evidence"), std::string::npos);
  EXPECT_NE(findings[0].statement.find("in the system-based order"), std::string::npos);
}

TEST(PartialFindings, AVerdictIsDecidedByTheNumberThatIsPrinted) {
  PartialNumbers numbers;
  numbers.measure = "R@20";
  const double taus[] = {0.8996, 0.8994};
  for (const double tau : taus) {
    OutcomeSpread spread;
    spread.tau_b = statistics::spread_of(std::span(&tau, 1));
    numbers.selections.push_back({"longest", 1, spread});
  }
  const auto findings = partial_findings({numbers});
  EXPECT_EQ(findings[0].verdict, Verdict::kGood) << findings[0].statement;
  EXPECT_NE(findings[0].statement.find("tau_b 0.900"), std::string::npos);
  EXPECT_EQ(findings[1].verdict, Verdict::kCaution) << findings[1].statement;
}

TEST(PassageFacts, ReadsDocidsOfSeveralNamesAndListsTheMissing) {
  const SampleFiles files;
  const auto read = read_word_counts(
      files.write("c.jsonl", "{\"_id\":\"a\",\"text\":\"one two\"}\n\n{\"id\":7,\"doc_id\":\"b\",\"text\":\"x\"}\n"),
      {"a", "b", "c"});
  EXPECT_EQ(read.numbers.at("a"), 2U);
  EXPECT_EQ(read.numbers.at("b"), 1U);
  EXPECT_EQ(read.missing, std::vector<std::string>{"c"});
}

TEST(PassageFacts, RefusesBadLinesWithFileAndLine) {
  const SampleFiles files;
  const auto corpus = [&](const std::string& text) {
    return message_of([&] { read_word_counts(files.write("c.jsonl", text), {"a"}); });
  };
  EXPECT_NE(corpus("{\"text\":\"x\"}\n").find("c.jsonl:1: has no docid"), std::string::npos);
  EXPECT_NE(corpus("{\"_id\":\"a\"}\n").find("c.jsonl:1: has no text"), std::string::npos);
  EXPECT_NE(corpus("[1]\n").find("c.jsonl:1: "), std::string::npos);
  const auto popularity = [&](const std::string& text) {
    return message_of([&] { read_popularity(files.write("p.tsv", text), {"a"}); });
  };
  EXPECT_NE(popularity("a 3\n").find("p.tsv:1: "), std::string::npos);
  EXPECT_NE(popularity("a\t-3\n").find("is not a docid, a tab and a whole number"), std::string::npos);
  EXPECT_NE(popularity("a\t3\na\t4\n").find("p.tsv:2: the docid \"a\" comes twice"), std::string::npos);
}

TEST(JudgedRuns, BadInputGetsOneSentence) {
  const Sample sample;
  StudyOptions options;
  const auto qrels = sample.files.write("q", kQrels).string();
  EXPECT_NE(message_of([&] { read_judged_runs(options, 2); }).find("there are no judgments"), std::string::npos);
  options.qrels = qrels;
  options.runs = {sample.run_files().front()};
  EXPECT_NE(message_of([&] { read_judged_runs(options, 2); }).find("1 run is given; this study needs at least 2"),
            std::string::npos);
  options.runs.push_back(sample.files.write("other", "77 Q0 a 1 1 t\n").string());
  EXPECT_NE(message_of([&] { read_judged_runs(options, 2); }).find("have no topic in common"), std::string::npos);
  EXPECT_NE(message_of([&] { count_relevant(sample.runs, 3); }).find("has no judgment of grade 3 or higher"),
            std::string::npos);
}

TEST(LabelScorer, GivesTheValuesOfEvaluate) {
  const Sample sample;
  for (const char* word : {"map", "nDCG@2", "P@1", "RR", "Rprec", "bpref", "R@2", "Judged@2", "ERR@2", "RBP(p=0.5)"}) {
    const auto measure = measures::parse_measure(word).front();
    const measures::LabelScorer scorer(measure, 1);
    const auto scores = sample.runs.score(scorer, sample.runs.labels());
    std::vector<std::filesystem::path> runs;
    for (const auto& file : sample.runs.files()) runs.emplace_back(file);
    const auto expected = measures::evaluate_matrices(sample.runs.qrels(), runs, {measure}).front();
    EXPECT_EQ(scores.values, expected.values) << word;
  }
}

TEST(LabelScorer, RefusesMeasuresThatGradesDoNotSufficeFor) {
  EXPECT_NE(message_of([] {
              measures::LabelScorer(measures::parse_measure("alpha_nDCG@10").front(), 1);
            }).find("is not a number that follows from the grades"),
            std::string::npos);
}

TEST(PublishedNumbers, PartialLabelsOfDeepLearning2019) {
  const auto data = touchstone::testing::shared_data();
  const auto folder = data / "runs" / "trec-dl-2019", texts = data / "qrels" / "sigir25-reannotation" / "main_doccano";
  TS_NEED_DATA(folder);
  TS_NEED_DATA(texts);
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) files.push_back(entry.path().string());
  std::sort(files.begin(), files.end());
  const SampleFiles scratch;
  std::string corpus;
  for (const auto& entry : std::filesystem::directory_iterator(texts)) {
    if (entry.path().extension() != ".jsonl") continue;
    std::ifstream in(entry.path());
    corpus.append(std::istreambuf_iterator<char>(in), {});
  }
  const JudgedRuns runs(data / "qrels" / "qrels.dl19-passage.txt", files);
  const measures::LabelScorer scorer(measures::parse_measure("R@20").front(), 1);
  const EvidenceLabels labels(runs, scorer, 0.05);
  EXPECT_EQ(labels.evidence_count(), 4102U);
  std::vector<std::string> docids;
  for (std::size_t t = 0; t < runs.topic_count(); ++t) {
    for (const auto passage : labels.evidence(t)) docids.emplace_back(runs.docids(t)[passage]);
  }
  const auto lengths = read_word_counts(scratch.write("corpus.jsonl", corpus), docids);
  EXPECT_TRUE(lengths.missing.empty());
  const auto longest = labels.single(first_of(order_by_number(labels, lengths.numbers, true)));
  EXPECT_NEAR(kendall_tau_b(longest.pairs), 0.2854, 0.00005);
  EXPECT_EQ(longest.pairs.discordant, 576U);
  const auto shortest = labels.single(first_of(order_by_number(labels, lengths.numbers, false)));
  EXPECT_NEAR(kendall_tau_b(shortest.pairs), 0.377, 0.0005);
  EXPECT_EQ(shortest.pairs.discordant, 455U);
  EXPECT_EQ(longest.buckets[0].pairs.pairs, 699U);
  EXPECT_EQ(longest.buckets[1].pairs.pairs, 291U);
  EXPECT_EQ(longest.buckets[2].pairs.pairs, 840U);
  double sum = 0;
  for (std::size_t s = 0; s < runs.systems().size(); ++s)
    sum += kendall_tau_b(labels.single(system_selection(labels, s), s).pairs);
  EXPECT_NEAR(sum / 61, 0.416, 0.0005);
}

}  // namespace
}  // namespace touchstone::analysis::studies::partial
