#include "extractors/wikitext/templates/convert_options.hpp"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <string_view>
#include <utility>

namespace touchstone::extractors::wikitext::templates::internal {

std::optional<int> small_number(std::string_view text, int least, int most) {
  constexpr std::size_t kMaxDigits = 4;
  if (text.empty() || text.size() > kMaxDigits ||
      text.find_first_not_of("0123456789", text[0] == '-' ? 1 : 0) != std::string_view::npos)
    return std::nullopt;
  int value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value < least || value > most || text == "-" ? std::nullopt : std::optional(value);
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
  if (value == "flip") {
    options.flip = true;
  } else if (value == "out" || value == "output only") {
    options.output_only = true;
  } else if (value == "number" || value == "output number only") {
    options.output_number_only = true;
  } else if (value == "table" || value == "tablecen") {
    options.table = true;
  } else if (value == "5") {
    options.numbers.step = 5;
  } else {
    return false;
  }
  return true;
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
  for (const auto& [name, meaning] : kValues) {
    if (name != value) continue;
    options.abbreviate = meaning;
    options.abbreviation_given = true;
    return true;
  }
  return false;
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
  for (const auto& [name, step] : kSteps) {
    if (name == value) options.numbers.step = step;
  }
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

bool is_positional(std::string_view name) {
  return name.find_first_not_of("0123456789") == std::string_view::npos;
}

}  // namespace

std::optional<ConvertOptions> read_convert_options(const RenderCall& call) {
  ConvertOptions options;
  if (call.name == "Cvt") options.abbreviate = Abbreviate::kBoth;
  options.abbreviation_given = call.name == "Cvt";
  for (const auto& argument : call.arguments.all()) {
    const std::string_view name = argument.name.text();
    if (is_positional(name) || !call.arguments.counts(argument)) continue;
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

}  // namespace touchstone::extractors::wikitext::templates::internal
