#pragma once

#include "extractors/markup/rendered_page.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace touchstone::extractors::markup {

/// One lesson of TQA (Textbook Question Answering).
struct TqaLesson {
  std::string id;    ///< "L_0002"
  std::string json;  ///< for render_tqa_lesson
};

/// The lessons of a file of TQA, in its order. Throws FormatError, with the place but not the file's name, if it is no
/// array of lessons. Pure.
std::vector<TqaLesson> split_tqa(std::string_view json);

/// Renders a lesson: its name is the title, and its topics are sections in the order of their numbers. The introduction
/// is the lead; other parts of the lesson with text (objectives, summary ...) are sections in their order, and the
/// vocabulary is a list of terms with definitions. Captions of figures stay. Questions and diagrams are left out.
/// \param problem  why it cannot be read; stays empty for a good one
RenderedPage render_tqa_lesson(std::string_view json, std::string& problem);

}  // namespace touchstone::extractors::markup
