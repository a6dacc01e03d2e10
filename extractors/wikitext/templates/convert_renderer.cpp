#include "extractors/scan/text_scan.hpp"
#include "extractors/wikitext/templates/convert.hpp"
#include "extractors/wikitext/templates/renderers.hpp"
#include "extractors/wikitext/templates/units.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <optional>
#include <utility>
#include <vector>

namespace touchstone::extractors::wikitext::templates::internal {
using preprocessor::ExpandedText;
using scan::trim;
namespace {

constexpr std::string_view kBlank = "\u00A0";

enum class Side : unsigned char { kInput, kOutput };

/// "twenty-one"; empty above one hundred.
std::string spelled(double value) {
  constexpr std::array<std::string_view, 20> kSmall = {
      "zero", "one",    "two",    "three",    "four",     "five",    "six",     "seven",     "eight",    "nine",
      "ten",  "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"};
  constexpr std::array<std::string_view, 10> kTens = {"",      "",      "twenty",  "thirty", "forty",
                                                      "fifty", "sixty", "seventy", "eighty", "ninety"};
  if (value != std::floor(value) || value < 0 || value > 100) return {};
  const auto number = static_cast<std::size_t>(value);
  if (number == 100) return "one hundred";
  if (number < kSmall.size()) return std::string(kSmall[number]);
  std::string out(kTens[number / 10]);
  if (number % 10 != 0) out.append("-").append(kSmall[number % 10]);
  return out;
}

bool wants_name(const Unit& unit, Side side, const ConvertOptions& options) {
  if (unit.always_name) return true;
  if (!options.abbreviation_given && unit.symbol_by_default && !options.spell_output) return false;
  if (!options.abbreviation_given && options.names_by_default) return true;
  return options.abbreviate == Abbreviate::kNothing ||
         options.abbreviate == (side == Side::kInput ? Abbreviate::kOutput : Abbreviate::kInput);
}

bool can_show(const Unit& unit, Side side, const ConvertOptions& options) {
  return has_symbol(unit) || wants_name(unit, side, options);
}

std::string shown_name(const Unit& unit, bool singular, const ConvertOptions& options) {
  return name_of(unit, options.adjective || (singular && unit.power_of_ten == 0), options.american);
}

/// The word "million" or a power of ten behind a number.
void append_power(const Unit& unit, bool word, Side side, const ConvertOptions& options, std::string& out) {
  if (unit.power_of_ten == 0) return;
  const bool symbol = options.abbreviate == Abbreviate::kBoth ||
                      options.abbreviate == (side == Side::kInput ? Abbreviate::kInput : Abbreviate::kOutput);
  constexpr std::array<std::string_view, 5> kWords = {"thousand", "million", "billion", "trillion", "quadrillion"};
  if (symbol) {
    out.append("\u00D710^").append(std::to_string(unit.power_of_ten));
  } else if (word) {
    out.append(options.adjective ? "-" : kBlank).append(kWords[static_cast<std::size_t>(unit.power_of_ten / 3 - 1)]);
  }
}

/// Unit with the blank or hyphen in front of it.
void append_unit(const Unit& unit, bool singular, Side side, const ConvertOptions& options, std::string& out) {
  if (options.values_only || (side == Side::kOutput && options.output_number_only)) return;
  if (!wants_name(unit, side, options)) {
    if (!unit.no_blank) out.append(kBlank);
    out.append(symbol_of(unit, options.american));
  } else if (options.adjective) {
    std::string name = shown_name(unit, singular, options);
    std::replace(name.begin(), name.end(), ' ', '-');
    out.append("-").append(name);
  } else {
    out.append(" ").append(shown_name(unit, singular, options));
  }
  if (side == (options.flip ? Side::kOutput : Side::kInput)) out.append(options.middle);
}

struct Shown {
  std::string text;
  bool singular = false;
};

void append_joint(const Joint& joint, bool names, std::string_view after, Side side, const ConvertOptions& options,
                  std::string& out) {
  const bool converted = side == (options.flip ? Side::kInput : Side::kOutput);
  const std::string_view usual = names ? joint.with_names : joint.with_symbols;
  std::string text(converted && !joint.output.empty() ? joint.output : usual);
  if (options.adjective && names && !joint.is_change) {
    for (const std::string_view blank : {std::string_view(" "), kBlank}) {
      for (std::size_t at = text.find(blank); at != std::string::npos; at = text.find(blank))
        text.replace(at, blank.size(), "-");
    }
  }
  out.append(text == "\u2013" && after.starts_with(kMinus) ? " \u2013 " : text);
}

/// Numbers with the words between them and their unit.
void append_range(const std::vector<Shown>& numbers, const std::vector<const Joint*>& joints, const Unit& unit,
                  Side side, const ConvertOptions& options, std::string& out) {
  const bool names = wants_name(unit, side, options);
  const bool converted = side == (options.flip ? Side::kInput : Side::kOutput);
  bool each = false;
  for (const Joint* joint : joints)
    each = each || (joint->unit_each && !names) || (joint->output_unit_each && converted);
  if (names && options.adjective) each = false;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const bool last = i + 1 == numbers.size();
    if (i > 0) append_joint(*joints[i - 1], names, numbers[i].text, side, options, out);
    out.append(numbers[i].text);
    append_power(unit, last, side, options, out);
    if (each || last) append_unit(unit, numbers[i].singular, side, options, out);
  }
}

void append_input(const Input& input, const ConvertOptions& options, std::string& out) {
  if (input.company.empty()) {
    std::vector<Shown> shown;
    shown.reserve(input.numbers.size());
    for (const WrittenNumber& number : input.numbers) shown.push_back({number.shown, number.singular});
    append_range(shown, input.joints, input.unit, Side::kInput, options, out);
    return;
  }
  std::string_view blank;
  for (const auto& [number, unit] : input.company) {
    const bool names = wants_name(unit, Side::kInput, options);
    const bool hyphen = options.adjective && names;
    if (!blank.empty()) out.append(hyphen ? "-" : " ");
    blank = hyphen ? "-" : kBlank;
    out.append(number.shown);
    if (options.values_only) continue;
    out.append(blank).append(names ? shown_name(unit, number.singular, options) : symbol_of(unit, options.american));
  }
  if (!options.flip) out.append(options.middle);
}

/// Digits behind the point for each number; one for all, the most exact, unless asked otherwise.
std::vector<int> decimals_for(const Input& input, const Unit& to, const ConvertOptions& options) {
  std::vector<int> decimals;
  decimals.reserve(input.numbers.size());
  for (const WrittenNumber& number : input.numbers)
    decimals.push_back(default_decimals(number, convert(number, input.unit, to), input.unit, to, input.kind));
  if (!options.round_each) decimals.assign(decimals.size(), *std::max_element(decimals.begin(), decimals.end()));
  return decimals;
}

/// "5 ft 11 in" from inches.
std::optional<std::string> mixed_text(const ConvertedNumber& number, const MixedUnit& mixed,
                                      const ConvertOptions& options) {
  if (number.scientific) return std::nullopt;
  const bool exact = number.decimals > 0;
  const double total = exact ? number.rounded : std::floor(number.fraction.empty() ? number.raw + 0.5 : number.rounded);
  double large = std::floor(total / mixed.count);
  double small = total - large * mixed.count;
  NumberFormat format = options.numbers;
  format.denominator = 0;
  format.figures.reset();
  format.step = 0;
  format.decimals = number.decimals;
  const auto rest = round_number(small, 0, format);
  if (!rest) return std::nullopt;
  std::string small_text = small == 0 ? "0" : rest->shown;
  if (!number.fraction.empty()) small_text = (small > 0 ? small_text + " " : "") + number.fraction;
  const auto part = [&](const std::string& shown, double value, std::string_view code) {
    const Unit unit = *find_unit(code);
    const bool names = wants_name(unit, Side::kOutput, options);
    if (options.values_only || options.output_number_only) return shown;
    return shown + (options.adjective && names ? "-" : std::string(kBlank)) +
           (names ? shown_name(unit, value == 1, options) : symbol_of(unit, options.american));
  };
  std::string text = number.negative ? std::string(kMinus) : std::string();
  if (large > 0) {
    const bool hyphen = options.adjective && wants_name(*find_unit(mixed.larger), Side::kOutput, options);
    text += part(with_separators(std::to_string(static_cast<long>(large)), options.numbers), large, mixed.larger) +
            (hyphen ? "-" : " ");
  }
  return text + part(small_text, number.fraction.empty() ? small : 2, mixed.smaller);
}

/// What {{convert}} converts to: a unit, or for `mixed` the smaller one of it.
struct Target {
  const MixedUnit* mixed = nullptr;
  Unit unit;
};

std::optional<Target> find_target(std::string_view code, double value) {
  const MixedUnit* mixed = find_mixed_unit(code);
  const auto unit = find_unit(mixed == nullptr ? code : mixed->smaller, value);
  return unit ? std::optional(Target{mixed, *unit}) : std::nullopt;
}

/// The number in digits, or in words if the options ask for them and the number has them.
std::optional<std::string> converted_digits(const ConvertedNumber& number, const ConvertOptions& options) {
  if (!options.spell_output) return (number.negative ? std::string(kMinus) : std::string()) + number.shown;
  const std::string words = number.decimals == 0 && !number.negative ? spelled(number.rounded) : std::string();
  return words.empty() ? std::nullopt : std::optional(words);
}

/// Appends what the input is in one unit. False, with something or nothing appended, when that is not sure.
bool append_converted(const Input& input, const Target& target, const ConvertOptions& options, std::string& out) {
  const Unit& to = target.unit;
  if (to.kind != input.unit.kind || !can_show(to, Side::kOutput, options)) return false;
  // Metric units are not counted in fractions.
  if (to.metric && options.numbers.denominator > 0) return false;
  const std::vector<int> decimals = decimals_for(input, to, options);
  std::vector<Shown> shown;
  shown.reserve(input.numbers.size());
  for (std::size_t i = 0; i < input.numbers.size(); ++i) {
    const double value = convert(input.numbers[i], input.unit, to);
    const auto number = round_number(value, decimals[i], options.numbers);
    if (!number || !std::isfinite(value)) return false;
    const auto text =
        target.mixed == nullptr ? converted_digits(*number, options) : mixed_text(*number, *target.mixed, options);
    if (!text) return false;
    if (target.mixed == nullptr) {
      shown.push_back({*text, number->singular});
      continue;
    }
    const bool names = wants_name(to, Side::kOutput, options);
    if (i > 0) append_joint(*input.joints[i - 1], names, *text, Side::kOutput, options, out);
    out.append(*text);
  }
  if (target.mixed == nullptr) {
    append_range(shown, input.joints, to, Side::kOutput, options, out);
  } else if (options.flip) {
    out.append(options.middle);
  }
  return true;
}

/// Converts to all units of `codes`; several are named with blanks or plus signs between them.
std::optional<std::string> all_converted(const Input& input, std::string_view codes, const ConvertOptions& options) {
  const double value = input.numbers[0].value;
  std::string results;
  if (const auto target = find_target(codes, value))
    return append_converted(input, *target, options, results) ? std::optional(results) : std::nullopt;
  if (options.numbers.denominator != 0) return std::nullopt;
  const char separator = codes.find('+') != std::string_view::npos ? '+' : ' ';
  for (codes = trim(codes); !codes.empty();) {
    const std::size_t end = std::min(codes.find(separator), codes.size());
    const auto target = find_target(trim(codes.substr(0, end)), value);
    if (!results.empty()) results += options.between;
    if (!target || !append_converted(input, *target, options, results)) return std::nullopt;
    codes = trim(codes.substr(std::min(codes.size(), end + 1)));
  }
  return results.empty() ? std::nullopt : std::optional(results);
}

bool spell_input(Input& input, bool upper) {
  if (!input.company.empty()) return false;
  for (std::size_t i = 0; i < input.numbers.size(); ++i) {
    std::string words = input.numbers[i].denominator == 0 ? spelled(input.numbers[i].value) : "";
    if (words.empty()) return false;
    if (upper && i == 0) words[0] = static_cast<char>(words[0] - 'a' + 'A');
    input.numbers[i].shown = std::move(words);
  }
  return true;
}

}  // namespace

/// {{convert|10|km|mi|0}} and {{cvt|...}}: ranges, several units, rounding, abbreviations and the usual displays.
/// Any other option drops the whole template, so that no number is shown that the wiki would show otherwise. Source:
/// the documentation of Module:Convert and its table of options (read 2025-01).
bool render_convert(const RenderCall& call, ExpandedText& out) {
  if (!knows_units(call)) return false;
  auto options = read_convert_options(call);
  Input input;
  std::string target;
  if (!options || !read_convert_input(call, *options, input, target)) return false;
  if (!can_show(input.unit, Side::kInput, *options)) return false;
  if (options->spell && !spell_input(input, options->spell_upper)) return false;
  auto results = all_converted(input, target, *options);
  if (!results) return false;
  if (options->output_only || options->output_number_only) {
    out.text.append(*results);
    return true;
  }
  std::string left;
  append_input(input, *options, left);
  if (options->flip) left.swap(*results);
  if (options->table) {
    out.text.append("style=\"\"|").append(left).append("\n|style=\"\"|").append(*results);
  } else {
    out.text.append(left).append(options->before).append(*results).append(options->after);
  }
  return true;
}

}  // namespace touchstone::extractors::wikitext::templates::internal
