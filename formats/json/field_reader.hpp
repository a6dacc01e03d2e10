#pragma once

#include <cstdint>
#include <initializer_list>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <simdjson.h>

/// Reading JSON lines field by field, with messages that name the field.
namespace touchstone::formats::json {

/// The fields of one JSON object. The first thing that is wrong is kept in `error` as the end of a sentence. After it
/// every getter gives an empty value, so that a reader asks once, at its end. Views the parsed document and `error`.
class FieldReader {
 public:
  /// \param prefix  path of the object in messages, with a point at its end; empty for the top object
  FieldReader(simdjson::dom::object object, std::string& error, std::string prefix = "")
      : object_(object), error_(error), prefix_(std::move(prefix)) {}

  bool has(std::string_view name) const;
  std::string text(std::string_view name);
  /// Empty if the field is null.
  std::string text_or_null(std::string_view name);
  std::uint64_t number(std::string_view name, std::uint64_t max = std::numeric_limits<std::uint64_t>::max());
  bool boolean(std::string_view name);
  std::optional<int> integer_or_null(std::string_view name, int low, int high);
  std::optional<double> number_or_null(std::string_view name);
  std::vector<std::string> texts(std::string_view name);
  /// [[start, end], ...]
  std::vector<std::pair<std::uint32_t, std::uint32_t>> ranges(std::string_view name);
  FieldReader object(std::string_view name);
  std::vector<FieldReader> objects(std::string_view name);

  /// Refuses an object with other fields, which may be misspelt.
  void allow_only(std::initializer_list<std::string_view> names);

  /// Keeps `what` as the error unless there is one already.
  void fail(std::string what);

 private:
  bool is_null(std::string_view name) const;
  template <class Value>
  bool get(std::string_view name, Value& value, const char* type);
  void wrong_type(std::string_view name, const char* type);
  std::string quoted(std::string_view name) const;

  simdjson::dom::object object_;
  std::string& error_;
  std::string prefix_;
};

/// Parses one line into its top object. Returns false with `error` set if the line is not one JSON object.
bool parse_object(simdjson::dom::parser& parser, std::string_view line, simdjson::dom::object& object,
                  std::string& error);

}  // namespace touchstone::formats::json
