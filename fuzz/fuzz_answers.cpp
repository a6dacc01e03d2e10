#include "common/error.hpp"
#include "pipeline/answers/answer_file.hpp"
#include "tests/support/temporary_folder.hpp"

#include <cstddef>
#include <cstdint>
#include <fstream>

namespace {

using touchstone::pipeline::answers::AnswerFile;

/// What a reader of answers relies on.
void check_answers(const AnswerFile& file) {
  TS_CHECK(!file.answers.empty(), "a file without an answer is refused");
  for (std::size_t i = 0; i < file.answers.size(); ++i) {
    const auto& answer = file.answers[i];
    TS_CHECK(i == 0 || file.answers[i - 1].topic < answer.topic, "answers are by topic, each topic once");
    TS_CHECK(answer.citations.size() <= touchstone::pipeline::answers::kMostCitations, "citations are bounded");
    for (const auto& citation : answer.citations) {
      if (!citation.range) continue;
      TS_CHECK(citation.range->first <= citation.range->second, "a range does not end before it begins");
      TS_CHECK(citation.range->second <= answer.text.size(), "a text has no more code points than bytes");
    }
  }
}

}  // namespace

/// Files of answers: none may crash; what is read keeps its order and bounds, else a message says what is wrong.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const touchstone::testing::TemporaryFolder folder;
  const auto path = folder / "answers.jsonl";
  std::ofstream(path, std::ios::binary).write(reinterpret_cast<const char*>(data), static_cast<std::streamsize>(size));
  for (const bool lenient : {false, true}) {
    try {
      check_answers(touchstone::pipeline::answers::read_answers(path, lenient));
    } catch (const touchstone::Error& error) {
      TS_CHECK(error.what()[0] != '\0', "a failure says why");
    }
  }
  return 0;
}
