#include "common/json_writer.hpp"
#include "common/records/record_file.hpp"

#include <cstddef>
#include <string_view>

namespace touchstone::records {
namespace {

constexpr int kDeepest = 32;  ///< values within values

/// Goes over a layout and a record at once. Throws FormatError.
class Printer {
 public:
  Printer(std::string_view layout, std::string_view record) : layout_(layout), record_(record) {}

  std::string print() {
    value(0);
    if (at_ != layout_.size()) Decoder::fail();
    record_.end();
    return json_.take();
  }

 private:
  char take() {
    if (at_ == layout_.size()) Decoder::fail();
    return layout_[at_++];
  }
  void expect(char letter) {
    if (take() != letter) Decoder::fail();
  }
  std::string_view take_until(char letter) {
    const auto end = layout_.find(letter, at_);
    if (end == std::string_view::npos) Decoder::fail();
    const auto text = layout_.substr(at_, end - at_);
    at_ = end + 1;
    return text;
  }

  /// Goes past the layout of a value of which the record has none.
  void skip_layout(int depth) {
    if (depth > kDeepest) Decoder::fail();
    const char letter = take();
    if (letter == static_cast<char>(Letter::kBytes)) take_until('.');
    if (letter == '?') skip_layout(depth + 1);
    const char last = letter == '[' ? ']' : letter == '(' ? ')' : letter == '{' ? '}' : '\0';
    if (last == '\0') return;
    while (at_ < layout_.size() && layout_[at_] != last) {
      if (letter == '{') take_until(':');
      skip_layout(depth + 1);
      if (at_ < layout_.size() && layout_[at_] == ',') ++at_;
    }
    expect(last);
  }

  void list(int depth) {
    const auto begin = at_;
    json_.begin_array();
    const auto count = record_.count();
    for (std::size_t i = 0; i < count; ++i) {
      at_ = begin;
      value(depth + 1);
    }
    json_.end_array();
    at_ = begin;
    skip_layout(depth + 1);
    expect(']');
  }

  void fields(int depth) {
    json_.begin_object();
    do {
      json_.key(take_until(':'));
      value(depth + 1);
    } while (at_ < layout_.size() && layout_[at_] == ',' && ++at_ > 0);
    expect('}');
    json_.end_object();
  }

  void bytes() {
    std::size_t size = 0;
    for (const char digit : take_until('.')) size = size * 10 + static_cast<std::size_t>(digit - '0');
    if (size == 0) Decoder::fail();  // else a list of nothing could be of any length
    std::string hex;
    for (const char byte : record_.raw(size)) {
      constexpr std::string_view kDigits = "0123456789abcdef";
      hex.push_back(kDigits[static_cast<unsigned char>(byte) >> 4U]);
      hex.push_back(kDigits[static_cast<unsigned char>(byte) & 15U]);
    }
    json_.value(hex);
  }

  void value(int depth) {
    if (depth > kDeepest) Decoder::fail();
    switch (take()) {
      case static_cast<char>(Letter::kNumber):
        json_.value(record_.number());
        return;
      case static_cast<char>(Letter::kSigned):
        json_.value(record_.signed_number());
        return;
      case static_cast<char>(Letter::kTruth):
        json_.value(record_.number() != 0);
        return;
      case static_cast<char>(Letter::kText):
        json_.value(record_.text());
        return;
      case static_cast<char>(Letter::kBytes):
        return bytes();
      case static_cast<char>(Letter::kReal): {
        double number = 0;
        decode(record_, number);
        json_.value(number);
        return;
      }
      case '[':
        return list(depth);
      case '{':
        return fields(depth);
      case '(':
        json_.begin_array();
        value(depth + 1);
        value(depth + 1);
        expect(')');
        json_.end_array();
        return;
      case '?':
        if (record_.number() != 0) return value(depth + 1);
        skip_layout(depth + 1);
        json_.value(nullptr);
        return;
      default:
        Decoder::fail();
    }
  }

  std::string_view layout_;
  std::size_t at_ = 0;
  Decoder record_;
  JsonWriter json_{{0, JsonEscapes::kLineBreaks}};
};

}  // namespace

std::string record_json(std::string_view layout, std::string_view record) {
  return Printer(layout, record).print();
}

}  // namespace touchstone::records
