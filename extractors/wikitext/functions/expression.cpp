#include "extractors/wikitext/functions/expression.hpp"

#include "common/unicode.hpp"
#include "extractors/scan/text_scan.hpp"
#include "extractors/wikitext/functions/expression_number.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <vector>

namespace touchstone::extractors::wikitext::functions::internal {
using scan::is_trimmed;
using scan::starts_with;
using scan::trim;
namespace {

constexpr std::size_t kMaxStack = 100;  // operands or operators that wait, as in MediaWiki

enum class Operator : std::uint8_t {
  kOpen,
  kNegative,
  kPositive,
  kExponent,
  kNot,
  kSine,
  kCosine,
  kTangent,
  kArcSine,
  kArcCosine,
  kArcTangent,
  kExponential,
  kLogarithm,
  kAbsolute,
  kTruncate,
  kFloor,
  kCeiling,
  kSquareRoot,
  kPower,
  kTimes,
  kDivide,
  kModulo,
  kRealModulo,
  kPlus,
  kMinus,
  kRound,
  kEqual,
  kLess,
  kGreater,
  kLessOrEqual,
  kGreaterOrEqual,
  kUnequal,
  kAnd,
  kOr,
  kPi
};

struct OperatorInfo {
  std::string_view word;  ///< in expressions and in messages
  int binding;            ///< closer when larger
  int operands;
};

/// In the order of the enumeration.
constexpr std::array<OperatorInfo, 35> kOperators = {{
    {"(", -1, 0},    {"-", 10, 1},    {"+", 10, 1},   {"e", 10, 2},   {"not", 9, 1},   {"sin", 9, 1}, {"cos", 9, 1},
    {"tan", 9, 1},   {"asin", 9, 1},  {"acos", 9, 1}, {"atan", 9, 1}, {"exp", 9, 1},   {"ln", 9, 1},  {"abs", 9, 1},
    {"trunc", 9, 1}, {"floor", 9, 1}, {"ceil", 9, 1}, {"sqrt", 9, 1}, {"^", 8, 2},     {"*", 7, 2},   {"/", 7, 2},
    {"mod", 7, 2},   {"fmod", 7, 2},  {"+", 6, 2},    {"-", 6, 2},    {"round", 5, 2}, {"=", 4, 2},   {"<", 4, 2},
    {">", 4, 2},     {"<=", 4, 2},    {">=", 4, 2},   {"<>", 4, 2},   {"and", 3, 2},   {"or", 2, 2},  {"pi", 0, 0},
}};

const OperatorInfo& info(Operator op) noexcept {
  return kOperators[static_cast<std::size_t>(op)];
}

std::optional<Operator> find_word(std::string_view word) {
  if (word == "div") return Operator::kDivide;
  for (std::size_t i = 0; i < kOperators.size(); ++i) {
    if (kOperators[i].word == word) return static_cast<Operator>(i);
  }
  return std::nullopt;
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
      if (waiting_.back() == Operator::kOpen) return fail("Unclosed bracket.");
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

  static bool is_digit(char c) noexcept { return (c >= '0' && c <= '9') || c == '.'; }
  static bool is_letter(char c) noexcept { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

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
    const auto op = find_word(word);
    if (!op) return fail("Unrecognized word \"" + word + "\".");
    if (*op == Operator::kExponent && expects_number_) return push(Number::of(std::exp(1.0)));
    if (*op == Operator::kPi) {
      if (!expects_number_) return fail("Unexpected number.");
      return push(Number::of(std::acos(-1.0)));
    }
    if (info(*op).operands == 2) return read_binary(*op, word);
    if (!expects_number_) return fail_unexpected(word);
    waiting_.push_back(*op);
    return true;
  }

  bool read_sign() {
    constexpr std::pair<std::string_view, Operator> kSigns[] = {
        {"<=", Operator::kLessOrEqual}, {">=", Operator::kGreaterOrEqual}, {"<>", Operator::kUnequal},
        {"!=", Operator::kUnequal},     {"*", Operator::kTimes},           {"/", Operator::kDivide},
        {"^", Operator::kPower},        {"=", Operator::kEqual},           {"<", Operator::kLess},
        {">", Operator::kGreater}};
    if (take("+")) return read_plus(Operator::kPositive, Operator::kPlus);
    if (take("-")) return read_plus(Operator::kNegative, Operator::kMinus);
    if (take("(")) {
      if (!expects_number_) return fail_unexpected("(");
      waiting_.push_back(Operator::kOpen);
      return true;
    }
    if (take(")")) return read_close();
    for (const auto& [sign, op] : kSigns) {
      if (take(sign)) return read_binary(op, sign);
    }
    std::size_t end = i_;
    next_code_point(text_, end);
    return fail("Unrecognized punctuation character \"" + std::string(text_.substr(i_, end - i_)) + "\".");
  }

  bool read_plus(Operator sign, Operator binary) {
    if (!expects_number_) return read_binary(binary, info(binary).word);
    waiting_.push_back(sign);
    return true;
  }

  bool read_close() {
    while (!waiting_.empty() && waiting_.back() != Operator::kOpen) {
      if (!apply_last()) return false;
    }
    if (waiting_.empty()) return fail("Unexpected closing bracket.");
    waiting_.pop_back();
    expects_number_ = false;
    return true;
  }

  bool read_binary(Operator op, std::string_view name) {
    if (expects_number_) return fail_unexpected(name);
    while (!waiting_.empty() && info(op).binding <= info(waiting_.back()).binding) {
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
    const Operator op = waiting_.back();
    waiting_.pop_back();
    if (numbers_.size() < static_cast<std::size_t>(info(op).operands))
      return fail("Missing operand for " + std::string(info(op).word) + ".");
    return info(op).operands == 1 ? apply(op, pop()) : apply_binary(op);
  }

  bool apply(Operator op, Number x) {
    const auto give = [&](double value) {
      numbers_.push_back(Number::of(value));
      return true;
    };
    switch (op) {
      case Operator::kNegative:
        numbers_.push_back(negated(x));
        return true;
      case Operator::kPositive:
        numbers_.push_back(x);
        return true;
      case Operator::kNot:
        numbers_.push_back(Number::of_whole(x.is_zero() ? 1 : 0));
        return true;
      case Operator::kAbsolute:
        numbers_.push_back(std::signbit(x.real) ? negated(x) : x);
        return true;
      case Operator::kTruncate:
        numbers_.push_back(Number::of_whole(to_whole(x)));
        return true;
      case Operator::kSine:
        return give(std::sin(x.real));
      case Operator::kCosine:
        return give(std::cos(x.real));
      case Operator::kTangent:
        return give(std::tan(x.real));
      case Operator::kArcSine:
      case Operator::kArcCosine:
        if (x.real < -1 || x.real > 1) return fail_plainly("Invalid argument for ", op, ": < -1 or > 1.");
        return give(op == Operator::kArcSine ? std::asin(x.real) : std::acos(x.real));
      case Operator::kArcTangent:
        return give(std::atan(x.real));
      case Operator::kExponential:
        return give(std::exp(x.real));
      case Operator::kLogarithm:
        if (x.real <= 0) return fail_plainly("Invalid argument for ", op, ": <= 0.");
        return give(std::log(x.real));
      case Operator::kFloor:
        return give(std::floor(x.real));
      case Operator::kCeiling:
        return give(std::ceil(x.real));
      default:  // the square root
        if (x.real < 0) return fail_plainly("In ", op, ": Result is not a number.");
        return give(std::sqrt(x.real));
    }
  }

  bool fail_plainly(std::string_view begin, Operator op, std::string_view end) {
    message_ = std::string(begin).append(info(op).word).append(end);
    return false;
  }
  bool fail_division() {
    message_ = "Division by zero.";
    return false;
  }

  bool apply_binary(Operator op) {
    const Number right = pop(), left = pop();
    const double x = left.real, y = right.real;
    const auto truth = [&](bool value) {
      numbers_.push_back(Number::of_whole(value ? 1 : 0));
      return true;
    };
    switch (op) {
      case Operator::kEqual:
        return truth(x == y);
      case Operator::kUnequal:
        return truth(x != y);
      case Operator::kLess:
        return truth(x < y);
      case Operator::kGreater:
        return truth(x > y);
      case Operator::kLessOrEqual:
        return truth(x <= y);
      case Operator::kGreaterOrEqual:
        return truth(x >= y);
      case Operator::kAnd:
        return truth(x != 0 && y != 0);
      case Operator::kOr:
        return truth(x != 0 || y != 0);
      case Operator::kModulo: {
        const std::int64_t divisor = to_whole(right);
        if (divisor == 0) return fail_division();
        numbers_.push_back(Number::of_whole(divisor == -1 ? 0 : to_whole(left) % divisor));
        return true;
      }
      default:
        break;
    }
    if ((op == Operator::kDivide || op == Operator::kRealModulo) && y == 0) return fail_division();
    numbers_.push_back(calculate(op, left, right));
    return true;
  }

  /// Whole numbers give whole ones as long as 64 bits hold them.
  static Number calculate(Operator op, Number left, Number right) {
    const double x = left.real, y = right.real;
    const bool whole = left.is_whole && right.is_whole;
    std::int64_t result = 0;
    switch (op) {
      case Operator::kPlus:
        if (whole && !__builtin_add_overflow(left.whole, right.whole, &result)) return Number::of_whole(result);
        return Number::of(x + y);
      case Operator::kMinus:
        if (whole && !__builtin_sub_overflow(left.whole, right.whole, &result)) return Number::of_whole(result);
        return Number::of(x - y);
      case Operator::kTimes:
        if (whole && !__builtin_mul_overflow(left.whole, right.whole, &result)) return Number::of_whole(result);
        return Number::of(x * y);
      case Operator::kDivide:
        if (whole && right.whole != -1 && left.whole % right.whole == 0)
          return Number::of_whole(left.whole / right.whole);
        return Number::of(x / y);
      case Operator::kRealModulo:
        return Number::of(std::fmod(x, y));
      case Operator::kPower:
        return Number::of(std::pow(x, y));
      case Operator::kExponent:
        return Number::of(x * std::pow(10.0, y));
      default:
        return Number::of(round_to(x, to_whole(right)));
    }
  }

  std::string_view text_;
  std::size_t i_ = 0;
  bool expects_number_ = true;
  std::vector<Number> numbers_;
  std::vector<Operator> waiting_;
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
