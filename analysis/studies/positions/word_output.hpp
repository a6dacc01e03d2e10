#pragma once

#include "analysis/studies/positions/word_numbers.hpp"
#include "analysis/studies/study_output.hpp"

namespace touchstone::analysis::studies::positions {

/// Adds the findings, tables and figures about selected words.
void add_word_output(StudyOutput& output, const WordNumbers& numbers);

/// Adds the findings, tables and figures about the spans of a system.
void add_span_output(StudyOutput& output, const SpanNumbers& numbers);

/// The fields `words` and `spans` of the open object.
void write_words(JsonWriter& json, const WordNumbers& numbers);
void write_spans(JsonWriter& json, const SpanNumbers& numbers);

}  // namespace touchstone::analysis::studies::positions
