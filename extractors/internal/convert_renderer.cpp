#include "extractors/internal/page_words.hpp"
#include "extractors/internal/renderers.hpp"
#include "extractors/internal/units.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <vector>

namespace touchstone::extractors::internal {
namespace {

// Keeps logarithms of powers of ten from falling just below a whole number.
constexpr double kFudge = 1e-14;

/// A number as it was written: its value, and how many digits stand behind the point (negative: trailing zeros in
/// front).
struct Quantity {
  double value = 0;
  std::string clean;
  int decimals = 0;
};

std::optional<Quantity> read_quantity(std::string text) {
  // A minus sign may be the typographic one.
  constexpr std::string_view kMinus = "\xE2\x88\x92";
  if (text.compare(0, kMinus.size(), kMinus) == 0) text.replace(0, kMinus.size(), "-");
  text.erase(std::remove(text.begin(), text.end(), ','), text.end());
  const std::size_t sign = !text.empty() && text[0] == '-' ? 1 : 0;
  if (text.size() == sign || text.find_first_not_of("0123456789.", sign) != std::string::npos) return std::nullopt;
  if (std::count(text.begin(), text.end(), '.') > 1 || text.back() == '.') return std::nullopt;
  constexpr std::size_t kMaxDigits = 15;
  if (text.size() > kMaxDigits) return std::nullopt;
  Quantity quantity;
  quantity.clean = text;
  quantity.value = std::strtod(text.c_str(), nullptr);
  const std::size_t point = text.find('.');
  if (point != std::string::npos) {
    quantity.decimals = static_cast<int>(text.size() - point - 1);
  } else {
    std::size_t zeros = 0;
    while (zeros + sign < text.size() && text[text.size() - 1 - zeros] == '0') ++zeros;
    quantity.decimals = -static_cast<int>(zeros);
  }
  return quantity;
}

/// Digits behind the point that a converted number is shown with when the page does not say: as exact as the input, but
/// at least two significant figures. Source: en.wikipedia.org Help:Convert, Default rounding (read 2025-01).
int default_decimals(const Quantity& in, double out_value, const Unit& from) {
  double adjust = 0;
  double least = 0;
  if (from.kind == "temperature") {
    const double kelvin = std::fabs(in.value * from.scale + from.offset);
    least = kelvin < 1e-8 ? 2 : 2 - std::floor(std::log10(kelvin) + kFudge);
  } else {
    if (in.value == 0 || out_value == 0) return 0;
    adjust = std::log10(std::fabs(in.value / out_value)) + std::log10(2.0);
    least = 1 - std::floor(std::log10(std::fabs(out_value)) + kFudge);
  }
  return static_cast<int>(std::max(std::floor(in.decimals + adjust), least));
}

std::string show_number(double value, int decimals) {
  constexpr int kMaxDecimals = 12;
  decimals = std::clamp(decimals, -kMaxDecimals, kMaxDecimals);
  if (decimals < 0) {
    const double step = std::pow(10.0, -decimals);
    value = std::round(value / step) * step;
    decimals = 0;
  } else {
    const double step = std::pow(10.0, decimals);
    value = std::round(value * step * (1 + 1e-15)) / step;
  }
  char buffer[64];
  std::snprintf(buffer, sizeof buffer, "%.*f", decimals, std::fabs(value));
  std::string text = group_digits(buffer);
  const bool zero = text.find_first_not_of("0.,") == std::string::npos;
  return value < 0 && !zero ? "\xE2\x88\x92" + text : text;
}

std::string show_written(const Quantity& quantity) {
  const bool negative = quantity.clean[0] == '-';
  const std::string text = group_digits(negative ? quantity.clean.substr(1) : quantity.clean);
  return negative ? "\xE2\x88\x92" + text : text;
}

double convert(double value, const Unit& from, const Unit& to) {
  return (value * from.scale + from.offset - to.offset) / to.scale;
}

struct Style {
  bool symbols_in = false, symbols_out = true;
  bool adjective = false;  ///< "10-kilometre"
  bool american = false;
  std::optional<int> decimals;
  std::optional<int> figures;
};

bool is_singular(const std::string& number) {
  return number == "1" || number ==
                              "\xE2\x88\x92"
                              "1";
}

std::string unit_text(const Unit& unit, bool symbol, const std::string& number, const Style& style, bool adjective) {
  if (symbol || unit.kind == "temperature") {
    std::string shown(unit.symbol);
    if (unit.code == "acre" && !is_singular(number)) shown = "acres";
    return (unit.no_blank ? "" : "\xC2\xA0") + shown;
  }
  std::string_view name = unit.singular;
  const bool singular = is_singular(number) || adjective;
  if (style.american && !unit.american.empty()) {
    std::string american(unit.american);
    if (!singular) {
      const std::size_t per = american.find(" per ");
      american.insert(per == std::string::npos ? american.size() : per, "s");
    }
    return (adjective ? "-" : " ") + american;
  }
  if (!singular) name = unit.plural;
  std::string shown(name);
  if (adjective) std::replace(shown.begin(), shown.end(), ' ', '-');
  return (adjective ? "-" : " ") + shown;
}

int decimals_for(const Quantity& in, double out_value, const Unit& from, const Style& style) {
  if (style.decimals) return *style.decimals;
  if (style.figures && out_value != 0)
    return *style.figures - 1 - static_cast<int>(std::floor(std::log10(std::fabs(out_value)) + kFudge));
  return default_decimals(in, out_value, from);
}

/// "5 ft 11 in".
std::optional<std::string> feet_and_inches(const std::vector<Quantity>& in, const Unit& from, const Style& style) {
  const Unit& inch = *find_unit("in");
  if (in.size() != 1 || from.kind != "length" || in[0].value <= 0) return std::nullopt;
  const double inches = convert(in[0].value, from, inch);
  const int decimals = decimals_for(in[0], inches, from, style);
  const double step = std::pow(10.0, std::max(decimals, 0));
  const double rounded = std::round(inches * step) / step;
  const double feet = std::floor(rounded / 12 + kFudge);
  const double rest = rounded - feet * 12;
  if (feet >= 1000) return std::nullopt;
  const std::string small = show_number(rest, std::max(decimals, 0));
  if (feet == 0) return small + unit_text(inch, style.symbols_out, small, style, false);
  const std::string large = show_number(feet, 0);
  return large + unit_text(*find_unit("ft"), style.symbols_out, large, style, false) + " " + small +
         unit_text(inch, style.symbols_out, small, style, false);
}

std::optional<std::string> converted(const std::vector<Quantity>& in, std::string_view joint, const Unit& from,
                                     std::string_view code, const Style& style) {
  if (code == "ftin" || code == "ft in") return feet_and_inches(in, from, style);
  const Unit* to = find_unit(code);
  if (to == nullptr || to->kind != from.kind) return std::nullopt;
  std::string text;
  std::string last;
  for (std::size_t i = 0; i < in.size(); ++i) {
    const double value = convert(in[i].value, from, *to);
    last = show_number(value, decimals_for(in[i], value, from, style));
    if (i > 0) text += joint;
    text += last;
  }
  return text + unit_text(*to, style.symbols_out, in.size() > 1 ? "2" : last, style, false);
}

/// Options that only say how it looks, in ways that do not change the words and numbers.
bool is_harmless(std::string_view name, std::string_view value) {
  if (name == "lk" || name == "debug" || name == "sortable" || name == "comma" || name == "qid" || name == "disp_")
    return true;
  return value.empty();
}

bool read_style(const RenderCall& call, Style& style, std::string& display) {
  if (call.name == "Cvt") style.symbols_in = true;
  for (const CallArguments::Argument& argument : call.arguments.all()) {
    if (!argument.named || argument.superseded) continue;
    const std::string value = call.get(argument.name);
    const std::string_view name = argument.name;
    if (name == "abbr") {
      if (value == "on" || value == "in") style.symbols_in = true;
      if (value == "off" || value == "in" || value == "none") style.symbols_out = false;
      if (value == "off" || value == "out" || value == "none") style.symbols_in = false;
      if (value != "on" && value != "off" && value != "in" && value != "out" && value != "none") return false;
      if (value == "on") style.symbols_out = true;
      if (value == "out") style.symbols_out = true;
    } else if (name == "adj") {
      if (value == "on") {
        style.adjective = true;
      } else if (!value.empty() && value != "off") {
        return false;
      }
    } else if (name == "sp") {
      style.american = value == "us";
      if (!style.american && !value.empty()) return false;
    } else if (name == "sigfig") {
      const int figures = std::atoi(value.c_str());
      if (figures < 1 || figures > 12) return false;
      style.figures = figures;
    } else if (name == "disp") {
      display = value;
    } else if (name == "order" && value == "flip") {
      display = "flip";
    } else if (name.find_first_not_of("0123456789") != std::string::npos && !is_harmless(name, value)) {
      return false;
    }
  }
  return true;
}

/// How a word between two numbers is shown.
std::optional<std::string> range_word(const std::string& word) {
  if (word == "-" || word == "\xE2\x80\x93" || word == "&ndash;") return "\xE2\x80\x93";
  if (word == "to" || word == "and" || word == "or") return " " + word + " ";
  if (word == "to(-)") return " to ";
  return std::nullopt;
}

}  // namespace

/// {{convert|10|km|mi|0}} and {{cvt|...}}: ranges, rounding, abbreviations and the usual displays. Whatever else is
/// asked for makes the whole template go, so that no number is shown that the wiki would show otherwise.
bool render_convert(const RenderCall& call, ExpandedText& out) {
  Style style;
  std::string display;
  if (!read_style(call, style, display)) return false;
  int next = 1;
  std::vector<Quantity> in;
  const auto first = read_quantity(call.get(next++));
  if (!first) return false;
  in.push_back(*first);
  std::string joint;
  if (const auto word = range_word(call.get(next))) {
    const auto second = read_quantity(call.get(next + 1));
    if (!second) return false;
    joint = *word;
    in.push_back(*second);
    next += 2;
  }
  const Unit* from = find_unit(call.get(next++));
  if (from == nullptr) return false;
  std::string target = call.get(next);
  if (!target.empty() && target.find_first_not_of("0123456789-") == std::string::npos) {
    target.clear();  // the unit is left out, this is the rounding
  } else {
    ++next;
  }
  if (target.empty()) target = from->partner;
  if (const std::string rounding = call.get(next); !rounding.empty()) {
    if (rounding.find_first_not_of("0123456789-") != std::string::npos || rounding.size() > 3) return false;
    style.decimals = std::atoi(rounding.c_str());
    ++next;
  }
  if (!call.get(next).empty()) return false;

  std::string results;
  std::string_view rest = target;
  // Several units may be named, but "ft in" is one.
  while (!rest.empty()) {
    const std::size_t blank = rest == "ft in" ? std::string_view::npos : rest.find(' ');
    const auto text = converted(in, joint, *from, rest.substr(0, blank), style);
    if (!text) return false;
    results += (results.empty() ? "" : "; ") + *text;
    if (blank == std::string_view::npos) break;
    rest.remove_prefix(blank + 1);
  }
  std::string written;
  for (std::size_t i = 0; i < in.size(); ++i) written += (i > 0 ? joint : std::string()) + show_written(in[i]);
  const std::string input = written + unit_text(*from, style.symbols_in, in.size() > 1 ? "2" : written, style,
                                                style.adjective && !style.symbols_in);
  if (display.empty() || display == "b") {
    out.text.append(input).append(" (").append(results).append(")");
  } else if (display == "or") {
    out.text.append(input).append(" or ").append(results);
  } else if (display == "out") {
    out.text.append(results);
  } else if (display == "flip" && results.find(';') == std::string::npos) {
    // Names and symbols change places as well.
    std::swap(style.symbols_in, style.symbols_out);
    const auto flipped = converted(in, joint, *from, target, style);
    if (!flipped || style.adjective) return false;
    out.text.append(*flipped)
        .append(" (")
        .append(written)
        .append(unit_text(*from, style.symbols_in, in.size() > 1 ? "2" : written, style, false))
        .append(")");
  } else {
    return false;
  }
  return true;
}

}  // namespace touchstone::extractors::internal
