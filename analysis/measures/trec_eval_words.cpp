#include "analysis/measures/measure_words.hpp"
#include "common/number_text.hpp"

#include <algorithm>
#include <tuple>

#include <fmt/format.h>

namespace touchstone::analysis::measures::internal {
namespace {

constexpr std::size_t kMaxParameters = 1000;

/// `1=3,2=9`, and for the measures of rank-biased precision `p=.8` among them.
void read_gains(std::string_view word, std::string_view parameters, Measure& measure) {
  const bool is_rbp = measure.kind == MeasureKind::kGradedRbp || measure.kind == MeasureKind::kRbpResidual;
  for (const auto part : split(parameters, ',')) {
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

}  // namespace

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
  const auto parts = split(measure.has_parameters ? parameters : family.defaults, ',');
  if (parts.size() > kMaxParameters) refuse(word, fmt::format("has more than {} parameters", kMaxParameters));
  if (family.form != ParameterForm::kNumbers) return one_for_each(word, measure, parts);
  for (const auto part : parts) measure.numbers.push_back(read_number(word, part));
  check_numbers(word, measure);
  if (measure.has_parameters) measure.name += fmt::format("_{}", parameters);
  return {measure};
}

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

}  // namespace touchstone::analysis::measures::internal
