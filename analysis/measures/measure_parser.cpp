#include "analysis/measures/measure_words.hpp"
#include "common/edit_distance.hpp"

#include <algorithm>
#include <limits>
#include <tuple>

#include <fmt/format.h>

namespace touchstone::analysis::measures {
namespace {

using internal::find_family;
using internal::find_printed_name;
using internal::make_ir_measures;
using internal::make_trec_eval;
using internal::refuse;

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
