#include "common/error.hpp"
#include "formats/fields/quote.hpp"
#include "formats/fira/judgments.hpp"
#include "formats/labeling/foreign_answers.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace touchstone::formats::labeling::internal {

using fields::quote_for_message;

void read_fira(const std::filesystem::path& file, const LabelRules& rules, LabelFile& out) {
  constexpr const char* kUnsure =
      "answers with spans of passages without a text, whose offsets were taken as they are (--texts gives texts)";
  const auto unit = rules.offsets.value_or(OffsetUnit::kUtf16);
  for (auto& judgment : fira::read_judgments(file, fira::LinesOf::kPeople)) {
    const Place place(file, fmt::format(":{}", judgment.line));
    Annotation answer;
    answer.id = std::move(judgment.id);
    answer.annotator = std::move(judgment.user);
    answer.topic = std::move(judgment.topic);
    answer.docid = std::move(judgment.docid);
    if (judgment.grade < 0 || judgment.grade > kHighestGrade)
      place.refuse(fmt::format("the level {} is not from 0 to {}; correct it", judgment.grade, kHighestGrade));
    answer.grade = judgment.grade;
    answer.rotated = judgment.rotated.value_or(false);
    answer.visible_ms = judgment.duration_ms;
    answer.judged_at_ms = static_cast<std::int64_t>(judgment.judged_at_s * 1000);
    std::vector<ForeignSpan> spans;
    for (const auto& [first, last] : judgment.ranges) spans.push_back({first, std::int64_t{last} + 1, {}});
    const std::string* text = nullptr;
    if (rules.texts != nullptr && !spans.empty()) {
      if (const auto found = rules.texts->find(answer.docid); found != rules.texts->end()) text = &found->second;
    }
    if (!spans.empty() && text == nullptr) ++out.notes[kUnsure];
    std::string error;
    answer.spans = spans_in_code_points(spans, text, unit, false, error);
    if (!error.empty()) place.refuse(error);
    out.answers.push_back(std::move(answer));
  }
}

std::string fira_text(std::span<const Annotation> answers, const Texts& texts, Notes& notes) {
  const bool with_rotate =
      std::any_of(answers.begin(), answers.end(), [](const Annotation& answer) { return answer.rotated; });
  std::string text = fira::judgments_header(with_rotate);
  std::uint64_t number = 0;
  for (const auto& answer : answers) {
    ++number;
    if (answer.kind != TaskKind::kGrade)
      throw FormatError(
          fmt::format("the answer of {} to passage {} is no grade, and FiRA's format has nothing else; write another "
                      "format",
                      quote_for_message(answer.annotator), quote_for_message(answer.docid)));
    if (answer.skipped || !answer.grade) {
      ++notes["skipped answers, which FiRA's format does not have"];
      continue;
    }
    fira::Judgment judgment;
    judgment.id = answer.id.empty() ? std::to_string(number) : answer.id;
    judgment.user = answer.annotator;
    judgment.topic = answer.topic;
    judgment.docid = answer.docid;
    judgment.grade = *answer.grade;
    judgment.rotated = answer.rotated;
    judgment.duration_ms = answer.visible_ms;
    judgment.judged_at_s = static_cast<std::uint64_t>(std::max<std::int64_t>(0, answer.judged_at_ms) / 1000);
    if (!answer.spans.empty()) {
      for (const auto& [begin, end] : spans_in_utf16(answer.spans, text_for(answer, texts)))
        judgment.ranges.push_back({begin, end - 1});
    }
    text += fira::judgment_line(judgment, with_rotate);
  }
  return text;
}

}  // namespace touchstone::formats::labeling::internal
