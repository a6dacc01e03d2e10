#include "common/named_values.hpp"
#include "common/number_text.hpp"
#include "extractors/scan/text_scan.hpp"
#include "extractors/wikitext/templates/convert.hpp"
#include "extractors/wikitext/templates/renderers.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>
#include <string_view>
#include <utility>

namespace touchstone::extractors::wikitext::templates::internal {
using scan::trim;
namespace {

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

/// Number, word and number of "5 x 6" or "1-2", which are in one argument.
std::optional<std::array<std::string_view, 3>> split_range(std::string_view text) {
  const std::size_t blank = text.find(' ');
  const std::size_t second =
      blank == std::string_view::npos ? blank : text.find(' ', text.find_first_not_of(' ', blank));
  if (second != std::string_view::npos) {
    const std::string_view word = trim(text.substr(blank, second - blank)), behind = trim(text.substr(second));
    if (word.find_first_of("0123456789") != std::string_view::npos ||
        (word == "-" && behind.find('/') != std::string_view::npos))
      return std::nullopt;
    return {{text.substr(0, blank), word, behind}};
  }
  if (text.find('/') != std::string_view::npos) return std::nullopt;
  for (const std::string_view word : {"-", "\u2013", "xx", "x", "*"}) {
    const std::size_t begin = text.find(word, 1);
    if (begin != std::string_view::npos) return {{text.substr(0, begin), word, text.substr(begin + word.size())}};
  }
  return std::nullopt;
}

using Words = std::vector<std::string_view>;

/// Reads numbers and the words between them; `next` ends at the unit.
bool read_values(Words& words, std::size_t& next, const NumberFormat& format, Input& input) {
  constexpr std::size_t kMaxValues = 12;
  bool change = false;
  while (input.numbers.size() < kMaxValues) {
    if (next >= words.size()) return false;
    auto number = read_written(words[next], format);
    while (!number && words.size() < 4 * kMaxValues) {
      const auto parts = split_range(words[next]);
      if (!parts) break;
      words[next] = parts->back();
      words.insert(words.begin() + static_cast<std::ptrdiff_t>(next), parts->begin(), std::prev(parts->end()));
      number = read_written(words[next], format);
    }
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
bool read_company(const Words& words, std::size_t& next, const NumberFormat& format, Input& input) {
  std::string_view partner;
  while (next + 1 < words.size()) {
    const Subdivision* step = find_subdivision(input.unit.code, words[next + 1]);
    auto unit = step == nullptr ? std::nullopt : find_unit(step->smaller);
    if (!unit) break;
    const auto number = read_written(words[next], format);
    if (!number || number->value < 0 || input.numbers[0].value < 0) return false;
    if (input.company.empty()) input.company.emplace_back(input.numbers[0], input.unit);
    const double total = input.numbers[0].value * step->count + number->value;
    if (partner.empty()) partner = step->partner;
    if (!step->symbol.empty()) {
      unit->other_symbol = step->symbol;
      unit->always_name = false;
    }
    input.company.emplace_back(*number, *unit);
    input.numbers[0] = *number;
    input.numbers[0].value = total;
    input.unit = *unit;
    next += 2;
  }
  if (input.company.empty()) return true;
  input.kind = input.unit.code == "in" ? Company::kEndsInInches : Company::kOthers;
  input.unit.partner = partner;
  return true;
}

}  // namespace

std::optional<int> small_number(std::string_view text, int least, int most) {
  constexpr std::size_t kMaxDigits = 4;
  const auto value = text.size() > kMaxDigits ? std::nullopt : to_number<int>(text);
  return value && *value >= least && *value <= most ? value : std::nullopt;
}

namespace {

bool read_display(std::string_view value, ConvertOptions& options) {
  struct Joins {
    std::string_view name, before, after, between;
    bool names = false;
  };
  constexpr Joins kJoins[] = {
      {"b", " (", ")", "; "},           {"or", " or ", "", " or ", true}, {"(or)", " (", ")", " or "},
      {"sqbr", " [", "]", "; "},        {"comma", ", ", "", ", "},        {"semicolon", "; ", "", "; "},
      {"slash", " / ", "", "; ", true}, {"br", "<br />", "", "; ", true}, {"br()", "<br />(", ")", "; ", true},
  };
  for (const Joins& joins : kJoins) {
    if (joins.name != value) continue;
    options.before = joins.before;
    options.after = joins.after;
    options.between = joins.between;
    options.names_by_default = joins.names;
    return true;
  }
  constexpr std::pair<std::string_view, bool ConvertOptions::*> kChoices[] = {
      {"flip", &ConvertOptions::flip},
      {"out", &ConvertOptions::output_only},
      {"output only", &ConvertOptions::output_only},
      {"number", &ConvertOptions::output_number_only},
      {"output number only", &ConvertOptions::output_number_only},
      {"table", &ConvertOptions::table},
      {"tablecen", &ConvertOptions::table},
  };
  if (const auto* choice = find_value(kChoices, value)) return options.**choice = true;
  if (value == "5") options.numbers.step = 5;
  return value == "5";
}

bool read_abbreviation(std::string_view value, ConvertOptions& options) {
  if (value == "def") return true;
  if (value == "values") {
    options.values_only = true;
    return true;
  }
  constexpr std::pair<std::string_view, Abbreviate> kValues[] = {
      {"on", Abbreviate::kBoth},  {"off", Abbreviate::kNothing}, {"none", Abbreviate::kNothing},
      {"in", Abbreviate::kInput}, {"out", Abbreviate::kOutput},
  };
  const Abbreviate* found = find_value(kValues, value);
  if (found == nullptr) return false;
  options.abbreviate = *found;
  options.abbreviation_given = true;
  return true;
}

bool read_adjective(std::string_view value, ConvertOptions& options) {
  if (value == "off") return true;
  if (value.size() == 3 && value.starts_with("ri") && value[2] >= '0' && value[2] <= '3') {
    options.numbers.input_decimals = value[2] - '0';
    return true;
  }
  options.adjective = value == "on" || value == "mid";
  options.middle_word = value == "mid";
  return options.adjective;
}

bool read_rounding(std::string_view value, ConvertOptions& options) {
  constexpr std::pair<std::string_view, double> kSteps[] = {{"0.5", 0.5}, {"5", 5}, {"10", 10}, {"25", 25}, {"50", 50}};
  if (const double* step = find_value(kSteps, value)) options.numbers.step = *step;
  options.round_each = value == "each";
  return options.round_each || options.numbers.step != 0;
}

bool read_spelling(std::string_view value, ConvertOptions& options) {
  if (value == "us") {
    options.american = true;
    return true;
  }
  options.spell = true;
  options.spell_upper = value == "In" || value == "On";
  options.spell_output = value == "on" || value == "On";
  return options.spell_output || value == "in" || value == "In";
}

/// Options of Module:Convert that are not understood here. It has no others, and ignores all names that it does not
/// know. Source: the names of options in Module:Convert/text of a dump of 2026.
bool is_foreign(std::string_view name) {
  constexpr std::string_view kNames[] = {"$",    "altitude_ft", "altitude_m", "debug",    "input",
                                         "lang", "qid",         "qual",       "qualifier"};
  return std::find(std::begin(kNames), std::end(kNames), name) != std::end(kNames);
}

/// Reads one named argument; false for what is not understood.
bool read_option(std::string_view name, std::string_view value, ConvertOptions& options) {
  if (value.empty()) return true;
  // How it looks, not what it says; the links of units are left out.
  if (name == "lk" || name == "link" || name == "stylein" || name == "styleout" || name == "tracking" ||
      name == "error")
    return true;
  if (name == "sortable") return value == "on" || value == "off";
  if (name == "abbr") return read_abbreviation(value, options);
  if (name == "adj" || name == "sing") return read_adjective(value, options);
  if (name == "disp") return read_display(value, options);
  if (name == "round") return read_rounding(value, options);
  if (name == "spell") return read_spelling(value, options);
  if (name == "order") return options.flip = value == "flip";
  if (name == "sp") return options.american = value == "us";
  if (name == "sigfig") return (options.numbers.figures = small_number(value, 1, 12)).has_value();
  if (name == "frac") {
    options.numbers.denominator = small_number(value, 2, 9999).value_or(0);
    return options.numbers.denominator != 0;
  }
  if (name == "comma") {
    options.numbers.group_from_five = value == "5";
    options.numbers.group = value == "5";
    return value == "5" || value == "off" || value == "gaps" || value == "gaps3";
  }
  return !is_foreign(name);
}

}  // namespace

std::optional<ConvertOptions> read_convert_options(const RenderCall& call) {
  ConvertOptions options;
  if (call.name == "Cvt") options.abbreviate = Abbreviate::kBoth;
  options.abbreviation_given = call.name == "Cvt";
  for (const auto& argument : call.arguments.all()) {
    const std::string_view name = argument.name.text();
    if (name.empty() || scan::all_digits(name) || !call.arguments.counts(argument)) continue;
    if (!read_option(name, call.get(argument.name), options)) return std::nullopt;
  }
  if (options.spell_output && !options.abbreviation_given) options.abbreviate = Abbreviate::kNothing;
  if (options.table && options.abbreviation_given) return std::nullopt;
  if (options.table) options.values_only = true;
  if (options.flip) {
    if (options.abbreviate == Abbreviate::kInput) {
      options.abbreviate = Abbreviate::kOutput;
    } else if (options.abbreviate == Abbreviate::kOutput) {
      options.abbreviate = Abbreviate::kInput;
    }
    if (options.spell) return std::nullopt;
  }
  return options;
}

bool read_convert_input(const RenderCall& call, ConvertOptions& options, Input& input, std::string& target) {
  Words words;
  constexpr std::size_t kUsual = 8;
  words.reserve(kUsual);
  for (int i = 1; call.arguments.find(i) != nullptr; ++i) words.push_back(call.get(i));
  std::size_t next = 0;
  if (!read_values(words, next, options.numbers, input) || next >= words.size()) return false;
  const auto unit = find_unit(words[next++], input.numbers[0].value);
  if (!unit) return false;
  input.unit = *unit;
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
    options.middle.assign(words[next].starts_with('-') ? "" : " ").append(words[next]);
    ++next;
    if (rounding()) ++next;
  }
  if (target.empty()) target = input.unit.partner;
  return std::all_of(words.begin() + static_cast<std::ptrdiff_t>(std::min(next, words.size())), words.end(),
                     [](std::string_view word) { return word.empty(); });
}

}  // namespace touchstone::extractors::wikitext::templates::internal
