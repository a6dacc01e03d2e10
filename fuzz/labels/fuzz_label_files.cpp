#include "common/error.hpp"
#include "formats/documents/document_files.hpp"
#include "formats/labeling/label_files.hpp"
#include "tests/support/temporary_folder.hpp"

#include <cstddef>
#include <cstdint>
#include <fstream>

/// Files of people's labels in every format, and files of documents: none may crash. Answers that are read are whole,
/// and the format of Touchstone gives them again; else a message says what is wrong.
namespace {

using namespace touchstone::formats;
using labeling::Annotation;
using labeling::LabelFormat;

void check_answer(const Annotation& answer) {
  TS_CHECK(!answer.annotator.empty() && !answer.topic.empty() && !answer.docid.empty(), "ids are there");
  TS_CHECK(!answer.grade || (*answer.grade >= 0 && *answer.grade <= labeling::kHighestGrade), "grades are bounded");
  for (std::size_t i = 0; i < answer.spans.size(); ++i) {
    const auto& [begin, end] = answer.spans[i];
    TS_CHECK(begin < end, "a span has characters");
    TS_CHECK(i == 0 || answer.spans[i - 1].second <= begin, "spans ascend");
  }
}

void check_format(const std::filesystem::path& file, const std::filesystem::path& copy, LabelFormat format,
                  const labeling::LabelRules& rules) {
  const auto read = labeling::read_labels(file, format, rules);
  for (const auto& answer : read.answers) check_answer(answer);
  std::ofstream lines(copy, std::ios::binary);
  for (const auto& answer : read.answers) lines << labeling::annotation_line(answer) << '\n';
  lines.close();
  TS_CHECK(labeling::read_annotations(copy).size() == read.answers.size(), "no answer is lost");
}

template <class Call>
void call_or_say_why(const Call& call) {
  try {
    call();
  } catch (const touchstone::Error& error) {
    TS_CHECK(error.what()[0] != '\0', "a failure says why");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const touchstone::testing::TemporaryFolder folder;
  static const labeling::Texts texts = {{"D1_0", "A text with \U0001F692 in it."}};
  const auto file = folder / "labels";
  std::ofstream(file, std::ios::binary).write(reinterpret_cast<const char*>(data), static_cast<std::streamsize>(size));
  labeling::LabelRules rules;
  rules.texts = &texts;
  for (const auto& choice : touchstone::Choices<LabelFormat>::table)
    call_or_say_why([&] { check_format(file, folder / "copy", choice.value, rules); });
  call_or_say_why([&] { labeling::format_of(file); });
  call_or_say_why([&] {
    documents::for_each_document(
        file, [](const documents::Document& document) { TS_CHECK(!document.id.empty(), "documents have ids"); });
  });
  return 0;
}
