#include "formats/labeling/grade_names.hpp"

#include "common/error.hpp"
#include "formats/fields/columns.hpp"
#include "formats/fields/quote.hpp"
#include "formats/labeling/annotation.hpp"

#include <fmt/format.h>

namespace touchstone::formats::labeling {
namespace {

using Meaning = GradeNames::Meaning;

constexpr std::string_view kPageNames[] = {"Wrong", "Topic", "Partial", "Perfect"};

std::string normal_form(std::string_view name) {
  std::string form;
  for (const char c : name) {
    if (c == '_' || c == '-' || fields::is_field_blank(c) || c == '\n') {
      if (!form.empty() && form.back() != ' ') form += ' ';
    } else {
      form += c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c;
    }
  }
  if (form.ends_with(' ')) form.pop_back();
  return form;
}

}  // namespace

GradeNames::GradeNames() {
  constexpr std::pair<std::string_view, int> kGrades[] = {{"0", 0},
                                                          {"1", 1},
                                                          {"2", 2},
                                                          {"3", 3},
                                                          {"wrong", 0},
                                                          {"topic", 1},
                                                          {"partial", 2},
                                                          {"perfect", 3},
                                                          {"not relevant", 0},
                                                          {"irrelevant", 0},
                                                          {"relevant", 1},
                                                          {"highly relevant", 2},
                                                          {"perfectly relevant", 3},
                                                          {"no", 0},
                                                          {"yes", 1},
                                                          {"0 not relevant", 0},
                                                          {"1 topic relevant does not answer", 1},
                                                          {"2 good answer", 2},
                                                          {"3 perfect answer", 3}};
  for (const auto& [name, grade] : kGrades) labels_[std::string(name)] = {Meaning::kGrade, grade};
  for (const char* name : {"skip", "skipped"}) labels_[name] = {Meaning::kSkip};
  for (const char* name : {"difficult", "unsure"}) labels_[name] = {Meaning::kDifficult};
  for (const char* name : {"answer", "span", "highlight"}) labels_[name] = {Meaning::kSpan};
}

void GradeNames::add(std::string_view assignment) {
  const auto equals = assignment.rfind('=');
  const auto name = normal_form(assignment.substr(0, equals));
  const auto value = equals == std::string_view::npos ? "" : assignment.substr(equals + 1);
  Label label;
  if (value == "skip") {
    label.meaning = Meaning::kSkip;
  } else if (value == "difficult") {
    label.meaning = Meaning::kDifficult;
  } else if (value == "span") {
    label.meaning = Meaning::kSpan;
  } else if (value == "ignore") {
    label.meaning = Meaning::kIgnore;
  } else if (!fields::parse_integer(value, 0, kHighestGrade, label.grade)) {
    throw ConfigError(
        fmt::format("--label {} is not NAME=GRADE; give a grade from 0 to {}, or skip, difficult, span or ignore",
                    fields::quote_for_message(assignment), kHighestGrade));
  }
  if (name.empty())
    throw ConfigError(
        fmt::format("--label {} names no label; write NAME=GRADE", fields::quote_for_message(assignment)));
  labels_[name] = label;
}

std::optional<GradeNames::Label> GradeNames::find(std::string_view name) const {
  const auto found = labels_.find(normal_form(name));
  return found == labels_.end() ? std::nullopt : std::optional(found->second);
}

std::string GradeNames::known() const {
  std::string names;
  for (const auto& [name, label] : labels_) names += (names.empty() ? "" : ", ") + name;
  return names;
}

std::string_view page_name(int grade) {
  return kPageNames[grade];
}

}  // namespace touchstone::formats::labeling
