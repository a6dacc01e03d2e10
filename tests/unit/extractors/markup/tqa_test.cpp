#include "extractors/markup/tqa.hpp"

#include "common/error.hpp"

#include <string>

#include <gtest/gtest.h>

namespace touchstone::extractors::markup {
namespace {

constexpr const char* kLesson = R"({"globalID": "L_0002", "lessonName": "Rocks & ores",
  "adjunctTopics": {
    "Lesson Summary": {"content": {"text": "In short."}, "orderID": "t_03"},
    "Introduction": {"content": {"text": "First.\n\nSecond."}, "orderID": "t_01"},
    "Vocabulary": {"ore": "rock with metal", "slag": ""}},
  "topics": {
    "T_0018": {"globalID": "T_0018", "topicName": "Slag", "content": {"text": "Waste."}},
    "T_0002": {"globalID": "T_0002", "topicName": "Ore", "content": {"text": "Metal.",
      "figures": [{"caption": "An ore.", "imagePath": "a/b.png"}, 7]}}},
  "questions": {"nonDiagramQuestions": {"Q_1": {}, "Q_2": {}}, "diagramQuestions": {"Q_3": {}}}})";

TEST(Tqa, ALessonIsAPageOfItsTopicsInOrder) {
  std::string problem;
  auto page = render_tqa_lesson(kLesson, problem);
  EXPECT_EQ(problem, "");
  EXPECT_EQ(page.title, "Rocks & ores");
  EXPECT_EQ(
      page.html,
      "<html><body><main>\n<h1>Rocks &amp; ores</h1>\n<p>First.</p>\n<p>Second.</p>\n<h2>Ore</h2>\n<p>Metal.</p>\n"
      "<figure><img src=\"a/b.png\"/><figcaption>An ore.</figcaption>\n</figure>\n<h2>Slag</h2>\n<p>Waste.</p>\n"
      "<h2>Lesson Summary</h2>\n<p>In short.</p>\n<h2>Vocabulary</h2>\n<dl>\n<dt>ore</dt>\n<dd>rock with metal</dd>\n"
      "<dt>slag</dt>\n</dl>\n</main></body></html>\n");
  EXPECT_EQ(page.left_out["questions"], 3U);
}

TEST(Tqa, AFileIsSplitIntoLessons) {
  const auto lessons = split_tqa(std::string("[") + kLesson + ", 7]");
  ASSERT_EQ(lessons.size(), 2U);
  EXPECT_EQ(lessons[0].id, "L_0002");
  EXPECT_EQ(lessons[1].id, "lesson 2");
  EXPECT_EQ(split_tqa(kLesson).size(), 1U);
  EXPECT_THROW(split_tqa("[{"), FormatError);
  EXPECT_THROW(split_tqa("7"), FormatError);
}

TEST(Tqa, WhatIsNoLessonSaysSo) {
  std::string problem;
  render_tqa_lesson("7", problem);
  EXPECT_EQ(problem, "the lesson is no object");
  problem.clear();
  EXPECT_NE(render_tqa_lesson(R"({"topics": 1, "adjunctTopics": [], "questions": 2})", problem).html, "");
  EXPECT_EQ(problem, "");
}

}  // namespace
}  // namespace touchstone::extractors::markup
