#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace touchstone::formats::labeling {

/// What labels of annotation tools mean.
class GradeNames {
 public:
  enum class Meaning : unsigned char {
    kGrade,      ///< a grade of the passage
    kSkip,       ///< the annotator left the passage to others
    kDifficult,  ///< the annotator was unsure
    kSpan,       ///< selected characters, and nothing about the grade
    kIgnore      ///< the answer to another question of the project
  };
  struct Label {
    Meaning meaning{};
    int grade = 0;  ///< of kGrade
    friend bool operator==(const Label&, const Label&) = default;
  };

  /// Knows the grades 0 to 3, the levels of FiRA's files (2_GOOD_ANSWER), the names of FiRA's page (Wrong, Topic,
  /// Partial, Perfect), not relevant and relevant, no and yes, skip, difficult, and for spans answer and span.
  GradeNames();

  /// Adds what the user says of a label: `NAME=GRADE`, `NAME=skip`, `NAME=difficult`, `NAME=span` or `NAME=ignore`.
  /// Throws ConfigError for another text.
  void add(std::string_view assignment);

  /// What a label means; nothing if it is not known. Letter case, and whether words are parted by a blank, a hyphen or
  /// an underscore, make no difference.
  std::optional<Label> find(std::string_view name) const;

  /// All names that have a meaning, for messages.
  std::string known() const;

 private:
  std::map<std::string, Label> labels_;
};

/// The name of a grade on FiRA's page: Wrong, Topic, Partial, Perfect. \pre 0 <= grade <= kHighestGrade
std::string_view page_name(int grade);

}  // namespace touchstone::formats::labeling
