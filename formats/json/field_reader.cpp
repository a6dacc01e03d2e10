#include "formats/json/field_reader.hpp"

#include "formats/fields/quote.hpp"

#include <algorithm>

namespace touchstone::formats::json {

bool FieldReader::has(std::string_view name) const {
  return object_[name].error() == simdjson::SUCCESS;
}

std::string FieldReader::text(std::string_view name) {
  std::string_view value;
  if (!get(name, value, "a string")) return "";
  return std::string(value);
}

std::string FieldReader::text_or_null(std::string_view name) {
  return is_null(name) ? "" : text(name);
}

std::uint64_t FieldReader::number(std::string_view name, std::uint64_t max) {
  std::uint64_t value = 0;
  if (!get(name, value, "a whole number")) return 0;
  if (value > max) {
    fail("has " + std::to_string(value) + " in field " + quoted(name) + ", more than the " + std::to_string(max) +
         " that fit there; correct it");
    return 0;
  }
  return value;
}

bool FieldReader::boolean(std::string_view name) {
  bool value = false;
  get(name, value, "true or false");
  return value;
}

std::optional<int> FieldReader::integer_or_null(std::string_view name, int low, int high) {
  if (is_null(name)) return std::nullopt;
  std::int64_t value = 0;
  if (!get(name, value, "a whole number or null")) return std::nullopt;
  if (value < low || value > high) {
    fail("has " + std::to_string(value) + " in field " + quoted(name) + ", which is not from " + std::to_string(low) +
         " to " + std::to_string(high) + "; correct it");
    return std::nullopt;
  }
  return static_cast<int>(value);
}

std::optional<double> FieldReader::number_or_null(std::string_view name) {
  if (is_null(name)) return std::nullopt;
  double value = 0;
  if (!get(name, value, "a number or null")) return std::nullopt;
  return value;
}

std::vector<std::string> FieldReader::texts(std::string_view name) {
  std::vector<std::string> values;
  simdjson::dom::array array;
  if (!get(name, array, "a list of strings")) return values;
  for (const auto element : array) {
    std::string_view value;
    if (element.get(value) != simdjson::SUCCESS) {
      wrong_type(name, "a list of strings");
      return {};
    }
    values.emplace_back(value);
  }
  return values;
}

std::vector<std::pair<std::uint32_t, std::uint32_t>> FieldReader::ranges(std::string_view name) {
  constexpr std::uint64_t kMax = std::numeric_limits<std::uint32_t>::max();
  std::vector<std::pair<std::uint32_t, std::uint32_t>> values;
  simdjson::dom::array array;
  if (!get(name, array, "a list of [start, end] pairs")) return values;
  for (const auto element : array) {
    simdjson::dom::array pair;
    std::uint64_t first = 0;
    std::uint64_t last = 0;
    if (element.get(pair) != simdjson::SUCCESS || pair.size() != 2 || pair.at(0).get(first) != simdjson::SUCCESS ||
        pair.at(1).get(last) != simdjson::SUCCESS || first > kMax || last > kMax) {
      wrong_type(name, "a list of [start, end] pairs");
      return {};
    }
    values.emplace_back(static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(last));
  }
  return values;
}

FieldReader FieldReader::object(std::string_view name) {
  simdjson::dom::object value;
  if (!get(name, value, "an object")) value = object_;  // whatever is asked of it gives empty values
  return {value, error_, prefix_ + std::string(name) + "."};
}

std::vector<FieldReader> FieldReader::objects(std::string_view name) {
  std::vector<FieldReader> values;
  simdjson::dom::array array;
  if (!get(name, array, "a list of objects")) return values;
  for (const auto element : array) {
    simdjson::dom::object value;
    if (element.get(value) != simdjson::SUCCESS) {
      wrong_type(name, "a list of objects");
      return {};
    }
    values.emplace_back(value, error_, prefix_ + std::string(name) + ".");
  }
  return values;
}

void FieldReader::allow_only(std::initializer_list<std::string_view> names) {
  for (const auto& [name, value] : object_) {
    if (std::find(names.begin(), names.end(), name) == names.end())
      fail("has a field " + quoted(name) + " that is not known; remove it");
  }
}

void FieldReader::fail(std::string what) {
  if (error_.empty()) error_ = std::move(what);
}

bool FieldReader::is_null(std::string_view name) const {
  simdjson::dom::element element;
  return object_[name].get(element) == simdjson::SUCCESS && element.is_null();
}

template <class Value>
bool FieldReader::get(std::string_view name, Value& value, const char* type) {
  if (!error_.empty()) return false;
  simdjson::dom::element element;
  if (object_[name].get(element) != simdjson::SUCCESS) {
    fail("has no field " + quoted(name) + "; add it");
    return false;
  }
  if (element.get(value) != simdjson::SUCCESS) {
    wrong_type(name, type);
    return false;
  }
  return true;
}

void FieldReader::wrong_type(std::string_view name, const char* type) {
  fail("has a field " + quoted(name) + " that is not " + type + "; correct it");
}

std::string FieldReader::quoted(std::string_view name) const {
  return "\"" + prefix_ + std::string(name) + "\"";
}

bool parse_object(simdjson::dom::parser& parser, std::string_view line, simdjson::dom::object& object,
                  std::string& error) {
  simdjson::dom::element element;
  const auto code = parser.parse(line.data(), line.size()).get(element);
  if (code != simdjson::SUCCESS) {
    error = std::string("is no JSON (") + simdjson::error_message(code) + "); repair the line " +
            fields::quote_for_message(line);
    return false;
  }
  if (element.get(object) != simdjson::SUCCESS) {
    error = "is no JSON object; repair the line " + fields::quote_for_message(line);
    return false;
  }
  return true;
}

}  // namespace touchstone::formats::json
