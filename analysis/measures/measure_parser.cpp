#include "analysis/measures/measure_words.hpp"
#include "common/edit_distance.hpp"
#include "common/error.hpp"
#include "common/number_text.hpp"
#include "formats/fields/columns.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

#include <fmt/format.h>

namespace touchstone::analysis::measures {

namespace internal {

void refuse(std::string_view word, std::string_view why) {
  constexpr std::size_t kMaxQuotedBytes = 80;
  throw ConfigError(fmt::format("measure \"{}\": {}", word.substr(0, kMaxQuotedBytes), why));
}

double read_number(std::string_view word, std::string_view text) {
  double value = 0;
  const bool is_number =
      formats::fields::parse_real(text.starts_with('+') ? text.substr(1) : text, value) && std::isfinite(value);
  if (!is_number) refuse(word, fmt::format("\"{}\" is no number", text));
  return value;
}

double read_number_within(std::string_view word, std::string_view name, std::string_view text, double low,
                          double high) {
  const double value = read_number(word, text);
  if (value < low || value > high) refuse(word, fmt::format("{} must lie between {:.0f} and {:.0f}", name, low, high));
  return value;
}

std::uint32_t read_cutoff(std::string_view word, std::string_view text) {
  const double value = read_number(word, text);
  if (value < 1 || value > std::numeric_limits<std::int32_t>::max()) refuse(word, "a cutoff must be 1 or more");
  return static_cast<std::uint32_t>(value);
}

int read_grade(std::string_view word, std::string_view text) {
  int value = 0;
  if (!formats::fields::parse_integer(text, -127, 127, value))
    refuse(word, fmt::format("\"{}\" is not a grade from -127 to 127", text));
  return value;
}

}  // namespace internal

namespace {

using namespace internal;  // words of measures

constexpr std::size_t kMaxParameters = 1000;

/// `1=3,2=9`, and for the measures of rank-biased precision `p=.8` among them.
void read_gains(std::string_view word, std::string_view parameters, Measure& measure) {
  const bool is_rbp = measure.kind == MeasureKind::kGradedRbp || measure.kind == MeasureKind::kRbpResidual;
  for (const auto part : formats::fields::split_at(parameters, ',')) {
    const auto equals = part.find('=');
    if (equals == std::string_view::npos)
      refuse(word,
             "parameters are pairs grade=gain, such as ndcg.1=3,2=9; a measure of the first ranks is ndcg_cut_10 or "
             "nDCG@10");
    const auto name = part.substr(0, equals), value = part.substr(equals + 1);
    if (is_rbp && name == "p") {
      measure.numbers = {read_number_within(word, "p", value, 0, 1)};
    } else {
      measure.gains.emplace_back(read_grade(word, name), read_number(word, value));
    }
  }
}

void check_numbers(std::string_view word, const Measure& measure) {
  if (measure.kind == MeasureKind::kUtility && measure.numbers.size() != 4)
    refuse(word, "utility takes 4 coefficients, such as utility.1,-1,0,0");
  const double first = measure.numbers.front();
  if (measure.kind == MeasureKind::kRelstring && (first < 0 || first > 1e6))
    refuse(word, "the length must lie between 0 and 1000000");
}

/// A measure for each cutoff or level, ascending.
std::vector<Measure> one_for_each(std::string_view word, const Measure& measure,
                                  const std::vector<std::string_view>& parameters) {
  std::vector<Measure> measures;
  for (const auto text : parameters) {
    Measure one = measure;
    if (measure.family->form == ParameterForm::kCutoffs) {
      one.cutoff = read_cutoff(word, text);
      one.name += fmt::format("_{}", one.cutoff);
    } else {
      one.numbers = {read_number_within(word, "a level", text, 0, 1e6)};
      one.name += "_" + fixed_digits(one.numbers.front(), 2);
    }
    measures.push_back(std::move(one));
  }
  const auto parameter = [](const Measure& one) { return std::tie(one.cutoff, one.numbers); };
  std::sort(measures.begin(), measures.end(),
            [&](const Measure& a, const Measure& b) { return parameter(a) < parameter(b); });
  const auto same = std::adjacent_find(measures.begin(), measures.end(), [&](const Measure& a, const Measure& b) {
    return parameter(a) == parameter(b);
  });
  if (same != measures.end()) refuse(word, fmt::format("the parameter of {} occurs twice", same->name));
  return measures;
}

/// The row with this name, or null.
const MeasureFamily* find_family(std::string_view name, Spelling spelling) noexcept {
  for (const auto& family : measure_families()) {
    if (family.spelling == spelling && family.name == name) return &family;
  }
  return nullptr;
}

/// The measures of a trec_eval family; one for each cutoff or level. `parameters` is what is behind the dot; empty
/// means the defaults.
std::vector<Measure> make_trec_eval(std::string_view word, const MeasureFamily& family, std::string_view parameters) {
  Measure measure;
  measure.family = &family;
  measure.kind = family.kind;
  measure.name = family.name;
  measure.has_parameters = !parameters.empty();
  if (family.form == ParameterForm::kNone) {
    if (measure.has_parameters) refuse(word, fmt::format("{} takes no parameters", family.name));
    return {measure};
  }
  if (family.form == ParameterForm::kGains) {
    if (!measure.has_parameters) return {measure};
    read_gains(word, parameters, measure);
    measure.name += fmt::format("_{}", parameters);
    return {measure};
  }
  const auto parts = formats::fields::split_at(measure.has_parameters ? parameters : family.defaults, ',');
  if (parts.size() > kMaxParameters) refuse(word, fmt::format("has more than {} parameters", kMaxParameters));
  if (family.form != ParameterForm::kNumbers) return one_for_each(word, measure, parts);
  for (const auto part : parts) measure.numbers.push_back(read_number(word, part));
  check_numbers(word, measure);
  if (measure.has_parameters) measure.name += fmt::format("_{}", parameters);
  return {measure};
}

/// A family and its parameters from a name as trec_eval prints it (`ndcg_cut_10`); null if `word` is not one.
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

constexpr std::size_t kMaxWordBytes = 1 << 14;

std::vector<Measure> measures_of(std::string_view word, MeasureSet set) {
  std::vector<Measure> measures;
  for (const auto& family : measure_families()) {
    if (!family.is_in(set)) continue;
    for (auto& measure : make_trec_eval(word, family, {})) measures.push_back(std::move(measure));
  }
  return measures;
}

std::string lower_case(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return out;
}

bool takes_cutoff(const MeasureFamily& family) {
  if (family.spelling == Spelling::kTrecEval) return family.form == ParameterForm::kCutoffs;
  return std::any_of(family.takes.begin(), family.takes.end(),
                     [](const NamedParameter& takes) { return takes.parameter == Parameter::kCutoff; });
}

/// The measure that a name with a rank at its end means: nDCG@10 for ndcg10, NDCG_10 or ndcg-10. Names of ir_measures
/// come first, and among the names of one measure the one that is spelled more alike. Empty if the word does not name
/// one.
std::string with_cutoff(std::string_view word) {
  const auto last = word.find_last_not_of("0123456789");
  if (last == std::string_view::npos || last + 1 == word.size()) return "";
  const auto rank = word.substr(last + 1);
  const auto before = word.substr(0, last + 1);
  const auto name = before.substr(0, before.find_last_not_of("@_-.") + 1);  // npos + 1 is 0
  std::string found;
  std::size_t best = std::string::npos;
  for (const auto spelling : {Spelling::kIrMeasures, Spelling::kTrecEval}) {
    for (const auto& family : measure_families()) {
      if (family.spelling != spelling || !takes_cutoff(family) || lower_case(family.name) != lower_case(name)) continue;
      const auto distance = edit_distance(family.name, name);
      if (distance >= best) continue;
      best = distance;
      found = fmt::format("{}{}{}", family.name, spelling == Spelling::kIrMeasures ? '@' : '_', rank);
    }
    if (!found.empty()) break;
  }
  return found;
}

std::string why_unknown(std::string_view word) {
  if (const auto meant = with_cutoff(word); !meant.empty())
    return fmt::format("there is no such measure; did you mean \"{}\"?", meant);
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
  return fmt::format("there is no such measure; did you mean \"{}{}\"?", best, word.substr(end));
}

}  // namespace

std::vector<Measure> parse_measure(std::string_view word) {
  if (word.size() > kMaxWordBytes) refuse(word, fmt::format("is longer than {} bytes", kMaxWordBytes));
  for (const auto& [name, set] : kMeasureSets) {
    if (word == name) return measures_of(word, set);
  }
  const auto at = word.find_first_of("(@");
  if (at == std::string_view::npos) {
    const auto meant = with_cutoff(word);
    const auto needs_another_name = [&](const MeasureFamily& family) {
      return !meant.empty() && (family.form == ParameterForm::kNone || family.form == ParameterForm::kGains);
    };
    if (const auto [family, parameters] = find_printed_name(word); family != nullptr) {
      if (needs_another_name(*family)) refuse(word, why_unknown(word));
      return make_trec_eval(word, *family, parameters);
    }
    const auto dot = word.find('.');
    if (const auto* family = find_family(word.substr(0, dot), Spelling::kTrecEval)) {
      if (dot != std::string_view::npos && needs_another_name(*family)) refuse(word, why_unknown(word));
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

}  // namespace touchstone::analysis::measures
