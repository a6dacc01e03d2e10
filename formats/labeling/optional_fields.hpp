#pragma once

#include "common/error.hpp"
#include "common/files.hpp"
#include "common/options.hpp"
#include "formats/json/field_reader.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>

/// Lines of people's labels, and fields that a line may leave out.
namespace touchstone::formats::labeling::internal {

inline std::string text_or_empty(json::FieldReader& fields, std::string_view name) {
  return fields.has(name) ? fields.text(name) : std::string();
}

inline bool is_set(json::FieldReader& fields, std::string_view name) {
  return fields.has(name) && fields.boolean(name);
}

/// Fails if the field is there and holds no text of the enum's table.
template <class Enum>
Enum choice_or(json::FieldReader& fields, std::string_view name, Enum otherwise) {
  if (!fields.has(name)) return otherwise;
  const auto text = fields.text(name);
  for (const auto& choice : Choices<Enum>::table) {
    if (choice.text == text) return choice.value;
  }
  fields.fail("has an unknown " + std::string(name) + " \"" + text + "\"; correct it");
  return otherwise;
}

/// Calls `use(object, error, number)` with the object of each line of a file of JSON lines; empty lines are skipped.
/// Throws StorageError, and FormatError with file and line for a line that is no object, or if `use` sets the error.
template <class Use>
void for_each_line_object(const std::filesystem::path& file, std::size_t max_line_bytes, const Use& use) {
  simdjson::dom::parser parser;
  for_each_line(
      file,
      [&](std::string_view line, std::uint64_t number) {
        if (line.empty()) return true;
        std::string error;
        simdjson::dom::object object;
        if (json::parse_object(parser, line, object, error)) use(object, error, number);
        if (!error.empty()) throw FormatError(file.string() + ":" + std::to_string(number) + ": " + error);
        return true;
      },
      max_line_bytes);
}

/// Reads each line of a file of JSON lines, as for_each_line_object does.
/// \param read  makes a record of a json::FieldReader&
/// \param take  gets each record
template <class Read, class Take>
void for_each_object(const std::filesystem::path& file, std::size_t max_line_bytes, const Read& read,
                     const Take& take) {
  for_each_line_object(file, max_line_bytes,
                       [&](const simdjson::dom::object& object, std::string& error, std::uint64_t /*number*/) {
                         json::FieldReader fields(object, error);
                         auto record = read(fields);
                         if (error.empty()) take(std::move(record));
                       });
}

}  // namespace touchstone::formats::labeling::internal
