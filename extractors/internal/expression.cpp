#include "extractors/internal/expression.hpp"

#include "extractors/internal/entities.hpp"
#include "extractors/internal/text_scan.hpp"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace touchstone::extractors::internal {
namespace {

constexpr std::size_t kMaxDepth = 100;

/// Recursive descent, one function for each level of binding. A failure sets `failed_` and is passed up.
class Evaluator {
 public:
  explicit Evaluator(std::string_view text) : text_(text) {}

  std::optional<double> run() {
    const double value = disjunction();
    skip();
    if (failed_ || i_ < text_.size() || !std::isfinite(value)) return std::nullopt;
    return value;
  }

 private:
  void skip() {
    while (i_ < text_.size() && (is_trimmed(text_[i_]) || text_[i_] == ',')) ++i_;
  }
  bool take(std::string_view symbol) {
    skip();
    if (!starts_with(text_.substr(i_), symbol)) return false;
    i_ += symbol.size();
    return true;
  }
  static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
  std::string_view peek_word() {
    skip();
    std::size_t end = i_;
    while (end < text_.size() && is_letter(text_[end])) ++end;
    return text_.substr(i_, end - i_);
  }
  bool take_word(std::string_view word) {
    const std::string_view found = peek_word();
    if (found.size() != word.size() || !starts_with_ignoring_case(found, word)) return false;
    i_ += word.size();
    return true;
  }

  double disjunction() {
    double left = conjunction();
    while (!failed_ && take_word("or")) {
      const double right = conjunction();
      left = (left != 0 || right != 0) ? 1 : 0;
    }
    return left;
  }
  double conjunction() {
    double left = comparison();
    while (!failed_ && take_word("and")) {
      const double right = comparison();
      left = (left != 0 && right != 0) ? 1 : 0;
    }
    return left;
  }
  double comparison() {
    double left = rounding();
    while (!failed_) {
      if (take("<=")) {
        left = left <= rounding();
      } else if (take(">=")) {
        left = left >= rounding();
      } else if (take("<>") || take("!=")) {
        left = left != rounding();
      } else if (take("<")) {
        left = left < rounding();
      } else if (take(">")) {
        left = left > rounding();
      } else if (take("=")) {
        left = left == rounding();
      } else {
        break;
      }
    }
    return left;
  }
  double rounding() {
    double left = sum();
    while (!failed_ && take_word("round")) {
      const double scale = std::pow(10.0, std::trunc(sum()));
      if (!std::isfinite(scale) || scale == 0) continue;
      left = std::round(left * scale * (1 + 1e-15)) / scale;
    }
    return left;
  }
  double sum() {
    double left = product();
    while (!failed_) {
      if (take("+")) {
        left += product();
      } else if (take("-") || take("\xE2\x88\x92")) {
        left -= product();
      } else {
        break;
      }
    }
    return left;
  }
  double product() {
    double left = power();
    while (!failed_) {
      if (take("*")) {
        left *= power();
      } else if (take("/") || take_word("div")) {
        left = divide(left, power());
      } else if (take_word("mod")) {
        const double right = std::trunc(power());
        if (right == 0) return fail();
        left = std::fmod(std::trunc(left), right);
      } else if (take_word("fmod")) {
        const double right = power();
        if (right == 0) return fail();
        left = std::fmod(left, right);
      } else {
        break;
      }
    }
    return left;
  }
  double divide(double left, double right) { return right == 0 ? fail() : left / right; }
  double power() {
    double left = unary();
    while (!failed_ && take("^")) left = std::pow(left, unary());
    return left;
  }
  double unary() {
    if (failed_ || ++depth_ > kMaxDepth) return fail();
    const double value = unary_value();
    --depth_;
    return value;
  }
  double unary_value() {
    if (take("-") || take("\xE2\x88\x92")) return -unary();
    if (take("+")) return unary();
    const std::string_view word = peek_word();
    if (word.empty()) return scientific(primary());
    const auto is = [&](std::string_view name) {
      return word.size() == name.size() && starts_with_ignoring_case(word, name);
    };
    i_ += word.size();
    if (is("pi")) return 3.14159265358979323846;
    if (is("e")) return 2.71828182845904523536;
    if (is("not")) return unary() == 0 ? 1 : 0;
    if (is("abs")) return std::fabs(unary());
    if (is("floor")) return std::floor(unary());
    if (is("ceil")) return std::ceil(unary());
    if (is("trunc")) return std::trunc(unary());
    if (is("exp")) return std::exp(unary());
    if (is("ln")) {
      const double value = unary();
      return value <= 0 ? fail() : std::log(value);
    }
    if (is("sqrt")) {
      const double value = unary();
      return value < 0 ? fail() : std::sqrt(value);
    }
    if (is("sin")) return std::sin(unary());
    if (is("cos")) return std::cos(unary());
    if (is("tan")) return std::tan(unary());
    if (is("asin")) return std::asin(unary());
    if (is("acos")) return std::acos(unary());
    if (is("atan")) return std::atan(unary());
    return fail();
  }
  /// "1e3": times a power of ten.
  double scientific(double value) {
    if (failed_) return value;
    const std::string_view word = peek_word();
    if (word.size() != 1 || (word[0] != 'e' && word[0] != 'E')) return value;
    ++i_;
    return value * std::pow(10.0, unary());
  }
  double primary() {
    if (take("(")) {
      if (++depth_ > kMaxDepth) return fail();
      const double value = disjunction();
      --depth_;
      take(")");  // the last ones may be left out
      return value;
    }
    skip();
    const std::size_t begin = i_;
    while (i_ < text_.size() && ((text_[i_] >= '0' && text_[i_] <= '9') || text_[i_] == '.')) ++i_;
    if (begin == i_) return fail();
    return std::strtod(std::string(text_.substr(begin, i_ - begin)).c_str(), nullptr);
  }
  double fail() {
    failed_ = true;
    return 0;
  }

  std::string_view text_;
  std::size_t i_ = 0;
  std::size_t depth_ = 0;
  bool failed_ = false;
};

}  // namespace

std::optional<double> evaluate(std::string_view expression, bool& empty) {
  const std::string text = decode_references(trim(expression));
  empty = text.empty();
  if (empty) return std::nullopt;
  return Evaluator(text).run();
}

std::string format_number(double number) {
  if (number == 0) return "0";
  char buffer[64];
  std::snprintf(buffer, sizeof buffer, "%.14G", number);
  std::string text(buffer);
  const std::size_t exponent = text.find('E');
  if (exponent != std::string::npos && text.find('.') == std::string::npos) text.insert(exponent, ".0");
  // The exponent has no leading zeros.
  const std::size_t sign = text.find('E');
  while (sign != std::string::npos && sign + 2 < text.size() - 1 && text[sign + 2] == '0') text.erase(sign + 2, 1);
  return text;
}

}  // namespace touchstone::extractors::internal
