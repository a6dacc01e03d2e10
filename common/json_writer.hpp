#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <ranges>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// Writing JSON. All JSON that the program writes goes through this writer (docs/decisions/0012-one-json-writer.md).
namespace touchstone {

/// Which characters of a string are escaped.
enum class JsonEscapes : std::uint8_t {
  kRequired,    ///< quotes, backslashes and controls below U+0020, the short forms \b \f \n \r \t where there is one
  kLineBreaks,  ///< also U+007F to U+009F, U+2028 and U+2029, at which some readers of JSON lines start a new line;
                ///< the short forms are \n \r \t only
  kDisplay  ///< also all that display_text() escapes, for lines that are read on a terminal; short forms as kLineBreaks
};

struct JsonStyle {
  int indent = 0;  ///< spaces a level, one value a line; 0: everything on one line and no blanks
  JsonEscapes escapes = JsonEscapes::kRequired;
};

/// Appends `text` as a JSON string with its quotes. Every maximal ill-formed piece of UTF-8 becomes one U+FFFD.
void append_json_string(std::string& out, std::string_view text, JsonEscapes escapes = JsonEscapes::kRequired);

/// Writes one JSON value piece by piece. Names keep the order in which they come; equal calls give equal bytes:
/// `JsonWriter().begin_object().field("id", 3).key("tags").begin_array().value("a").end_array().end_object().take()`
/// gives `{"id":3,"tags":["a"]}`. TS_CHECKs that names and values alternate in objects and that all is closed at the
/// end. Not thread-safe.
class JsonWriter {
 public:
  explicit JsonWriter(JsonStyle style = {}) : style_(style) {}

  JsonWriter& begin_object() { return begin('{'); }
  JsonWriter& end_object() { return end('}'); }
  JsonWriter& begin_array() { return begin('['); }
  JsonWriter& end_array() { return end(']'); }

  /// The name of the next value of an object.
  JsonWriter& key(std::string_view name);

  JsonWriter& value(std::string_view text);
  JsonWriter& value(const std::string& text) { return value(std::string_view(text)); }
  JsonWriter& value(const char* text) { return value(std::string_view(text)); }
  /// The shortest digits that read back to the same number, or one digit more (Grisu2), with a point or an exponent:
  /// 100.0, 1e-07. null unless finite.
  JsonWriter& value(double number);
  JsonWriter& value(std::nullptr_t) { return raw("null"); }
  JsonWriter& value(std::same_as<bool> auto truth) { return raw(truth ? "true" : "false"); }
  JsonWriter& value(std::integral auto number) requires(!std::same_as<decltype(number), bool>) {
    return raw(std::to_string(number));
  }
  /// null if there is none.
  template <class Value>
  JsonWriter& value(const std::optional<Value>& optional) {
    return optional ? value(*optional) : value(nullptr);
  }
  /// [first, second]
  template <class First, class Second>
  JsonWriter& value(const std::pair<First, Second>& pair) {
    return begin_array().value(pair.first).value(pair.second).end_array();
  }
  /// [element, ...], and {name: element, ...} for a map.
  template <std::ranges::input_range Range>
  requires(!std::convertible_to<const Range&, std::string_view>) JsonWriter& value(const Range& elements) {
    if constexpr (requires { typename Range::mapped_type; }) {
      begin_object();
      for (const auto& [name, element] : elements) field(name, element);
      return end_object();
    } else {
      begin_array();
      for (const auto& element : elements) value(element);
      return end_array();
    }
  }

  /// `json` as it is, unchecked: a value that is JSON already, such as a number with a fixed number of digits.
  JsonWriter& raw(std::string_view json);

  /// A name and its value.
  template <class Value>
  JsonWriter& field(std::string_view name, const Value& content) {
    return key(name).value(content);
  }

  /// The finished JSON; the writer must not be used afterwards.
  std::string take();
  /// The finished JSON and a line end.
  std::string take_line();

 private:
  struct Level {
    char open;
    bool empty = true;
  };

  JsonWriter& begin(char open);
  JsonWriter& end(char close);
  void before_value();
  void before_element();
  void break_line();

  JsonStyle style_;
  std::string out_;
  std::vector<Level> levels_;
  bool after_key_ = false;
};

}  // namespace touchstone
