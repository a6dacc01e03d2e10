#include "extractors/site/number_style.hpp"

#include "common/unicode.hpp"
#include "extractors/data/data_table.hpp"
#include "extractors/scan/text_scan.hpp"

#include <algorithm>
#include <charconv>
#include <unordered_map>

namespace touchstone::extractors::site {
using scan::is_digit;
using scan::starts_with;
namespace {

/// The styles of number_styles.tsv by language.
std::unordered_map<std::string_view, NumberStyle> read_styles() {
  std::unordered_map<std::string_view, NumberStyle> styles;
  data::for_each_row<5>(data::data_table("number_styles"), [&](const data::DataRow<5>& row) {
    const auto& [language, group, point, groups, zero] = row;
    std::size_t first = 0;
    styles.emplace(language,
                   NumberStyle{group, point, groups == "four", groups == "indian", next_code_point(zero, first)});
  });
  return styles;
}

constexpr NumberStyle kEnglish{};

std::size_t digits_at(std::string_view text, std::size_t begin) noexcept {
  std::size_t end = begin;
  while (end < text.size() && is_digit(text[end])) ++end;
  return end - begin;
}

/// A number in a text: sign, digits in front of the point and behind it, power of ten.
struct Written {
  bool negative = false, has_point = false;
  std::string_view whole, fraction;
  int exponent = 0;
  std::size_t size = 0;
};

/// The number that begins at `text`; its size is 0 if there is no number.
Written read_written(std::string_view text) {
  Written number;
  std::size_t i = 0;
  if (!text.empty() && text[0] == '-') {
    number.negative = true;
    ++i;
  }
  const std::size_t whole = digits_at(text, i);
  const std::size_t point = i + whole;
  number.whole = text.substr(i, whole);
  std::size_t end = point;
  if (point < text.size() && text[point] == '.') {
    const std::size_t fraction = digits_at(text, point + 1);
    if (whole == 0 && fraction == 0) return {};
    number.has_point = true;
    number.fraction = text.substr(point + 1, fraction);
    end = point + 1 + fraction;
  }
  if (end == i) return {};
  if (end + 1 < text.size() && (text[end] == 'e' || text[end] == 'E')) {
    const std::size_t sign = text[end + 1] == '-' || text[end + 1] == '+' ? 1 : 0;
    const std::size_t digits = digits_at(text, end + 1 + sign);
    constexpr std::size_t kMostDigits = 2;
    if (digits > 0 && digits <= kMostDigits) {
      std::from_chars(text.data() + end + 1 + sign, text.data() + end + 1 + sign + digits, number.exponent);
      if (text[end + 1] == '-') number.exponent = -number.exponent;
      end += 1 + sign + digits;
    }
  }
  number.size = end;
  return number;
}

void append_digit(char digit, const NumberStyle& style, std::string& out) {
  append_utf8(out, style.zero + static_cast<char32_t>(digit - '0'));
}

void append_grouped(std::string_view digits, const NumberStyle& style, std::string& out) {
  constexpr std::size_t kGroup = 3;
  const bool grouped = digits.size() > kGroup + (style.keeps_four ? 1 : 0);
  for (std::size_t i = 0; i < digits.size(); ++i) {
    const std::size_t left = digits.size() - i;
    const bool indian_break = left == kGroup || (left > kGroup && left % 2 == 1);
    if (grouped && i > 0 && (style.indian ? indian_break : left % kGroup == 0)) out.append(style.group);
    append_digit(digits[i], style, out);
  }
}

void append_number(const Written& number, const NumberStyle& style, std::string& out) {
  std::string whole(number.whole), fraction(number.fraction);
  for (int i = number.exponent; i > 0; --i) {
    whole.push_back(fraction.empty() ? '0' : fraction.front());
    if (!fraction.empty()) fraction.erase(0, 1);
  }
  for (int i = number.exponent; i < 0; ++i) {
    fraction.insert(0, 1, whole.empty() ? '0' : whole.back());
    if (!whole.empty()) whole.pop_back();
  }
  if (number.exponent != 0) {
    while (whole.size() > 1 && whole.front() == '0') whole.erase(0, 1);
    if (whole.empty()) whole = "0";
  }
  if (number.negative) out.append("\u2212");
  append_grouped(whole, style, out);
  if (fraction.empty() && (!number.has_point || number.exponent != 0)) return;
  out.append(style.point);
  for (const char digit : fraction) append_digit(digit, style, out);
}

}  // namespace

const NumberStyle& number_style(std::string_view language) {
  static const auto styles = read_styles();
  const auto found = styles.find(language);
  return found == styles.end() ? kEnglish : found->second;
}

std::string write_number(std::string_view text, const NumberStyle& style) {
  if (text.size() > 1 && text.front() == '+' && read_written(text.substr(1)).size + 1 == text.size() && text[1] != '-')
    text.remove_prefix(1);
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    const Written number =
        is_digit(text[i]) || text[i] == '-' || text[i] == '.' ? read_written(text.substr(i)) : Written{};
    if (number.size == 0) {
      out.push_back(text[i++]);
    } else {
      append_number(number, style, out);
      i += number.size;
    }
  }
  return out;
}

std::string write_digits(std::string_view text, const NumberStyle& style) {
  std::string out;
  for (const char c : text) {
    if (is_digit(c)) {
      append_digit(c, style, out);
    } else if (c == '-') {
      out.append("\u2212");
    } else {
      out.push_back(c);
    }
  }
  return out;
}

std::string read_number(std::string_view text, const NumberStyle& style) {
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    const std::string_view rest = text.substr(i);
    std::size_t end = i;
    const char32_t c = next_code_point(text, end);
    if (!style.group.empty() && starts_with(rest, style.group)) {
      i += style.group.size();
    } else if (starts_with(rest, style.point)) {
      out.push_back('.');
      i += style.point.size();
    } else {
      constexpr char32_t kDigits = 10, kMinus = 0x2212;
      if (c >= style.zero && c < style.zero + kDigits) {
        out.push_back(static_cast<char>('0' + (c - style.zero)));
      } else if (c == kMinus) {
        out.push_back('-');
      } else {
        out.append(text.substr(i, end - i));
      }
      i = end;
    }
  }
  return out;
}

std::string group_digits(std::string_view number) {
  std::size_t begin = 0;
  while (begin < number.size() && !is_digit(number[begin])) ++begin;
  const std::size_t end = begin + digits_at(number, begin);
  std::string out(number.substr(0, begin));
  append_grouped(number.substr(begin, end - begin), kEnglish, out);
  return out.append(number.substr(end));
}

}  // namespace touchstone::extractors::site
