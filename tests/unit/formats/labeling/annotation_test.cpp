#include "formats/labeling/annotation.hpp"

#include "tests/support/error_message.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/support/text_file.hpp"

#include <string>
#include <utility>

#include <gtest/gtest.h>

namespace touchstone::formats::labeling {
namespace {

using touchstone::testing::message_of;
using touchstone::testing::TemporaryFolder;
using touchstone::testing::write_text;

TEST(Annotation, IsReadAsItWasWritten) {
  Annotation full;
  full.id = "a-1";
  full.annotator = "Zoë \"Z\"";
  full.task = "t1";
  full.kind = TaskKind::kEvidence;
  full.topic = "q1";
  full.docid = "D1_0";
  full.member = "Ōarai Isosaki Shrine";
  full.grade = 1;
  full.spans = {{0, 4}, {4, 9}};
  full.difficult = true;
  full.reason = "line\nbreak\u2028";
  full.mode = ShownMode::kShown;
  full.rotated = true;
  full.guidelines = "v2";
  full.visible_ms = 12'345;
  full.judged_at_ms = 1'700'000'000'123;
  Annotation skipped;
  skipped.annotator = "b";
  skipped.topic = "q1";
  skipped.docid = "D1_1";
  skipped.skipped = true;
  const TemporaryFolder folder;
  for (const char* name : {"a.jsonl", "a.jsonl.gz"}) {
    write_text(folder / name, annotation_line(full) + "\n\n" + annotation_line(skipped) + "\n");
    const auto read = read_annotations(folder / name);
    ASSERT_EQ(read.size(), 2U);
    EXPECT_EQ(read[0], full);
    EXPECT_EQ(read[1], skipped);
  }
}

TEST(Annotation, ALineThatIsWrongIsNamedWithWhatIsWrong) {
  const TemporaryFolder folder;
  const auto message = [&](const std::string& line) {
    write_text(folder / "a", "{\"annotator\":\"a\",\"topic\":\"q\",\"docid\":\"d\",\"grade\":1}\n" + line + "\n");
    return message_of([&] { read_annotations(folder / "a"); });
  };
  const auto with = [](const std::string& more) {
    return "{\"annotator\":\"a\",\"topic\":\"q\",\"docid\":\"d\"," + more + "}";
  };
  for (const auto& [line, part] : std::initializer_list<std::pair<std::string, const char*>>{
           {with("\"grade\":4"), "a:2: has 4 in field"},
           {with("\"grade\":1,\"spans\":[[3,3]]"), "spans that are empty, overlap or do not ascend"},
           {with("\"grade\":1,\"spans\":[[0,3],[2,4]]"), "spans that are empty, overlap or do not ascend"},
           {with("\"grade\":1,\"kind\":\"vote\""), "unknown kind \"vote\""},
           {"{\"annotator\":\"\",\"topic\":\"q\",\"docid\":\"d\",\"grade\":1}", "empty annotator, topic or docid"},
           {"{\"annotator\":\"a\",\"topic\":\"q\"", "a:2: is no JSON"}}) {
    EXPECT_NE(message(line).find(part), std::string::npos) << message(line);
  }
}

}  // namespace
}  // namespace touchstone::formats::labeling
