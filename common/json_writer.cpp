#include "common/json_writer.hpp"

#include "common/display_text.hpp"
#include "common/error.hpp"
#include "common/unicode.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace touchstone {
namespace {

/// Length of the longest start of a well-formed sequence at `begin`, where no whole one is; at least one byte.
/// Source: Unicode 15, table 3-7 and section 3.9, "U+FFFD Substitution of Maximal Subparts".
std::size_t ill_formed_length(std::string_view text, std::size_t begin) noexcept {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(i < text.size() ? text[i] : '\0'); };
  const auto is_between = [&](std::size_t i, int low, int high) { return byte(i) >= low && byte(i) <= high; };
  const unsigned char lead = byte(begin);
  bool second = false;
  if (lead == 0xE0) {
    second = is_between(begin + 1, 0xA0, 0xBF);
  } else if (lead == 0xED) {
    second = is_between(begin + 1, 0x80, 0x9F);
  } else if (lead > 0xE0 && lead < 0xF0) {
    second = is_between(begin + 1, 0x80, 0xBF);
  } else if (lead >= 0xF0 && lead <= 0xF4) {
    second = is_between(begin + 1, lead == 0xF0 ? 0x90 : 0x80, lead == 0xF4 ? 0x8F : 0xBF);
    if (second && is_between(begin + 2, 0x80, 0xBF)) return 3;
  }
  return second ? 2 : 1;
}

/// The escape of a code point, or nothing if it represents itself.
std::string escape_of(char32_t c, JsonEscapes escapes) {
  switch (c) {
    case '"':
      return "\\\"";
    case '\\':
      return "\\\\";
    case '\n':
      return "\\n";
    case '\r':
      return "\\r";
    case '\t':
      return "\\t";
    default:
      break;
  }
  const bool required_only = escapes == JsonEscapes::kRequired;
  if (required_only && c == '\b') return "\\b";
  if (required_only && c == '\f') return "\\f";
  const bool breaks_line = !required_only && ((c >= 0x7F && c <= 0x9F) || c == 0x2028 || c == 0x2029);
  const bool turns_text = escapes == JsonEscapes::kDisplay && is_display_hazard(c);
  if (c < 0x20 || breaks_line || turns_text) return fmt::format("\\u{:04x}", static_cast<std::uint32_t>(c));
  return "";
}

/// Whether eight bytes represent themselves: ASCII without controls, DEL, quotes and backslashes.
bool are_plain(const char* bytes) noexcept {
  constexpr std::uint64_t kOnes = 0x0101010101010101, kHighBits = 0x8080808080808080;
  std::uint64_t word = 0;
  std::memcpy(&word, bytes, sizeof word);
  // A byte below 0x80 is zero exactly if its high bit stays clear when 0x7F is added. Carries leave no byte.
  const auto has = [&](std::uint64_t byte) { return ~((word ^ (kOnes * byte)) + kOnes * 0x7F) & kHighBits; };
  if ((word & kHighBits) != 0) return false;
  const std::uint64_t controls = ~(word + kOnes * (0x80 - 0x20)) & kHighBits;
  return (controls | has('"') | has('\\') | has(0x7F)) == 0;
}

}  // namespace

void append_json_string(std::string& out, std::string_view text, JsonEscapes escapes) {
  out += '"';
  std::size_t copied = 0;
  for (std::size_t i = 0; i < text.size();) {
    if (i + sizeof(std::uint64_t) <= text.size() && are_plain(text.data() + i)) {
      i += sizeof(std::uint64_t);
      continue;
    }
    const char first = text[i];
    if (first >= 0x20 && first < 0x7F && first != '"' && first != '\\') {
      ++i;
      continue;
    }
    const std::size_t start = i;
    const char32_t c = next_code_point(text, i);
    const bool ill_formed = c == kReplacementCharacter && i - start == 1;
    const std::string escape = ill_formed ? "" : escape_of(c, escapes);
    if (!ill_formed && escape.empty()) continue;
    out.append(text, copied, start - copied);
    if (ill_formed) {
      i = start + ill_formed_length(text, start);
      append_utf8(out, kReplacementCharacter);
    } else {
      out += escape;
    }
    copied = i;
  }
  out.append(text, copied);
  out += '"';
}

JsonWriter& JsonWriter::key(std::string_view name) {
  TS_CHECK(!levels_.empty() && levels_.back().open == '{' && !after_key_,
           "a name belongs in an object, before a value");
  before_element();
  append_json_string(out_, name, style_.escapes);
  out_ += style_.indent > 0 ? ": " : ":";
  after_key_ = true;
  return *this;
}

JsonWriter& JsonWriter::value(std::string_view text) {
  before_value();
  append_json_string(out_, text, style_.escapes);
  return *this;
}

JsonWriter& JsonWriter::value(double number) {
  // std::to_chars gives other digits for one double in a thousand. Files that were written before stay comparable.
  return raw(nlohmann::json(number).dump());
}

JsonWriter& JsonWriter::raw(std::string_view json) {
  before_value();
  out_ += json;
  return *this;
}

std::string JsonWriter::take() {
  TS_CHECK(levels_.empty() && !out_.empty(), "one complete value");
  return std::move(out_);
}

std::string JsonWriter::take_line() {
  std::string line = take();
  line += '\n';
  return line;
}

JsonWriter& JsonWriter::begin(char open) {
  before_value();
  out_ += open;
  levels_.push_back({open});
  return *this;
}

JsonWriter& JsonWriter::end(char close) {
  const char open = close == '}' ? '{' : '[';
  TS_CHECK(!levels_.empty() && levels_.back().open == open && !after_key_, "what is closed was opened");
  const bool empty = levels_.back().empty;
  levels_.pop_back();
  if (!empty) break_line();
  out_ += close;
  return *this;
}

void JsonWriter::before_value() {
  if (after_key_) {
    after_key_ = false;
    return;
  }
  TS_CHECK(levels_.empty() ? out_.empty() : levels_.back().open == '[',
           "a value is alone, in an array or after a name");
  if (!levels_.empty()) before_element();
}

void JsonWriter::before_element() {
  if (!levels_.back().empty) out_ += ',';
  levels_.back().empty = false;
  break_line();
}

void JsonWriter::break_line() {
  if (style_.indent == 0) return;
  out_ += '\n';
  out_.append(levels_.size() * static_cast<std::size_t>(style_.indent), ' ');
}

}  // namespace touchstone
