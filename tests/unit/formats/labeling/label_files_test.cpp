#include "formats/labeling/label_files.hpp"

#include "common/unicode.hpp"
#include "tests/support/error_message.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/support/text_file.hpp"

#include <algorithm>
#include <filesystem>
#include <random>
#include <string>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>

namespace touchstone::formats::labeling {
namespace {

using touchstone::testing::message_of;
using touchstone::testing::TemporaryFolder;
using touchstone::testing::write_text;
using Spans = std::vector<Span>;

/// Writes a file, tells its format and reads it.
class LabelFiles : public ::testing::Test {
 protected:
  LabelFile read(const std::string& name, const std::string& text) {
    const auto file = folder_ / name;
    std::filesystem::create_directories(file.parent_path());
    write_text(file, text);
    format_ = format_of(file);
    return read_labels(file, format_, rules_);
  }
  Annotation only(const std::string& name, const std::string& text) {
    const auto file = read(name, text);
    EXPECT_EQ(file.answers.size(), 1U);
    return file.answers.empty() ? Annotation() : file.answers.front();
  }
  std::string message(const std::string& name, const std::string& text) {
    return message_of([&] { read(name, text); });
  }

  TemporaryFolder folder_;
  LabelRules rules_;
  LabelFormat format_{};
};

constexpr const char* kFiraHeader =
    "id\trelevanceLevel\trelevanceCharacterRanges\tdurationUsedToJudgeMs\tjudgedAtUnixTS\tdocumentId\tqueryId\tuserId"
    "\n";

TEST_F(LabelFiles, FiraRangesHoldBothEndsAndCountUtf16) {
  const Texts texts = {{"D1_0", "a\U0001F692b cd"}};
  rules_.texts = &texts;
  const auto answer =
      only("raw.tsv", std::string(kFiraHeader) + "7\t2_GOOD_ANSWER\t0-2;5-6\t1500\t1588341862\tD1_0\tq1\tu1\n");
  EXPECT_EQ(format_, LabelFormat::kFira);
  EXPECT_EQ(answer.annotator + answer.topic + answer.docid + answer.id, "u1q1D1_07");
  EXPECT_EQ(answer.grade, 2);
  EXPECT_EQ(answer.spans, (Spans{{0, 2}, {4, 6}}));
  EXPECT_EQ(answer.visible_ms, 1500U);
  EXPECT_EQ(answer.judged_at_ms, 1'588'341'862'000);
}

TEST_F(LabelFiles, FiraWithoutTextsTakesRangesAsTheyAreAndSaysSo) {
  const auto file = read("raw.tsv", std::string(kFiraHeader) + "7\t3_PERFECT_ANSWER\t0-2\t1\t1\tD\tq\tu\n");
  EXPECT_EQ(file.answers.front().spans, (Spans{{0, 3}}));
  ASSERT_EQ(file.notes.size(), 1U);
  EXPECT_NE(file.notes.begin()->first.find("without a text"), std::string::npos);
}

TEST_F(LabelFiles, DoccanoClassificationNamesTheAnnotatorByTheFile) {
  const auto answer =
      only("admin.jsonl", R"({"id":3,"text":"Some text","topic":"q1","docid":"D1_0","label":["Partial"],)"
                          R"("Comments":["not sure","why"]})");
  EXPECT_EQ(format_, LabelFormat::kDoccano);
  EXPECT_EQ(answer.annotator, "admin");
  EXPECT_EQ(answer.grade, 2);
  EXPECT_EQ(answer.reason, "not sure\nwhy");
  EXPECT_EQ(answer.kind, TaskKind::kGrade);
}

TEST_F(LabelFiles, DoccanoSequenceLabelingGivesSelectionsInUtf16) {
  const auto answer = only("ann.jsonl",
                           "{\"id\":3,\"text\":\"\U0001F692 truck here\",\"query_id\":7,\"doc_id\":\"D\","
                           "\"label\":[[9,13,\"ANSWER\"],[3,8,\"ANSWER\"]]}");
  EXPECT_EQ(answer.kind, TaskKind::kSpans);
  EXPECT_EQ(answer.topic, "7");
  EXPECT_FALSE(answer.grade);
  EXPECT_EQ(answer.spans, (Spans{{2, 7}, {8, 12}}));
}

TEST_F(LabelFiles, DoccanoCategoriesAndEntitiesAreOneAnswer) {
  const auto tuple =
      only("ann.jsonl", R"({"id":3,"text":"abcdef","topic":"q","docid":"D","cats":["3"],"entities":[[0,3,"span"]]})");
  EXPECT_EQ(tuple.grade, 3);
  EXPECT_EQ(tuple.spans, (Spans{{0, 3}}));
  const auto relation = only(
      "ann.jsonl",
      R"({"id":3,"text":"abcdef","topic":"q","docid":"D","entities":[{"id":1,"label":"Perfect","start_offset":1,"end_offset":2}],"relations":[]})");
  EXPECT_EQ(relation.grade, 3) << "the label of a span that is a grade";
  EXPECT_EQ(relation.spans, (Spans{{1, 2}}));
}

TEST_F(LabelFiles, DoccanoJsonAndCsvAreReadAsItsLines) {
  const auto json =
      only("admin.json", R"([{"id":1,"text":"abc","topic":"q","docid":"D","label":["Perfect"],"Comments":["x"]}])");
  EXPECT_EQ(format_, LabelFormat::kDoccano);
  EXPECT_EQ(json.annotator, "admin");
  EXPECT_EQ(json.grade, 3);
  const auto csv = only("bob.csv", "id,text,topic,docid,label,Comments\n1,\"a, b\",q,D,difficult#Topic,\n");
  EXPECT_EQ(format_, LabelFormat::kDoccano);
  EXPECT_EQ(csv.annotator, "bob");
  EXPECT_EQ(csv.grade, 1);
  EXPECT_TRUE(csv.difficult);
}

TEST_F(LabelFiles, RecordsWithoutALabelAreCountedAndNoAnswers) {
  const auto file = read("ann.jsonl", R"({"id":3,"text":"abc","topic":"q","docid":"D","label":[]})");
  EXPECT_TRUE(file.answers.empty());
  EXPECT_EQ(file.notes.at("records without a label, which are no answers"), 1U);
}

TEST_F(LabelFiles, LabelStudioGivesOneAnswerForEachAnnotation) {
  const auto file = read("project.json", R"([{"id":1,"data":{"text":"Some long text","topic":"q1","docid":"D1_0"},
    "annotations":[
      {"id":5,"completed_by":{"id":2,"email":"a@example.org"},"was_cancelled":false,"lead_time":4.288,
       "created_at":"2021-03-09T22:16:08.728353Z","result":[
        {"type":"choices","from_name":"grade","to_name":"text","value":{"choices":["Perfect"]}},
        {"type":"labels","from_name":"span","to_name":"text","value":{"start":5,"end":9,"text":"long","labels":["answer"]}},
        {"type":"textarea","from_name":"why","to_name":"text","value":{"text":["since"]}}]},
      {"id":6,"completed_by":3,"was_cancelled":true,"result":[]},
      {"id":7,"completed_by":4,"result":[{"type":"rating","value":{"rating":1}},{"type":"brush","value":{}}]}],
    "predictions":[{"result":[]}]}])");
  EXPECT_EQ(format_, LabelFormat::kLabelStudio);
  ASSERT_EQ(file.answers.size(), 3U);
  const auto& first = file.answers[0];
  EXPECT_EQ(first.annotator, "a@example.org");
  EXPECT_EQ(first.grade, 3);
  EXPECT_EQ(first.spans, (Spans{{5, 9}}));
  EXPECT_EQ(first.reason, "since");
  EXPECT_EQ(first.visible_ms, 4288U);
  EXPECT_EQ(first.judged_at_ms, 1'615'328'168'728);
  EXPECT_TRUE(file.answers[1].skipped);
  EXPECT_EQ(file.answers[1].annotator, "3");
  EXPECT_EQ(file.answers[2].grade, 1);
  EXPECT_EQ(file.notes.at("results of type brush, which are not read"), 1U);
}

TEST_F(LabelFiles, LabelStudioMinHasLabelsByTheNamesOfTheirTags) {
  const auto answer = only("min.json", R"([{"id":1,"text":"Some long text","topic":"q1","docid":"D1_0","annotator":7,
    "annotation_id":3,"created_at":"2021-03-09T22:16:08Z","updated_at":"2021-03-09T22:16:09+01:00","lead_time":1,
    "relevance":"Topic","span":[{"start":5,"end":9,"text":"long","labels":["answer"]}]}])");
  EXPECT_EQ(answer.annotator, "7");
  EXPECT_EQ(answer.grade, 1);
  EXPECT_EQ(answer.spans, (Spans{{5, 9}}));
  EXPECT_EQ(answer.judged_at_ms, 1'615'324'569'000);
}

TEST_F(LabelFiles, PotatoOneNamesTheAnnotatorByTheFolder) {
  const auto answer = only(
      "bob/annotated_instances.jsonl",
      R"({"id":"q1::D1_0","displayed_text":"Some long text","label_annotations":{"grade":{"Partial":"2"},)"
      R"("comments":{"text_box":"hm"}},"span_annotations":[{"start":5,"end":9,"annotation":"answer","span":"long"}],)"
      R"("behavioral_data":{"time_string":"Time spent: 0d 0h 1m 12s "}})");
  EXPECT_EQ(format_, LabelFormat::kPotato);
  EXPECT_EQ(answer.annotator, "bob");
  EXPECT_EQ(answer.topic + " " + answer.docid, "q1 D1_0");
  EXPECT_EQ(answer.grade, 2);
  EXPECT_EQ(answer.spans, (Spans{{5, 9}}));
  EXPECT_EQ(answer.reason, "hm");
  EXPECT_EQ(answer.visible_ms, 72'000U);
}

TEST_F(LabelFiles, PotatoStateHasPairsOrNames) {
  const auto pairs = only("user_state.json", R"({
    "user_id": "alice",
    "instance_id_to_label_to_value": {"q1 D1_0": [[{"schema": "grade", "name": "Perfect"}, "true"]]},
    "instance_id_to_span_to_value": {"q1 D1_0": [[{"schema": "s", "name": "answer", "start": 0, "end": 4}, true]]}})");
  EXPECT_EQ(format_, LabelFormat::kPotato);
  EXPECT_EQ(pairs.annotator, "alice");
  EXPECT_EQ(pairs.grade, 3);
  EXPECT_EQ(pairs.spans, (Spans{{0, 4}}));
  const auto names =
      only("user_state.json", R"({"user_id":"alice","instance_id_to_label_to_value":{"q D M N":)"
                              R"({"grade":{"labels":{"yes":true}}}},"instance_id_to_span_to_value":{}})");
  EXPECT_EQ(names.kind, TaskKind::kEvidence);
  EXPECT_EQ(names.member, "M N");
  EXPECT_EQ(names.grade, 1);
}

TEST_F(LabelFiles, PotatoTablesAreReadWithQuotes) {
  const auto old = only("out.csv",
                        "user,instance_id,displayed_text,grade:::Wrong,grade:::Perfect,span_annotation:::a\n"
                        "bob,q::D,\"a \"\"b\"\",\nc\",,Perfect,[]\n");
  EXPECT_EQ(old.annotator, "bob");
  EXPECT_EQ(old.grade, 3);
  const auto file =
      read("new.tsv",
           "instance_id\tuser_id\tgrade.1\tgrade.2\tanswer._spans\n"
           "q D\tann\t\ttrue\t\"[{\"\"start\"\": 1, \"\"end\"\": 2, \"\"label\"\": \"\"answer\"\"}]\"\r\n");
  ASSERT_EQ(file.answers.size(), 1U);
  EXPECT_EQ(file.answers[0].grade, 2);
  EXPECT_EQ(file.answers[0].spans, (Spans{{1, 2}}));
}

TEST_F(LabelFiles, LabelStudioMinHasListsOfRatingsAndChoices) {
  EXPECT_EQ(only("min.json", R"([{"topic":"q","docid":"D","annotator":"a","stars":[{"rating":3}]}])").grade, 3);
  EXPECT_TRUE(
      only("min.json", R"([{"topic":"q","docid":"D","annotator":"a","tags":{"choices":["Wrong","difficult"]}}])")
          .difficult);
}

TEST_F(LabelFiles, PotatoPagesOfASurveyAndWrittenTextsAreNoGrades) {
  const auto file = read(
      "bob/annotated_instances.jsonl",
      R"({"id":"consent.html","label_annotations":{"I agree.":{"Yes":"true"}},"span_annotations":{}})"
      "\n"
      R"({"id":"q D","label_annotations":{"g":{"Wrong":"1"},"why":{"In your words":"it is about tea"}},"span_annotations":{}})");
  ASSERT_EQ(file.answers.size(), 1U);
  EXPECT_EQ(file.answers[0].grade, 0);
  EXPECT_EQ(file.answers[0].reason, "it is about tea");
  EXPECT_EQ(file.notes.at("pages of the survey, which are no passages"), 1U);
}

TEST_F(LabelFiles, LabelsOfOtherQuestionsAreIgnoredWhereTheUserSaysSo) {
  rules_.names.add("PER=ignore");
  const auto answer =
      only("a.jsonl", R"({"text":"abc","topic":"q","docid":"D","cats":["2"],"entities":[[0,1,"PER"],[1,2,"answer"]]})");
  EXPECT_EQ(answer.grade, 2);
  EXPECT_EQ(answer.spans, (Spans{{1, 2}}));
}

TEST_F(LabelFiles, LabelsThatTheUserExplainsAreKnown) {
  rules_.names.add("gut=3");
  EXPECT_EQ(only("a.jsonl", R"({"text":"t","topic":"q","docid":"D","label":["Gut"]})").grade, 3);
}

TEST_F(LabelFiles, AnswersForAMemberAreEvidence) {
  const auto answer = only("a.jsonl", R"({"text":"t","topic":"q","docid":"D","member":"Mount Yahiko","label":["no"]})");
  EXPECT_EQ(answer.kind, TaskKind::kEvidence);
  EXPECT_EQ(answer.grade, 0);
}

TEST_F(LabelFiles, WhatIsWrongIsSaidInOneSentenceWithItsPlace) {
  const auto line = [](const std::string& more) { return R"({"text":"abc","topic":"q","docid":"D",)" + more + "}\n"; };
  const std::string good = line(R"("label":["2"])");
  for (
      const auto& [name, text, part] : std::initializer_list<std::tuple<std::string, std::string, std::string>>{
          {"a.jsonl", good + line(R"("label":["great"])"),
           "a.jsonl:2: the label \"great\" is not known; say what it means"},
          {"a.jsonl", good + line(R"("label":["2","3"])"), "a.jsonl:2: the label \"3\" is a second grade"},
          {"a.jsonl", line(R"("label":[[1,9,"answer"]])"),
           "a.jsonl:1: the span from 1 to 9 is outside the text, which has 3"},
          {"a.jsonl", line(R"("label":[[1,"answer"]])"), "neither a label nor a span"},
          {"a.jsonl", line(R"("member":"M","label":["3"])"), "evidence of a member, which is yes (1) or no (0)"},
          {"a.jsonl", R"({"id":4,"text":"abc","label":["2"]})", "does not say topic and passage"},
          {"all.jsonl", good, "a file named all does not say who gave a label"},
          {"a.jsonl", good + R"({"text":"abc","topic":"q","docid")", "a.jsonl:2: is no JSON"},
          {"p.json", R"([{"id":1,"data":{"topic":"q","docid":"D"},"annotations":[{"result":[]}]}])",
           "task 1: does not say who annotated"},
          {"p.json", R"([{"id":1,"data":{"topic":"q","docid":"D"},"annotations":[)", "is no JSON, or cut off"},
          {"p.json",
           R"([{"data":{"text":"abc","topic":"q","docid":"D"},"annotations":[{"completed_by":1,"result":[{"type":"labels","value":{"start":0,"end":2,"text":"xy","labels":["answer"]}}]}]}])",
           "task 1: the span from 0 to 2 is \"ab\" in the text and \"xy\" in the export"},
          {"x/annotated_instances.jsonl",
           R"({"id":"q D","label_annotations":{"g":{"2":"true"}},"span_annotations":[]})"
           "\n"
           R"({"id":"q D","label_annotations":{"g":{"1":"true"}},"span_annotations":[]})",
           "jsonl:2: has an instance that a line before has too and no user"},
          {"t.csv", "user,instance_id,g:::2\nbob,q D\n", "t.csv:2: there are 2 columns and the header has 3"},
          {"t.csv", "user,instance_id,g:::2\nbob,q D,\"true\n", "t.csv:2: a quoted cell has no end"},
          {"raw.tsv", std::string(kFiraHeader) + "1\t2_GOOD\t\t1\t1\tD\tq\t\n", "raw.tsv:2: userId is empty"},
          {"raw.tsv", std::string(kFiraHeader) + "1\t-1_BAD\t\t1\t1\tD\tq\tu\n", "the level -1 is not from 0 to 3"},
          {"raw.tsv", std::string(kFiraHeader) + "1\t2_GOOD\t\t1\n", "raw.tsv:2: there are 4 columns"},
          {"x.txt", "hello\n", "x.txt: the first line does not tell the format"}}) {
    EXPECT_NE(message(name, text).find(part), std::string::npos) << message(name, text);
  }
}

TEST_F(LabelFiles, SpansThatWereMadeOnAnotherTextAreRefused) {
  const Texts texts = {{"D", "another text"}};
  rules_.texts = &texts;
  EXPECT_NE(message("a.jsonl", R"({"text":"abc","topic":"q","docid":"D","label":[[0,1,"answer"]]})")
                .find("passage \"D\" has another text here than in --texts"),
            std::string::npos);
  EXPECT_NE(message("a.jsonl", R"({"annotator":"a","topic":"q","docid":"D","grade":2,"spans":[[3,40]]})")
                .find("the span from 3 to 40 of \"a\" is outside the text"),
            std::string::npos);
}

/// Answers of all kinds, seeded, with texts that have characters of two UTF-16 code units.
std::vector<Annotation> random_answers(std::mt19937& random, Texts& texts, bool for_fira) {
  constexpr char32_t kCharacters[] = {U'a', U' ', U'é', U'神', U'\U0001F692', U'"', U'\n'};
  std::vector<Annotation> answers;
  for (int number = 0; number < 40; ++number) {
    Annotation answer;
    answer.annotator = "ann " + std::to_string(random() % 5);
    answer.topic = "q" + std::to_string(random() % 4);
    answer.docid = "D" + std::to_string(number) + "_" + std::to_string(random() % 3);
    auto& text = texts[answer.docid];
    const std::size_t size = 1 + random() % 30;
    for (std::size_t i = 0; i < size; ++i) append_utf8(text, kCharacters[random() % std::size(kCharacters)]);
    answer.id = "id-" + std::to_string(number);
    answer.kind = for_fira ? TaskKind::kGrade : static_cast<TaskKind>(random() % 3);
    if (answer.kind == TaskKind::kGrade) answer.grade = static_cast<int>(random() % 4);
    if (answer.kind == TaskKind::kEvidence) {
      answer.grade = static_cast<int>(random() % 2);
      answer.member = "Ōarai Shrine " + std::to_string(random() % 3);
    }
    for (auto at = static_cast<std::uint32_t>(random() % 6); at < size;) {
      const auto end = static_cast<std::uint32_t>(at + 1 + random() % (size - at));
      answer.spans.emplace_back(at, end);
      at = end + static_cast<std::uint32_t>(random() % 5);
    }
    answer.rotated = random() % 4 == 0;
    answer.visible_ms = random() % 100'000;
    answer.judged_at_ms = 1'700'000'000'000 + static_cast<std::int64_t>(random() % 1000) * (for_fira ? 1000 : 7);
    if (!for_fira) {
      if (random() % 6 == 0) answer.skipped = true, answer.grade.reset(), answer.spans.clear();
      answer.task = "task" + std::to_string(number);
      answer.difficult = random() % 5 == 0;
      answer.mode = random() % 2 == 0 ? ShownMode::kBlind : ShownMode::kShown;
      answer.guidelines = "v1";
      if (random() % 3 == 0) answer.reason = "since\n\"" + std::to_string(number);
    }
    answers.push_back(std::move(answer));
  }
  return answers;
}

TEST(LabelConversion, EveryFormatKeepsWhatItCanHold) {
  const TemporaryFolder folder;
  std::mt19937 random(5);
  for (int round = 0; round < 20; ++round) {
    for (const auto& format : Choices<LabelFormat>::table) {
      Texts texts;
      auto answers = random_answers(random, texts, format.value == LabelFormat::kFira);
      const auto file = folder / ("f" + std::to_string(round) + std::string(format.text));
      write_labels(file, format.value, answers, texts, {{"q1", "a query"}});
      EXPECT_EQ(format_of(file), format.value);
      LabelRules rules;
      rules.texts = &texts;
      auto read = read_labels(file, format.value, rules);
      EXPECT_TRUE(read.notes.empty()) << format.text << ": " << read.notes.begin()->first;
      const auto by_id = [](const Annotation& a, const Annotation& b) { return a.id < b.id; };
      std::sort(answers.begin(), answers.end(), by_id);
      std::sort(read.answers.begin(), read.answers.end(), by_id);
      ASSERT_EQ(read.answers.size(), answers.size()) << format.text;
      for (std::size_t i = 0; i < answers.size(); ++i) {
        auto expected = answers[i];
        EXPECT_TRUE(read.answers[i] == expected) << format.text << "\n"
                                                 << annotation_line(expected) << "\n"
                                                 << annotation_line(read.answers[i]);
      }
    }
  }
}

TEST(LabelConversion, WhatAFormatCannotHoldIsSaid) {
  const TemporaryFolder folder;
  Annotation answer;
  answer.annotator = "a";
  answer.topic = "q";
  answer.docid = "D";
  answer.skipped = true;
  const auto notes = write_labels(folder / "f", LabelFormat::kFira, std::vector{answer}, {}, {});
  EXPECT_EQ(notes.at("skipped answers, which FiRA's format does not have"), 1U);
  answer.kind = TaskKind::kEvidence;
  EXPECT_NE(message_of([&] {
              write_labels(folder / "g", LabelFormat::kFira, std::vector{answer}, {}, {});
            }).find("FiRA's format has nothing else"),
            std::string::npos);
  answer.spans = {{0, 2}};
  EXPECT_NE(message_of([&] {
              write_labels(folder / "h", LabelFormat::kPotato, std::vector{answer}, {}, {});
            }).find("give the texts with --texts"),
            std::string::npos);
  EXPECT_NE(message_of([&] {
              write_labels(folder / "h", LabelFormat::kPotato, std::vector{answer}, {{"D", "a"}}, {});
            }).find("is outside the text of passage"),
            std::string::npos);
}

}  // namespace
}  // namespace touchstone::formats::labeling
