#include "extractors/wikitext/functions/expression.hpp"

#include "common/unicode.hpp"
#include "extractors/scan/text_scan.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <vector>

namespace touchstone::extractors::wikitext::functions::internal {
using namespace scan;
namespace {

constexpr std::size_t kMaxStack = 100;  // operands or operators that wait, as in MediaWiki

/// The value of an expression. Whole numbers, as comparisons and trunc give, are printed with all their digits.
struct Number {
  double real = 0;
  std::int64_t whole = 0;
  bool is_whole = false;

  static Number of(double value) noexcept { return {value, 0, false}; }
  static Number of_whole(std::int64_t value) noexcept { return {static_cast<double>(value), value, true}; }
  bool is_zero() const noexcept { return real == 0; }
};

/// Cuts the fraction off; numbers too large for 64 bits wrap around.
std::int64_t to_whole(Number number) noexcept {
  if (number.is_whole) return number.whole;
  if (!std::isfinite(number.real)) return 0;
  constexpr double kMost = 9.2e18;
  if (std::fabs(number.real) < kMost) return static_cast<std::int64_t>(number.real);
  constexpr double kWrap = 18446744073709551616.0;  // 2^64
  double rest = std::fmod(std::trunc(number.real), kWrap);
  if (rest < 0) rest += kWrap;
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(rest));
}

Number negated(Number number) noexcept {
  const bool fits = number.is_whole && number.whole != std::numeric_limits<std::int64_t>::min();
  return fits ? Number::of_whole(-number.whole) : Number::of(-number.real);
}

/// As MediaWiki prints it: 14 significant digits at most, "1.0E+25" for large ones.
std::string print(Number number) {
  if (number.is_whole) return std::to_string(number.whole);
  if (std::isnan(number.real)) return "NAN";
  if (std::isinf(number.real)) return number.real < 0 ? "-INF" : "INF";
  char buffer[64];
  std::snprintf(buffer, sizeof buffer, "%.14G", number.real);
  std::string text(buffer);
  const std::size_t exponent = text.find('E');
  if (exponent == std::string::npos) return text;
  while (exponent + 3 < text.size() && text[exponent + 2] == '0') text.erase(exponent + 2, 1);
  if (text.find('.') == std::string::npos) text.insert(exponent, ".0");
  return text;
}

/// Rounds half away from zero, to places behind the point, or in front of it where `places` is negative.
double round_to(double value, std::int64_t places) {
  // What double arithmetic gets wrong in the 15th digit is mended first.
  if (!std::isfinite(value) || value == 0) return value;
  constexpr int kDigits = 15;
  const auto digits_in_front = static_cast<int>(std::floor(std::log10(std::fabs(value)))) + 1;
  places = std::clamp<std::int64_t>(places, -400, 400);
  const std::int64_t sure_places = kDigits - digits_in_front;
  if (sure_places <= places) return value;
  char buffer[64];
  std::snprintf(buffer, sizeof buffer, "%.*e", kDigits - 1, value);
  const double mended = std::strtod(buffer, nullptr);
  const double scale = std::pow(10.0, static_cast<double>(std::llabs(places)));
  if (!std::isfinite(scale)) return places > 0 ? value : 0;
  double scaled = places >= 0 ? mended * scale : mended / scale;
  // The product of a mended number may again be off by the last bit.
  std::snprintf(buffer, sizeof buffer, "%.*e", kDigits - 1, scaled);
  scaled = std::round(std::strtod(buffer, nullptr));
  return places >= 0 ? scaled / scale : scaled * scale;
}

Number truth(bool value) noexcept {
  return Number::of_whole(value ? 1 : 0);
}

/// Whole numbers give whole ones as long as 64 bits hold them.
template <class Compute>
Number whole_or_real(Number a, Number b, double real, Compute&& overflows) noexcept {
  std::int64_t result = 0;
  return a.is_whole && b.is_whole && !overflows(a.whole, b.whole, &result) ? Number::of_whole(result)
                                                                           : Number::of(real);
}

Number quotient(Number a, Number b) noexcept {
  const bool whole = a.is_whole && b.is_whole && b.whole != -1 && a.whole % b.whole == 0;
  return whole ? Number::of_whole(a.whole / b.whole) : Number::of(a.real / b.real);
}

Number modulo(Number a, Number b) noexcept {
  const std::int64_t divisor = to_whole(b);
  return Number::of_whole(divisor == -1 ? 0 : to_whole(a) % divisor);
}

struct Operator {
  std::string_view word;  ///< in expressions and in messages
  int binding;            ///< closer when larger
  int operands;
  Number (*compute)(Number a, Number b) = nullptr;  ///< of one operand, that is `b`
  bool (*accepts)(Number b) = nullptr;              ///< null: any operand
  std::string_view problem = {};                    ///< the message for an operand that is not accepted
};

bool is_not_zero(Number b) noexcept {
  return b.real != 0;
}
bool is_in_one(Number b) noexcept {
  return !(b.real < -1 || b.real > 1);
}
constexpr std::string_view kByZero = "Division by zero.";

/// Of those that begin alike the longest comes first.
constexpr Operator kOperators[] = {
    {"(", -1, 0},
    {"-", 10, 1, [](Number, Number b) { return negated(b); }},
    {"+", 10, 1, [](Number, Number b) { return b; }},
    {"e", 10, 2, [](Number a, Number b) { return Number::of(a.real * std::pow(10.0, b.real)); }},
    {"not", 9, 1, [](Number, Number b) { return truth(b.is_zero()); }},
    {"sin", 9, 1, [](Number, Number b) { return Number::of(std::sin(b.real)); }},
    {"cos", 9, 1, [](Number, Number b) { return Number::of(std::cos(b.real)); }},
    {"tan", 9, 1, [](Number, Number b) { return Number::of(std::tan(b.real)); }},
    {"asin", 9, 1, [](Number, Number b) { return Number::of(std::asin(b.real)); }, is_in_one,
     "Invalid argument for asin: < -1 or > 1."},
    {"acos", 9, 1, [](Number, Number b) { return Number::of(std::acos(b.real)); }, is_in_one,
     "Invalid argument for acos: < -1 or > 1."},
    {"atan", 9, 1, [](Number, Number b) { return Number::of(std::atan(b.real)); }},
    {"exp", 9, 1, [](Number, Number b) { return Number::of(std::exp(b.real)); }},
    {"ln", 9, 1, [](Number, Number b) { return Number::of(std::log(b.real)); }, [](Number b) { return !(b.real <= 0); },
     "Invalid argument for ln: <= 0."},
    {"abs", 9, 1, [](Number, Number b) { return std::signbit(b.real) ? negated(b) : b; }},
    {"trunc", 9, 1, [](Number, Number b) { return Number::of_whole(to_whole(b)); }},
    {"floor", 9, 1, [](Number, Number b) { return Number::of(std::floor(b.real)); }},
    {"ceil", 9, 1, [](Number, Number b) { return Number::of(std::ceil(b.real)); }},
    {"sqrt", 9, 1, [](Number, Number b) { return Number::of(std::sqrt(b.real)); },
     [](Number b) { return !(b.real < 0); }, "In sqrt: Result is not a number."},
    {"^", 8, 2, [](Number a, Number b) { return Number::of(std::pow(a.real, b.real)); }},
    {"*", 7, 2,
     [](Number a, Number b) {
       return whole_or_real(a, b, a.real * b.real,
                            [](auto x, auto y, auto* result) { return __builtin_mul_overflow(x, y, result); });
     }},
    {"/", 7, 2, quotient, is_not_zero, kByZero},
    {"div", 7, 2, quotient, is_not_zero, kByZero},
    {"mod", 7, 2, modulo, [](Number b) { return to_whole(b) != 0; }, kByZero},
    {"fmod", 7, 2, [](Number a, Number b) { return Number::of(std::fmod(a.real, b.real)); }, is_not_zero, kByZero},
    {"+", 6, 2,
     [](Number a, Number b) {
       return whole_or_real(a, b, a.real + b.real,
                            [](auto x, auto y, auto* result) { return __builtin_add_overflow(x, y, result); });
     }},
    {"-", 6, 2,
     [](Number a, Number b) {
       return whole_or_real(a, b, a.real - b.real,
                            [](auto x, auto y, auto* result) { return __builtin_sub_overflow(x, y, result); });
     }},
    {"round", 5, 2, [](Number a, Number b) { return Number::of(round_to(a.real, to_whole(b))); }},
    {"<=", 4, 2, [](Number a, Number b) { return truth(a.real <= b.real); }},
    {">=", 4, 2, [](Number a, Number b) { return truth(a.real >= b.real); }},
    {"<>", 4, 2, [](Number a, Number b) { return truth(a.real != b.real); }},
    {"!=", 4, 2, [](Number a, Number b) { return truth(a.real != b.real); }},
    {"=", 4, 2, [](Number a, Number b) { return truth(a.real == b.real); }},
    {"<", 4, 2, [](Number a, Number b) { return truth(a.real < b.real); }},
    {">", 4, 2, [](Number a, Number b) { return truth(a.real > b.real); }},
    {"and", 3, 2, [](Number a, Number b) { return truth(a.real != 0 && b.real != 0); }},
    {"or", 2, 2, [](Number a, Number b) { return truth(a.real != 0 || b.real != 0); }},
    {"pi", 0, 0},
};
constexpr const Operator* kOpen = &kOperators[0];

/// The operator with this word and number of operands, or null.
const Operator* find_operator(std::string_view word, int operands) {
  const auto* const found =
      std::ranges::find_if(kOperators, [&](const Operator& op) { return op.word == word && op.operands == operands; });
  return found == std::end(kOperators) ? nullptr : found;
}

/// Evaluates with two stacks: numbers, and operators that wait for those that bind closer.
class Evaluator {
 public:
  explicit Evaluator(std::string_view text) : text_(text) {}

  bool run() {
    while (i_ < text_.size()) {
      if (numbers_.size() > kMaxStack || waiting_.size() > kMaxStack) return fail("Stack exhausted.");
      if (!read_part()) return false;
    }
    while (!waiting_.empty()) {
      if (waiting_.back() == kOpen) return fail("Unclosed bracket.");
      if (!apply_last()) return false;
    }
    return true;
  }
  const std::vector<Number>& numbers() const noexcept { return numbers_; }
  const std::string& message() const noexcept { return message_; }

 private:
  bool fail(std::string_view what) {
    message_ = "Expression error: " + std::string(what);
    return false;
  }
  bool fail_unexpected(std::string_view word) { return fail("Unexpected " + std::string(word) + " operator."); }

  static bool is_digit(char c) noexcept { return scan::is_digit(c) || c == '.'; }

  bool take(std::string_view symbol) {
    if (!starts_with(text_.substr(i_), symbol)) return false;
    i_ += symbol.size();
    return true;
  }

  bool read_part() {
    const char c = text_[i_];
    if (is_trimmed(c)) {
      ++i_;
      return true;
    }
    if (is_digit(c)) return read_number();
    if (is_letter(c)) return read_word();
    return read_sign();
  }

  bool read_number() {
    if (!expects_number_) return fail("Unexpected number.");
    const std::size_t begin = i_;
    while (i_ < text_.size() && is_digit(text_[i_])) ++i_;
    return push(Number::of(std::strtod(std::string(text_.substr(begin, i_ - begin)).c_str(), nullptr)));
  }

  bool push(Number number) {
    numbers_.push_back(number);
    expects_number_ = false;
    return true;
  }

  bool read_word() {
    const std::size_t begin = i_;
    while (i_ < text_.size() && is_letter(text_[i_])) ++i_;
    const std::string word = lower_case(text_.substr(begin, i_ - begin));
    const auto* const op = std::ranges::find(kOperators, word, &Operator::word);
    if (op == std::end(kOperators)) return fail("Unrecognized word \"" + word + "\".");
    if (word == "e" && expects_number_) return push(Number::of(std::exp(1.0)));
    if (word == "pi") {
      if (!expects_number_) return fail("Unexpected number.");
      return push(Number::of(std::acos(-1.0)));
    }
    if (op->operands == 2) return read_binary(op);
    if (!expects_number_) return fail_unexpected(word);
    waiting_.push_back(op);
    return true;
  }

  bool read_sign() {
    for (const std::string_view sign : {"+", "-"}) {
      if (!take(sign)) continue;
      if (!expects_number_) return read_binary(find_operator(sign, 2));
      waiting_.push_back(find_operator(sign, 1));
      return true;
    }
    if (take("(")) {
      if (!expects_number_) return fail_unexpected("(");
      waiting_.push_back(kOpen);
      return true;
    }
    if (take(")")) return read_close();
    for (const Operator& op : kOperators) {
      if (op.operands == 2 && take(op.word)) return read_binary(&op);
    }
    std::size_t end = i_;
    next_code_point(text_, end);
    return fail("Unrecognized punctuation character \"" + std::string(text_.substr(i_, end - i_)) + "\".");
  }

  bool read_close() {
    while (!waiting_.empty() && waiting_.back() != kOpen) {
      if (!apply_last()) return false;
    }
    if (waiting_.empty()) return fail("Unexpected closing bracket.");
    waiting_.pop_back();
    expects_number_ = false;
    return true;
  }

  bool read_binary(const Operator* op) {
    if (expects_number_) return fail_unexpected(op->word);
    while (!waiting_.empty() && op->binding <= waiting_.back()->binding) {
      if (!apply_last()) return false;
    }
    waiting_.push_back(op);
    expects_number_ = true;
    return true;
  }

  Number pop() {
    const Number number = numbers_.back();
    numbers_.pop_back();
    return number;
  }

  bool apply_last() {
    const Operator& op = *waiting_.back();
    waiting_.pop_back();
    if (numbers_.size() < static_cast<std::size_t>(op.operands)) {
      const std::string_view word = op.word == "div" ? "/" : op.word == "!=" ? "<>" : op.word;
      return fail("Missing operand for " + std::string(word) + ".");
    }
    const Number b = pop(), a = op.operands == 2 ? pop() : Number();
    if (op.accepts != nullptr && !op.accepts(b)) {
      message_ = op.problem;
      return false;
    }
    numbers_.push_back(op.compute(a, b));
    return true;
  }

  std::string_view text_;
  std::size_t i_ = 0;
  bool expects_number_ = true;
  std::vector<Number> numbers_;
  std::vector<const Operator*> waiting_;
  std::string message_;
};

/// Replaces other spellings of signs that templates use.
std::string plain_signs(std::string_view text) {
  constexpr std::pair<std::string_view, char> kSigns[] = {
      {"&lt;", '<'}, {"&gt;", '>'}, {"&minus;", '-'}, {"\xE2\x88\x92", '-'}};
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    const auto sign = std::find_if(std::begin(kSigns), std::end(kSigns),
                                   [&](const auto& one) { return starts_with(text.substr(i), one.first); });
    if (sign == std::end(kSigns)) {
      out.push_back(text[i++]);
    } else {
      out.push_back(sign->second);
      i += sign->first.size();
    }
  }
  return out;
}

}  // namespace

Evaluation evaluate(std::string_view expression) {
  const std::string text = plain_signs(trim(expression));
  Evaluation result;
  Evaluator evaluator(text);
  if (!evaluator.run()) {
    result.failed = true;
    result.text = evaluator.message();
    return result;
  }
  for (const Number& number : evaluator.numbers()) {
    if (!result.text.empty()) result.text += "<br />\n";
    result.text += print(number);
    result.holds = !number.is_zero() || std::isnan(number.real);
  }
  return result;
}

std::string print_number(double number) {
  return print(Number::of(number));
}

}  // namespace touchstone::extractors::wikitext::functions::internal
