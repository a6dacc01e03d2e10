#include "common/json_writer.hpp"
#include "common/records/record_file.hpp"

#include <cstddef>
#include <string_view>
#include <utility>
#include <vector>

namespace touchstone::records {
namespace {

constexpr int kDeepest = 200;  ///< values within values

/// Goes over a layout and a record at once. Throws FormatError.
class Printer {
 public:
  Printer(std::string_view layout, std::string_view record) : layout_(layout), record_(record) {}

  std::string print() {
    value(0);
    if (at_ != layout_.size()) record_.fail();
    record_.end();
    return json_.take();
  }

 private:
  char take() {
    if (at_ == layout_.size()) record_.fail();
    return layout_[at_++];
  }
  void expect(char letter) {
    if (take() != letter) record_.fail();
  }
  std::string_view take_until(char letter) {
    const auto end = layout_.find(letter, at_);
    if (end == std::string_view::npos) record_.fail();
    const auto text = layout_.substr(at_, end - at_);
    at_ = end + 1;
    return text;
  }

  /// Goes past the layout of a value of which the record has none.
  void skip_layout(int depth) {
    if (depth > kDeepest) record_.fail();
    const char letter = take();
    if (letter == static_cast<char>(Letter::kBytes) || letter == static_cast<char>(Letter::kNamed)) take_until('.');
    if (letter == '?') skip_layout(depth + 1);
    if (letter == '^') take_until('.');
    const char last = letter == '[' ? ']' : letter == '(' ? ')' : letter == '<' ? '>' : letter == '{' ? '}' : '\0';
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
    enclosing_.push_back(at_);
    json_.begin_object();
    do {
      json_.key(take_until(':'));
      value(depth + 1);
    } while (at_ < layout_.size() && layout_[at_] == ',' && ++at_ > 0);
    expect('}');
    json_.end_object();
    enclosing_.pop_back();
  }

  /// A record of the kind of an enclosing one.
  void record_again(int depth) {
    const auto up = number_until_point();
    if (up >= enclosing_.size()) record_.fail();
    const auto end = at_;
    const auto below =
        std::exchange(enclosing_, {enclosing_.begin(), enclosing_.end() - 1 - static_cast<std::ptrdiff_t>(up)});
    at_ = below[below.size() - 1 - up];
    fields(depth + 1);
    enclosing_ = below;
    at_ = end;
  }

  void alternative(int depth) {
    for (auto index = record_.number(); index > 0; --index) {
      if (at_ == layout_.size() || layout_[at_] == '>') record_.fail();
      skip_layout(depth + 1);
    }
    value(depth + 1);
    while (at_ < layout_.size() && layout_[at_] != '>') skip_layout(depth + 1);
    expect('>');
  }

  std::size_t number_until_point() {
    std::size_t number = 0;
    for (const char digit : take_until('.')) {
      if (digit < '0' || digit > '9' || number > 1'000'000) record_.fail();
      number = number * 10 + static_cast<std::size_t>(digit - '0');
    }
    return number;
  }

  void bytes() {
    const auto size = number_until_point();
    if (size == 0) record_.fail();  // else a list of nothing could be of any length
    std::string hex;
    for (const char byte : record_.raw(size)) {
      constexpr std::string_view kDigits = "0123456789abcdef";
      hex.push_back(kDigits[static_cast<unsigned char>(byte) >> 4U]);
      hex.push_back(kDigits[static_cast<unsigned char>(byte) & 15U]);
    }
    json_.value(hex);
  }

  /// One of the names that the layout lists; a number that has no name stays one.
  void named() {
    auto names = take_until('.');
    const auto number = record_.number();
    for (auto rest = number; rest > 0 && !names.empty(); --rest) {
      const auto end = names.find('|');
      names = end == std::string_view::npos ? std::string_view{} : names.substr(end + 1);
    }
    if (names.empty())
      json_.value(number);
    else
      json_.value(names.substr(0, names.find('|')));
  }

  void value(int depth) {
    if (depth > kDeepest) record_.fail();
    switch (take()) {
      case static_cast<char>(Letter::kNumber):
        json_.value(record_.number());
        return;
      case static_cast<char>(Letter::kSigned):
        json_.value(record_.signed_number());
        return;
      case static_cast<char>(Letter::kNamed):
        return named();
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
      case '<':
        return alternative(depth);
      case '^':
        return record_again(depth);
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
        record_.fail();
    }
  }

  std::string_view layout_;
  std::size_t at_ = 0;
  std::vector<std::size_t> enclosing_;  ///< places in the layout at which the enclosing records' fields begin
  Decoder record_;
  JsonWriter json_{{0, JsonEscapes::kLineBreaks}};
};

}  // namespace

std::string record_json(std::string_view layout, std::string_view record) {
  return Printer(layout, record).print();
}

}  // namespace touchstone::records
