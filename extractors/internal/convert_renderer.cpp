#include "extractors/internal/convert_number.hpp"
#include "extractors/internal/convert_options.hpp"
#include "extractors/internal/renderers.hpp"
#include "extractors/internal/text_scan.hpp"
#include "extractors/internal/units.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <iterator>
#include <optional>
#include <utility>
#include <vector>

namespace touchstone::extractors::internal {
namespace {

constexpr std::string_view kBlank = "\u00A0";
constexpr std::string_view kMinus = "\u2212";

enum class Side : unsigned char { kInput, kOutput };

/// How a word between two numbers is shown: where names and where symbols are; with the unit behind each number.
struct Joint {
  std::string_view word;
  std::string_view with_names, with_symbols;
  std::string_view output = {};  ///< instead, in the converted range
  bool unit_each = false;        ///< with symbols
  bool output_unit_each = false;
  bool is_change = false;
};
constexpr Joint kJoints[] = {
    {"-", "\u2013", "\u2013"},
    {"\u2013", "\u2013", "\u2013"},
    {"&ndash;", "\u2013", "\u2013"},
    {"to", " to ", " to "},
    {"and", " and ", " and "},
    {"or", " or ", " or "},
    {"by", " by ", " by "},
    {"to about", " to about ", " to about "},
    {"+", " + ", " + "},
    {",", ",\u00A0", ",\u00A0"},
    {", and", ", and ", ", and "},
    {", or", ", or ", ", or "},
    {"to(-)", "\u00A0to ", "\u00A0to ", "\u2013"},
    {"and(-)", " and ", " and ", "\u2013"},
    {"by(x)", " by ", " by ", " \u00D7\u00A0", false, true},
    {"x", " by ", " \u00D7\u00A0", {}, true},
    {"\u00D7", " by ", " \u00D7\u00A0", {}, true},
    {"&times;", " by ", " \u00D7\u00A0", {}, true},
    {"xx", "\u00A0\u00D7\u00A0", "\u00A0\u00D7\u00A0"},
    {"*", "\u00D7", "\u00D7"},
    {"+/-", "\u00A0\u00B1\u00A0", "\u00A0\u00B1\u00A0", {}, false, false, true},
    {"\u00B1", "\u00A0\u00B1\u00A0", "\u00A0\u00B1\u00A0", {}, false, false, true},
    {"&plusmn;", "\u00A0\u00B1\u00A0", "\u00A0\u00B1\u00A0", {}, false, false, true},
};

const Joint* find_joint(std::string_view word) {
  const auto* const found =
      std::find_if(std::begin(kJoints), std::end(kJoints), [&](const Joint& j) { return j.word == word; });
  return found == std::end(kJoints) ? nullptr : found;
}

/// Several written numbers with what stands between them, and their unit.
struct Input {
  std::vector<WrittenNumber> numbers;
  std::vector<const Joint*> joints;
  Unit unit;                                            ///< of the numbers; of several units in company the smallest
  std::vector<std::pair<WrittenNumber, Unit>> company;  ///< "5 ft 6 in": each part as it is shown; else empty
  Company kind = Company::kNone;
};

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

/// Splits "5 x 6", "1-2" into number, word and number, where they stand in one argument.
bool split_range(std::vector<std::string>& words, std::size_t at) {
  const std::string text = words[at];
  const std::size_t blank = text.find(' ');
  const std::size_t second = blank == std::string::npos ? blank : text.find(' ', text.find_first_not_of(' ', blank));
  std::array<std::string, 3> parts;
  if (second != std::string::npos) {
    parts = {text.substr(0, blank), std::string(trim(std::string_view(text).substr(blank, second - blank))),
             std::string(trim(std::string_view(text).substr(second)))};
    if (parts[1].find_first_of("0123456789") != std::string::npos ||
        (parts[1] == "-" && parts[2].find('/') != std::string::npos))
      return false;
  } else {
    if (text.find('/') != std::string::npos) return false;
    constexpr std::string_view kWords[] = {"-", "\u2013", "xx", "x", "*"};
    const std::string_view* found = std::find_if(std::begin(kWords), std::end(kWords), [&](std::string_view word) {
      return text.size() > 1 && text.find(word, 1) != std::string::npos;
    });
    if (found == std::end(kWords)) return false;
    const std::size_t begin = text.find(*found, 1);
    parts = {text.substr(0, begin), std::string(*found), text.substr(begin + found->size())};
  }
  words[at] = parts[2];
  words.insert(words.begin() + static_cast<std::ptrdiff_t>(at), {parts[0], parts[1]});
  return true;
}

/// Reads numbers and the words between them; `next` ends at the unit.
bool read_values(std::vector<std::string>& words, std::size_t& next, const NumberStyle& style, Input& input) {
  constexpr std::size_t kMaxValues = 12;
  bool change = false;
  while (input.numbers.size() < kMaxValues) {
    if (next >= words.size()) return false;
    auto number = read_number(words[next], style);
    while (!number && words.size() < 4 * kMaxValues && split_range(words, next))
      number = read_number(words[next], style);
    if (!number) return false;
    number->is_change = change;
    input.numbers.push_back(*std::move(number));
    const Joint* joint = ++next < words.size() ? find_joint(words[next]) : nullptr;
    if (joint == nullptr) return true;
    ++next;
    change = joint->is_change;
    input.joints.push_back(joint);
  }
  return false;
}

/// Reads "|6|in" behind "|5|ft", as often as it comes.
bool read_company(const std::vector<std::string>& words, std::size_t& next, const NumberStyle& style, Input& input) {
  std::string partner;
  while (next + 1 < words.size()) {
    const Subdivision* step = find_subdivision(input.unit.code, words[next + 1]);
    auto unit = step == nullptr ? std::nullopt : find_unit(step->smaller);
    if (!unit) break;
    const auto number = read_number(words[next], style);
    if (!number || number->value < 0 || input.numbers[0].value < 0) return false;
    if (input.company.empty()) input.company.emplace_back(input.numbers[0], input.unit);
    const double total = input.numbers[0].value * step->count + number->value;
    if (partner.empty()) partner = step->partner;
    if (!step->symbol.empty()) {
      unit->symbol = step->symbol;
      unit->always_name = false;
    }
    input.company.emplace_back(*number, *unit);
    input.numbers[0] = *number;
    input.numbers[0].value = total;
    input.unit = *std::move(unit);
    next += 2;
  }
  if (input.company.empty()) return true;
  input.kind = input.unit.code == "in" ? Company::kEndsInInches : Company::kOthers;
  input.unit.partner = partner;
  return true;
}

bool wants_name(const Unit& unit, Side side, const ConvertOptions& options) {
  if (unit.always_name) return true;
  if (!options.abbreviation_given && unit.symbol_by_default && !options.spell_output) return false;
  if (!options.abbreviation_given && options.names_by_default) return true;
  return options.abbreviate == Abbreviate::kNothing ||
         options.abbreviate == (side == Side::kInput ? Abbreviate::kOutput : Abbreviate::kInput);
}

std::string name_of(const Unit& unit, bool singular, const ConvertOptions& options) {
  singular = options.adjective || (singular && unit.power_of_ten == 0);
  if (options.american) return singular ? unit.american : unit.american_plural;
  return singular ? unit.singular : unit.plural;
}

std::string symbol_of(const Unit& unit, const ConvertOptions& options) {
  return options.american && unit.symbol.starts_with("US ") ? "U.S. " + unit.symbol.substr(3) : unit.symbol;
}

/// The word "million" or a power of ten behind a number.
std::string power_text(const Unit& unit, bool word, Side side, const ConvertOptions& options) {
  if (unit.power_of_ten == 0) return {};
  const bool symbol = options.abbreviate == Abbreviate::kBoth ||
                      options.abbreviate == (side == Side::kInput ? Abbreviate::kInput : Abbreviate::kOutput);
  if (symbol) return "\u00D710^" + std::to_string(unit.power_of_ten);
  constexpr std::array<std::string_view, 5> kWords = {"thousand", "million", "billion", "trillion", "quadrillion"};
  return word ? (options.adjective ? "-" : std::string(kBlank))
                    .append(kWords[static_cast<std::size_t>(unit.power_of_ten / 3 - 1)])
              : std::string();
}

/// Unit with the blank or hyphen in front of it.
std::string unit_text(const Unit& unit, bool singular, Side side, const ConvertOptions& options) {
  if (options.values_only || (side == Side::kOutput && options.output_number_only)) return {};
  const bool middle = side == (options.flip ? Side::kOutput : Side::kInput);
  const std::string& behind = middle ? options.middle : std::string();
  if (!wants_name(unit, side, options))
    return (unit.no_blank ? "" : std::string(kBlank)) + symbol_of(unit, options) + behind;
  std::string name = name_of(unit, singular, options);
  if (!options.adjective) return " " + name + behind;
  std::replace(name.begin(), name.end(), ' ', '-');
  return "-" + name + behind;
}

struct Shown {
  std::string text;
  bool singular = false;
};

std::string joint_text(const Joint& joint, bool names, std::string_view after, Side side,
                       const ConvertOptions& options) {
  const bool converted = side == (options.flip ? Side::kInput : Side::kOutput);
  std::string text(names ? joint.with_names : joint.with_symbols);
  if (converted && !joint.output.empty()) text = joint.output;
  if (options.adjective && names && !joint.is_change) {
    for (const std::string_view blank : {std::string_view(" "), kBlank}) {
      for (std::size_t at = text.find(blank); at != std::string::npos; at = text.find(blank))
        text.replace(at, blank.size(), "-");
    }
  }
  return text == "\u2013" && after.starts_with(kMinus) ? " \u2013 " : text;
}

/// Numbers with the words between them and their unit.
std::string range_text(const std::vector<Shown>& numbers, const std::vector<const Joint*>& joints, const Unit& unit,
                       Side side, const ConvertOptions& options) {
  const bool names = wants_name(unit, side, options);
  const bool converted = side == (options.flip ? Side::kInput : Side::kOutput);
  bool each = false;
  for (const Joint* joint : joints)
    each = each || (joint->unit_each && !names) || (joint->output_unit_each && converted);
  if (names && options.adjective) each = false;
  std::string text;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const bool last = i + 1 == numbers.size();
    std::string part = numbers[i].text + power_text(unit, last, side, options);
    if (each && !last) part += unit_text(unit, numbers[i].singular, side, options);
    text += (i > 0 ? joint_text(*joints[i - 1], names, part, side, options) : "") + part;
  }
  return text + unit_text(unit, numbers.back().singular, side, options);
}

std::string input_text(const Input& input, const ConvertOptions& options) {
  if (input.company.empty()) {
    std::vector<Shown> shown;
    for (const WrittenNumber& number : input.numbers) shown.push_back({number.shown, number.singular});
    return range_text(shown, input.joints, input.unit, Side::kInput, options);
  }
  std::string text;
  for (const auto& [number, unit] : input.company) {
    const bool names = wants_name(unit, Side::kInput, options);
    const bool hyphen = options.adjective && names;
    if (!text.empty()) text += hyphen ? "-" : " ";
    text += number.shown;
    if (options.values_only) continue;
    text += hyphen ? "-" : std::string(kBlank);
    text += names ? name_of(unit, number.singular, options) : symbol_of(unit, options);
  }
  return text + (options.flip ? "" : options.middle);
}

/// Digits behind the point for each number; one for all, the most exact, unless asked otherwise.
std::vector<int> decimals_for(const Input& input, const Unit& to, const ConvertOptions& options) {
  std::vector<int> decimals;
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
  NumberStyle style = options.numbers;
  style.denominator = 0;
  style.figures.reset();
  style.step = 0;
  style.decimals = number.decimals;
  const auto rest = round_number(small, 0, style);
  if (!rest) return std::nullopt;
  std::string small_text = small == 0 ? "0" : rest->shown;
  if (!number.fraction.empty()) small_text = (small > 0 ? small_text + " " : "") + number.fraction;
  const auto part = [&](const std::string& shown, double value, std::string_view code) {
    const Unit unit = *find_unit(code);
    const bool names = wants_name(unit, Side::kOutput, options);
    if (options.values_only || options.output_number_only) return shown;
    return shown + (options.adjective && names ? "-" : std::string(kBlank)) +
           (names ? name_of(unit, value == 1, options) : symbol_of(unit, options));
  };
  std::string text = number.negative ? std::string(kMinus) : std::string();
  if (large > 0) {
    const bool hyphen = options.adjective && wants_name(*find_unit(mixed.larger), Side::kOutput, options);
    text += part(with_separators(std::to_string(static_cast<long>(large)), options.numbers), large, mixed.larger) +
            (hyphen ? "-" : " ");
  }
  return text + part(small_text, number.fraction.empty() ? small : 2, mixed.smaller);
}

std::optional<std::string> converted_text(const Input& input, std::string_view code, const ConvertOptions& options) {
  const MixedUnit* mixed = find_mixed_unit(code);
  const auto to = find_unit(mixed == nullptr ? code : mixed->smaller, input.numbers[0].value);
  if (!to || to->kind != input.unit.kind) return std::nullopt;
  NumberStyle style = options.numbers;
  // Metric units are not counted in fractions where there is another one, nor anything with given decimals.
  if (to->metric && style.denominator > 0) return std::nullopt;
  const std::vector<int> decimals = decimals_for(input, *to, options);
  std::vector<Shown> shown;
  std::string text;
  for (std::size_t i = 0; i < input.numbers.size(); ++i) {
    const double value = convert(input.numbers[i], input.unit, *to);
    const auto number = round_number(value, decimals[i], style);
    if (!number || !std::isfinite(value)) return std::nullopt;
    if (mixed != nullptr) {
      const auto part = mixed_text(*number, *mixed, options);
      if (!part) return std::nullopt;
      const bool names = wants_name(*to, Side::kOutput, options);
      text += (i > 0 ? joint_text(*input.joints[i - 1], names, *part, Side::kOutput, options) : "") + *part;
      continue;
    }
    std::string digits = (number->negative ? std::string(kMinus) : std::string()) + number->shown;
    if (options.spell_output) {
      if (const std::string words = number->decimals == 0 ? spelled(number->rounded) : "";
          !words.empty() && !number->negative)
        digits = words;
      else
        return std::nullopt;
    }
    shown.push_back({std::move(digits), number->singular});
  }
  if (mixed != nullptr) return text + (options.flip ? options.middle : "");
  return range_text(shown, input.joints, *to, Side::kOutput, options);
}

/// Converts to all units of `target`; several are named with blanks or plus signs between them.
std::optional<std::string> all_converted(const Input& input, std::string_view target, const ConvertOptions& options) {
  if (find_mixed_unit(target) != nullptr || find_unit(target)) return converted_text(input, target, options);
  std::string results;
  const char separator = target.find('+') != std::string_view::npos ? '+' : ' ';
  for (target = trim(target); !target.empty();) {
    const std::size_t end = std::min(target.find(separator), target.size());
    const auto text = converted_text(input, trim(target.substr(0, end)), options);
    if (!text || options.numbers.denominator != 0) return std::nullopt;
    results += (results.empty() ? "" : options.between) + *text;
    target = trim(target.substr(std::min(target.size(), end + 1)));
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

/// Reads all positional arguments: numbers, unit, units to convert to, rounding, words.
bool read_input(const RenderCall& call, ConvertOptions& options, Input& input, std::string& target) {
  std::vector<std::string> words;
  for (int i = 1; call.arguments.find(i) != nullptr; ++i) words.emplace_back(call.get(i));
  std::size_t next = 0;
  if (!read_values(words, next, options.numbers, input) || next >= words.size()) return false;
  auto unit = find_unit(words[next++], input.numbers[0].value);
  if (!unit) return false;
  input.unit = *std::move(unit);
  if (input.joints.empty() && !read_company(words, next, options.numbers, input)) return false;
  constexpr int kMostDecimals = 12;
  const auto rounding = [&] {
    if (next >= words.size() || words[next].empty()) return false;
    const auto decimals = small_number(words[next], -kMostDecimals, kMostDecimals);
    if (decimals) options.numbers.decimals = decimals;
    return decimals.has_value();
  };
  if (rounding()) {
    ++next;
  } else {
    if (next < words.size()) target = words[next++];
    std::replace(target.begin(), target.end(), '_', ' ');
    if (rounding()) ++next;
  }
  if (options.middle_word) {
    if (next >= words.size() || words[next].empty()) return false;
    options.middle = (words[next][0] == '-' ? "" : " ") + words[next];
    ++next;
    if (rounding()) ++next;
  }
  if (target.empty()) target = input.unit.partner;
  return std::all_of(words.begin() + static_cast<std::ptrdiff_t>(std::min(next, words.size())), words.end(),
                     [](const std::string& word) { return word.empty(); });
}

}  // namespace

/// {{convert|10|km|mi|0}} and {{cvt|...}}: ranges, several units, rounding, abbreviations and the usual displays.
/// Whatever else is asked for makes the whole template go, so that no number is shown that the wiki would show
/// otherwise. Source: the documentation of Module:Convert and its table of options (read 2025-01).
bool render_convert(const RenderCall& call, ExpandedText& out) {
  auto options = read_convert_options(call);
  Input input;
  std::string target;
  if (!options || !read_input(call, *options, input, target)) return false;
  if (options->spell && !spell_input(input, options->spell_upper)) return false;
  const auto results = all_converted(input, target, *options);
  if (!results) return false;
  if (options->output_only || options->output_number_only) {
    out.text.append(*results);
    return true;
  }
  std::string left = input_text(input, *options);
  std::string right = *results;
  if (options->flip) std::swap(left, right);
  if (options->table) {
    out.text.append("style=\"\"|").append(left).append("\n|style=\"\"|").append(right);
  } else {
    out.text.append(left).append(options->before).append(right).append(options->after);
  }
  return true;
}

}  // namespace touchstone::extractors::internal
