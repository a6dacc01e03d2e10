#include "analysis/measures/measure.hpp"

#include "common/edit_distance.hpp"
#include "common/error.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <tuple>

namespace touchstone::analysis {
namespace {

constexpr std::size_t kMaxParameters = 1000;
constexpr std::size_t kMaxWordBytes = 1 << 14;
constexpr std::uint32_t kDeepestFacetCutoff = 1000000;  // their upper bounds are sums over all ranks

[[noreturn]] void refuse(std::string_view word, const std::string& why) {
  throw ConfigError("measure \"" + std::string(word.substr(0, 80)) + "\": " + why);
}

/// `text` cut at each `separator`; at least one part.
std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (;;) {
    const auto end = text.find(separator);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

bool holds(std::string_view list, std::string_view item) {
  const auto items = split(list, ',');
  return std::find(items.begin(), items.end(), item) != items.end();
}

double number(std::string_view word, std::string_view text) {
  double value = 0;
  const auto digits = text.starts_with('+') ? text.substr(1) : text;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error != std::errc() || end != digits.data() + digits.size() || !std::isfinite(value)) {
    refuse(word, "\"" + std::string(text) + "\" is no number");
  }
  return value;
}

double number_within(std::string_view word, std::string_view name, std::string_view text, double low, double high) {
  const double value = number(word, text);
  if (value < low || value > high) {
    const auto bound = [](double x) { return std::to_string(x).substr(0, std::to_string(x).find('.')); };
    refuse(word, std::string(name) + " must lie between " + bound(low) + " and " + bound(high));
  }
  return value;
}

/// Ranks to look at; trec_eval cuts off a fraction.
std::uint32_t cutoff(std::string_view word, std::string_view text) {
  const double value = number(word, text);
  if (value < 1 || value > std::numeric_limits<std::int32_t>::max()) refuse(word, "a cutoff must be 1 or more");
  return static_cast<std::uint32_t>(value);
}

int grade(std::string_view word, std::string_view text) {
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < -127 || value > 127) {
    refuse(word, "\"" + std::string(text) + "\" is no grade from -127 to 127");
  }
  return value;
}

std::string two_decimals(double value) {
  char buffer[400];
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::fixed, 2);
  return {buffer, end.ptr};
}

const MeasureFamily* find_family(std::string_view name, Spelling spelling) {
  for (const auto& family : measure_families()) {
    if (family.spelling == spelling && family.name == name) return &family;
  }
  return nullptr;
}

/// How trec_eval reads what stands behind the dot.
enum class Form { kNone, kCutoffs, kLevels, kNumbers, kGains };

Form form_of(const MeasureFamily& family) {
  switch (family.kind) {
    case MeasureKind::kIprec:
    case MeasureKind::kRprecMult:
      return Form::kLevels;
    case MeasureKind::kUtility:
    case MeasureKind::kElevenPoint:
    case MeasureKind::kSetF:
    case MeasureKind::kRelstring:
      return Form::kNumbers;
    default:
      if (family.parameters == "gains") return Form::kGains;
      return family.parameters.empty() ? Form::kNone : Form::kCutoffs;
  }
}

void read_gains(std::string_view word, std::string_view parameters, Measure& measure) {
  const bool is_rbp = measure.kind() == MeasureKind::kGradedRbp || measure.kind() == MeasureKind::kRbpResidual;
  for (const auto part : split(parameters, ',')) {
    const auto equals = part.find('=');
    if (equals == std::string_view::npos) refuse(word, "parameters are pairs grade=gain, such as ndcg.1=3,2=9");
    const auto name = part.substr(0, equals), value = part.substr(equals + 1);
    if (is_rbp && name == "p") {
      measure.numbers = {number_within(word, "p", value, 0, 1)};
    } else {
      measure.gains.emplace_back(grade(word, name), number(word, value));
    }
  }
}

void check_numbers(std::string_view word, const Measure& measure) {
  if (measure.kind() == MeasureKind::kUtility && measure.numbers.size() != 4) {
    refuse(word, "utility takes 4 coefficients, such as utility.1,-1,0,0");
  }
  const double first = measure.numbers.front();
  if (measure.kind() == MeasureKind::kRelstring && (first < 0 || first > 1e6)) {
    refuse(word, "the length must lie between 0 and 1000000");
  }
}

std::vector<Measure> make_trec_eval(std::string_view word, const MeasureFamily& family, std::string_view parameters) {
  Measure measure;
  measure.family = &family;
  measure.name = family.name;
  measure.has_parameters = !parameters.empty();
  const Form form = form_of(family);
  if (form == Form::kNone) {
    if (measure.has_parameters) refuse(word, std::string(family.name) + " takes no parameters");
    return {measure};
  }
  if (form == Form::kGains) {
    if (!measure.has_parameters) return {measure};
    read_gains(word, parameters, measure);
    measure.name += "_" + std::string(parameters);
    return {measure};
  }
  const auto parts = split(measure.has_parameters ? parameters : family.parameters, ',');
  if (parts.size() > kMaxParameters) refuse(word, "has more than 1000 parameters");
  if (form == Form::kNumbers) {
    for (const auto part : parts) measure.numbers.push_back(number(word, part));
    check_numbers(word, measure);
    if (measure.has_parameters) measure.name += "_" + std::string(parameters);
    return {measure};
  }
  std::vector<Measure> measures;
  for (const auto part : parts) {
    Measure one = measure;
    if (form == Form::kCutoffs) {
      one.cutoff = cutoff(word, part);
      one.name += "_" + std::to_string(one.cutoff);
    } else {
      one.numbers = {number_within(word, "a level", part, 0, 1e6)};
      one.name += "_" + two_decimals(one.numbers.front());
    }
    measures.push_back(std::move(one));
  }
  std::sort(measures.begin(), measures.end(), [](const Measure& a, const Measure& b) {
    return std::tie(a.cutoff, a.numbers) < std::tie(b.cutoff, b.numbers);
  });
  const auto same = std::adjacent_find(measures.begin(), measures.end(), [](const Measure& a, const Measure& b) {
    return std::tie(a.cutoff, a.numbers) == std::tie(b.cutoff, b.numbers);
  });
  if (same != measures.end()) refuse(word, "the parameter of " + same->name + " occurs twice");
  return measures;
}

std::string_view without_blanks(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
  return text.substr(0, text.find_last_not_of(' ') + 1);
}

/// The parameters of a row of ir_measures without the mark of the needed ones, to be read.
std::string without_marks(std::string_view parameters) {
  std::string text;
  for (const char c : parameters) text += c == '!' ? "" : c == ',' ? ", " : std::string(1, c);
  return text;
}

/// `{1:3,2:9}`, as Python writes it.
std::vector<std::pair<int, double>> gain_map(std::string_view word, std::string_view text) {
  if (text.size() < 2 || text.front() != '{' || text.back() != '}') refuse(word, "gains look like {1:3,2:9}");
  std::vector<std::pair<int, double>> gains;
  for (const auto part : split(text.substr(1, text.size() - 2), ',')) {
    const auto colon = part.find(':');
    if (colon == std::string_view::npos) refuse(word, "gains look like {1:3,2:9}");
    gains.emplace_back(grade(word, without_blanks(part.substr(0, colon))),
                       number(word, without_blanks(part.substr(colon + 1))));
  }
  return gains;
}

bool truth(std::string_view word, std::string_view text) {
  if (text == "True" || text == "true") return true;
  if (text != "False" && text != "false") refuse(word, "\"" + std::string(text) + "\" is neither True nor False");
  return false;
}

/// `key=value` pairs at the top level: commas inside braces and quotes do not part.
std::vector<std::string_view> split_arguments(std::string_view text) {
  std::vector<std::string_view> parts;
  std::size_t start = 0;
  bool inside = false;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    if (i == text.size() || (text[i] == ',' && !inside)) {
      parts.push_back(text.substr(start, i - start));
      start = i + 1;
    } else if (text[i] == '{') {
      inside = true;
    } else if (text[i] == '}') {
      inside = false;
    }
  }
  return parts;
}

/// Numbers that a measure of ir_measures may be given, and what they are otherwise.
struct IrMeasuresNumbers {
  double p = .8, beta_of_set = 1, alpha = .5, beta = .5, recall = -1, max_rel = 4;
};

void set_argument(std::string_view word, Measure& measure, IrMeasuresNumbers& numbers, std::string_view key,
                  std::string_view value) {
  const auto unquoted =
      value.size() >= 2 && (value.front() == '\'' || value.front() == '"') ? value.substr(1, value.size() - 2) : value;
  if (key == "cutoff") measure.cutoff = cutoff(word, value);
  if (key == "rel") measure.min_grade = grade(word, value);
  if (key == "judged_only") measure.judged_only = truth(word, value);
  if (key == "recall") numbers.recall = number_within(word, key, value, 0, 1);
  if (key == "p") numbers.p = number_within(word, key, value, 0, 1);
  if (key == "alpha") numbers.alpha = number_within(word, key, value, 0, 1);
  if (key == "max_rel") numbers.max_rel = number_within(word, key, value, 1, 127);
  if (key == "gains") measure.gains = gain_map(word, value);
  if (key == "beta") {
    numbers.beta = number_within(word, key, value, 0, measure.kind() == MeasureKind::kSetF ? 1e6 : 1);
    numbers.beta_of_set = numbers.beta;
  }
  if (key == "dcg") {
    if (unquoted == "exp-log2") {
      static const MeasureFamily kExp = [] {
        MeasureFamily family = *find_family("nDCG", Spelling::kIrMeasures);
        family.kind = MeasureKind::kNdcgExp;
        return family;
      }();
      measure.family = &kExp;
    } else if (unquoted != "log2") {
      refuse(word, "dcg is 'log2' or 'exp-log2'");
    }
  }
  if (key == "relative" && truth(word, value)) measure.family = find_family("SetRelP", Spelling::kIrMeasures);
}

void set_numbers(const IrMeasuresNumbers& numbers, Measure& measure) {
  switch (measure.kind()) {
    case MeasureKind::kIprec:
      measure.numbers = {numbers.recall};
      break;
    case MeasureKind::kSetF:
      measure.numbers = {numbers.beta_of_set};
      break;
    case MeasureKind::kRbp:
      measure.numbers = {numbers.p};
      break;
    case MeasureKind::kErr:
      measure.numbers = {numbers.max_rel};
      break;
    default:
      if (measure.needs_facets()) measure.numbers = {numbers.alpha, numbers.beta};
  }
}

Measure make_ir_measures(std::string_view word, const MeasureFamily& family, std::string_view arguments,
                         std::string_view at) {
  Measure measure;
  measure.family = &family;
  measure.name = word;
  IrMeasuresNumbers numbers;
  std::vector<std::string_view> given;
  const auto needed = family.parameters.find("!");
  const auto at_key = family.parameters.starts_with("recall") ? "recall" : "cutoff";
  const auto set = [&](std::string_view key, std::string_view value) {
    if (!holds(family.parameters, key) && !holds(family.parameters, std::string(key) + "!")) {
      refuse(word, std::string(family.name) + " takes no \"" + std::string(key) + "\"" +
                       (family.parameters.empty() ? "" : "; it takes " + without_marks(family.parameters)));
    }
    if (std::find(given.begin(), given.end(), key) != given.end()) {
      refuse(word, "\"" + std::string(key) + "\" is given twice");
    }
    given.push_back(key);
    set_argument(word, measure, numbers, key, value);
  };
  if (!arguments.empty()) {
    for (auto part : split_arguments(arguments)) {
      part = without_blanks(part);
      const auto equals = part.find('=');
      if (equals == std::string_view::npos) refuse(word, "parameters are written name=value");
      set(without_blanks(part.substr(0, equals)), without_blanks(part.substr(equals + 1)));
    }
  }
  if (!at.empty()) set(at_key, at);
  if (needed != std::string_view::npos) {
    const auto key = family.parameters.substr(0, needed);
    if (std::find(given.begin(), given.end(), key) == given.end()) {
      refuse(word, "needs a " + std::string(key) + ", such as " + std::string(family.name) +
                       (key == "recall" ? "@0.1" : "@10"));
    }
  }
  if (measure.kind() == MeasureKind::kNdcgExp && !measure.gains.empty()) {
    refuse(word, "gains go with dcg='log2' only");
  }
  if (measure.needs_facets() && measure.cutoff > kDeepestFacetCutoff) {
    refuse(word, "a cutoff of a measure of facets must be at most 1000000");
  }
  if (measure.kind() == MeasureKind::kNumRet && measure.min_grade) {
    measure.family = find_family("NumRelRet", Spelling::kIrMeasures);
  }
  set_numbers(numbers, measure);
  return measure;
}

/// A name as trec_eval prints it, with the parameters behind an underscore: the family, and the parameters.
std::pair<const MeasureFamily*, std::string_view> find_printed_name(std::string_view word) {
  for (const auto& family : measure_families()) {
    if (family.spelling != Spelling::kTrecEval || !word.starts_with(family.name)) continue;
    const auto rest = word.substr(family.name.size());
    if (rest.size() < 2 || rest[0] != '_') continue;
    const auto parameters = rest.substr(1);
    if (parameters.find_first_not_of("0123456789.,=+-p") != std::string_view::npos) continue;
    return {&family, parameters};
  }
  return {nullptr, {}};
}

std::string lower_case(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return out;
}

std::string why_unknown(std::string_view word) {
  const auto end = std::min(word.find_first_of(".(@"), word.size());
  const auto name = word.substr(0, end);
  if (name.find(',') != std::string_view::npos) return "several measures are parted by blanks, not by commas";
  const bool as_ir_measures = end < word.size() && word[end] != '.';
  std::string_view best;
  std::size_t best_distance = 1000;
  for (const auto& family : measure_families()) {
    if (as_ir_measures && family.spelling != Spelling::kIrMeasures) continue;
    const auto distance = edit_distance(lower_case(name), lower_case(family.name));
    if (distance < best_distance) best = family.name, best_distance = distance;
  }
  if (best_distance > std::max<std::size_t>(2, name.size() / 3)) {
    return "there is no such measure; touchstone evaluate --list-measures names all";
  }
  return "there is no such measure; did you mean \"" + std::string(best) + std::string(word.substr(end)) + "\"?";
}

}  // namespace

std::vector<Measure> parse_measure(std::string_view word) {
  if (word.size() > kMaxWordBytes) refuse(word, "is longer than 16384 bytes");
  if (word == "official" || word == "set" || word == "all_trec") {
    std::vector<Measure> measures;
    for (const auto& family : measure_families()) {
      if (!holds(family.nicknames, word)) continue;
      for (auto& measure : make_trec_eval(word, family, {})) measures.push_back(std::move(measure));
    }
    return measures;
  }
  const auto at = word.find_first_of("(@");
  if (at == std::string_view::npos) {
    if (const auto [family, parameters] = find_printed_name(word); family != nullptr) {
      return make_trec_eval(word, *family, parameters);
    }
    const auto dot = word.find('.');
    if (const auto* family = find_family(word.substr(0, dot), Spelling::kTrecEval)) {
      if (dot != std::string_view::npos && dot + 1 == word.size()) refuse(word, "has no parameters behind the dot");
      return make_trec_eval(word, *family, dot == std::string_view::npos ? "" : word.substr(dot + 1));
    }
  }
  const auto* family = find_family(word.substr(0, at), Spelling::kIrMeasures);
  if (family == nullptr) refuse(word, why_unknown(word));
  std::string_view rest = at == std::string_view::npos ? std::string_view() : word.substr(at), arguments;
  if (rest.starts_with('(')) {
    const auto close = rest.rfind(')');
    if (close == std::string_view::npos) refuse(word, "the parenthesis is not closed");
    arguments = rest.substr(1, close - 1);
    rest = rest.substr(close + 1);
  }
  if (!rest.empty() && (rest.front() != '@' || rest.size() == 1)) refuse(word, "expected @ and a number at the end");
  return {make_ir_measures(word, *family, arguments, rest.empty() ? rest : rest.substr(1))};
}

std::vector<Measure> parse_measures(std::span<const std::string> words) {
  std::vector<Measure> measures;
  for (const auto& word : words) {
    for (auto& measure : parse_measure(word)) {
      const auto same = [&](const Measure& other) { return other.name == measure.name; };
      if (std::none_of(measures.begin(), measures.end(), same)) measures.push_back(std::move(measure));
    }
  }
  std::vector<const MeasureFamily*> written_out;
  for (const auto& measure : measures) {
    if (measure.has_parameters) written_out.push_back(measure.family);
  }
  std::erase_if(measures, [&](const Measure& measure) {
    return !measure.has_parameters &&
           std::find(written_out.begin(), written_out.end(), measure.family) != written_out.end();
  });
  return measures;
}

void sort_as_trec_eval(std::vector<Measure>& measures) {
  const auto place = [](const Measure& measure) {
    return measure.family->spelling == Spelling::kTrecEval ? measure.family - measure_families().data()
                                                           : std::numeric_limits<std::ptrdiff_t>::max();
  };
  std::stable_sort(measures.begin(), measures.end(), [&](const Measure& a, const Measure& b) {
    if (place(a) != place(b)) return place(a) < place(b);
    return place(a) != std::numeric_limits<std::ptrdiff_t>::max() &&
           std::tie(a.cutoff, a.numbers) < std::tie(b.cutoff, b.numbers);
  });
}

std::string measures_markdown() {
  std::string text =
      "# Measures of `touchstone evaluate`\n\n"
      "Made by `touchstone evaluate --list-measures`. R: relevant passages of the topic; n: retrieved ones; r_k: "
      "relevant\n"
      "ones among the first k. Values over topics are means unless the row says otherwise.\n\n";
  for (const auto spelling : {Spelling::kTrecEval, Spelling::kIrMeasures}) {
    text += spelling == Spelling::kTrecEval ? "| trec_eval | default parameters | in | value |\n|---|---|---|---|\n"
                                            : "\n| ir_measures | takes | value |\n|---|---|---|\n";
    for (const auto& family : measure_families()) {
      if (family.spelling != spelling) continue;
      const auto cell = [](std::string_view content) {
        return content.empty() ? std::string(" |") : " " + std::string(content) + " |";
      };
      text += "|" + cell("`" + std::string(family.name) + "`") + cell(family.parameters);
      if (spelling == Spelling::kTrecEval) text += cell(family.nicknames);
      text += cell(family.summary) + "\n";
    }
  }
  return text;
}

}  // namespace touchstone::analysis
