#pragma once

#include "common/options.hpp"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

/// What people say of passages, and the files that carry it: our own JSON lines and the exports of other tools.
namespace touchstone {
namespace formats::labeling {

/// What a person is asked of a passage.
enum class TaskKind : std::uint8_t {
  kGrade,     ///< how far it answers the query: 0 to 3, with spans for the two upper grades
  kEvidence,  ///< whether it confirms that a member belongs to the topic's group: 0 or 1
  kSpans      ///< which of its characters answer the query; there is no grade
};

/// Whether the annotator saw the answer of the collection's judge.
enum class ShownMode : std::uint8_t { kBlind, kShown };

/// Code points of a text, [begin, end).
using Span = std::pair<std::uint32_t, std::uint32_t>;

/// One answer of one annotator.
struct Annotation {
  std::string id;         ///< made by the page; the same answer sent twice has the same id
  std::string annotator;  ///< a pseudonym
  std::string task;
  TaskKind kind = TaskKind::kGrade;
  std::string topic, docid;
  std::string member;        ///< title; of kEvidence only
  std::optional<int> grade;  ///< nothing: skipped, or a task without grades
  std::vector<Span> spans;   ///< of the passage's text as it is in the corpus; ascending, without overlap
  bool skipped = false;      ///< the annotator has left the task to others
  bool difficult = false;    ///< the annotator was unsure
  std::string reason;        ///< in the annotator's words; may be empty
  ShownMode mode = ShownMode::kBlind;
  bool rotated = false;           ///< the halves of the passage were shown in reverse order
  std::string guidelines;         ///< version of the guidelines that were shown
  std::uint64_t visible_ms = 0;   ///< while the task was visible, without pauses
  std::int64_t judged_at_ms = 0;  ///< Unix time at the server

  template <class Fields>
  void fields(Fields& field) {
    field("id", id)("annotator", annotator)("task", task)("kind", kind)("topic", topic)("docid", docid);
    field("member", member)("grade", grade)("spans", spans)("skipped", skipped)("difficult", difficult);
    field("reason", reason)("mode", mode)("rotated", rotated)("guidelines", guidelines)("visible_ms", visible_ms);
    field("judged_at_ms", judged_at_ms);
  }
  friend bool operator==(const Annotation&, const Annotation&) = default;
};

/// Most bytes of a line that read_annotations() accepts.
inline constexpr std::size_t kMaxAnnotationLineBytes = std::size_t{1} << 20;
/// Highest grade of an annotation.
inline constexpr int kHighestGrade = 3;

/// The answer as a line of annotations.jsonl, without the line end.
std::string annotation_line(const Annotation& annotation);

/// Calls `use` for each line of a file that annotation_line() wrote, plain or .gz. Throws StorageError if the file
/// cannot be read, and FormatError with file, line and what is wrong.
void for_each_annotation(const std::filesystem::path& file, const std::function<void(Annotation)>& use);

/// All of them, in the order of the file. Throws as for_each_annotation().
std::vector<Annotation> read_annotations(const std::filesystem::path& file);

}  // namespace formats::labeling

template <>
struct Choices<formats::labeling::TaskKind> {
  using Kind = formats::labeling::TaskKind;
  static constexpr Choice<Kind> table[] = {
      {"grade", Kind::kGrade}, {"evidence", Kind::kEvidence}, {"spans", Kind::kSpans}};
};
template <>
struct Choices<formats::labeling::ShownMode> {
  using Mode = formats::labeling::ShownMode;
  static constexpr Choice<Mode> table[] = {{"blind", Mode::kBlind}, {"shown", Mode::kShown}};
};

}  // namespace touchstone
