#pragma once

#include "common/json_writer.hpp"
#include "formats/labeling/label_files.hpp"

#include <filesystem>
#include <functional>
#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <simdjson.h>

namespace touchstone::formats::labeling::internal {

/// A record in a file, for messages.
class Place {
 public:
  Place(const std::filesystem::path& file, std::string where) : file_(file), where_(std::move(where)) {}
  /// Throws FormatError: "FILE:LINE: what", or "FILE: RECORD: what".
  [[noreturn]] void refuse(const std::string& what) const;

 private:
  const std::filesystem::path& file_;
  std::string where_;  ///< ":3" or ": task 3"
};

/// What an answer is about, in the words of a record.
struct Item {
  std::string topic, docid, member, query;
  std::optional<std::string> text;
};

/// An answer before its labels are understood.
struct RawAnswer {
  Item item;
  std::string annotator;
  std::vector<std::string> labels;                         ///< of the passage
  std::vector<std::pair<ForeignSpan, std::string>> spans;  ///< with their labels
  std::string reason;
  bool skipped = false;
  std::uint64_t visible_ms = 0;
  std::int64_t judged_at_ms = 0;
  simdjson::dom::element extras;  ///< what write_extras() wrote; null if there is none
  bool has_extras = false;
};

/// Turns raw answers into annotations.
class AnswerTaker {
 public:
  /// \param unit    that the tool counts in
  /// \param either  other versions of the tool count in the other unit; the words of a span decide
  AnswerTaker(const LabelRules& rules, OffsetUnit unit, bool either, LabelFile& file)
      : rules_(rules), unit_(rules.offsets.value_or(unit)), either_(either && !rules.offsets), file_(file) {}

  /// Adds an answer, or a note why it is none. Throws FormatError.
  void take(RawAnswer raw, const Place& place);
  void note(const std::string& what) { ++file_.notes[what]; }
  const GradeNames& names() const { return rules_.names; }

 private:
  /// Labels of the passage and of spans. Returns whether there was one.
  bool take_labels(const RawAnswer& raw, const Place& place, Annotation& answer) const;
  void take_grade(int grade, const std::string& label, const Place& place, Annotation& answer) const;
  GradeNames::Label meaning_of(const std::string& label, const Place& place) const;
  const std::string* text_of(const Item& item, bool needed, const Place& place);

  const LabelRules& rules_;
  OffsetUnit unit_;
  bool either_;
  LabelFile& file_;
};

/// Topic, docid, member, query and text of a record: fields such as `topic` or `query_id` and `docid` or `document_id`,
/// or else an id `TOPIC DOCID [MEMBER]` or `TOPIC::DOCID[::MEMBER]` in a field id or instance_id.
Item item_of(simdjson::dom::object fields);
/// Fills what an id says. Returns false if it has not that form.
bool read_item_id(std::string_view id, Item& item);

/// A string or a number as text; nothing for other values.
std::optional<std::string> scalar_text(simdjson::dom::element value);
/// The first of the fields that is a string or a number.
std::optional<std::string> first_text(simdjson::dom::object fields, std::initializer_list<std::string_view> names);
/// A number as an integer; nothing for other values.
std::optional<std::int64_t> integer_of(simdjson::dom::element value);

/// Milliseconds since 1970 of a time as 2021-03-09T22:16:08.746926Z or with an offset +01:00; nothing for other texts.
std::optional<std::int64_t> read_time(std::string_view text);
/// The other way round, in UTC with milliseconds.
std::string time_text(std::int64_t ms);

/// The field `touchstone`: what the tool does not know of an answer.
void write_extras(JsonWriter& json, const Annotation& answer);
/// Topic, docid and member, and the query if it is known.
void write_item(JsonWriter& json, const Annotation& answer, const Texts& queries);
/// The text of the passage. Throws FormatError if the answer has spans and the text is not known.
const std::string& text_for(const Annotation& answer, const Texts& texts);
/// What the label of the grade is called; empty without a grade.
std::string grade_label(const Annotation& answer);
/// The label of written spans.
inline constexpr std::string_view kSpanLabel = "answer";

/// One place for each JSON line of a file. `use(object, place)`; throws FormatError for lines that are no objects.
void for_each_object(const std::filesystem::path& file,
                     const std::function<void(simdjson::dom::object, const Place&)>& use);

// Readers and writers, one a format.
void read_fira(const std::filesystem::path& file, const LabelRules& rules, LabelFile& out);
void read_doccano(const std::filesystem::path& file, const LabelRules& rules, LabelFile& out);
void read_label_studio(const std::filesystem::path& file, const LabelRules& rules, LabelFile& out);
void read_potato(const std::filesystem::path& file, const LabelRules& rules, LabelFile& out);

using Notes = std::map<std::string, std::uint64_t>;
std::string fira_text(std::span<const Annotation> answers, const Texts& texts, Notes& notes);
std::string doccano_text(std::span<const Annotation> answers, const Texts& texts, const Texts& queries);
std::string label_studio_text(std::span<const Annotation> answers, const Texts& texts, const Texts& queries);
std::string potato_text(std::span<const Annotation> answers, const Texts& texts, const Texts& queries);

}  // namespace touchstone::formats::labeling::internal
