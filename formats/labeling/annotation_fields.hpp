#pragma once

#include "formats/json/field_reader.hpp"
#include "formats/labeling/annotation.hpp"

namespace touchstone::formats::labeling {

/// Reads the fields that annotation_line() writes, also where they are an object within another line. What is wrong is
/// in the reader's error; the result is then of no use.
Annotation read_annotation(json::FieldReader& fields);

}  // namespace touchstone::formats::labeling
