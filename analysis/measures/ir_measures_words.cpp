#include "analysis/measures/measure_words.hpp"
#include "formats/fields/columns.hpp"
#include "text/words.hpp"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

namespace touchstone::analysis::measures::internal {
namespace {

constexpr std::uint32_t kDeepestFacetCutoff = 1000000;  // upper bounds of facet measures are sums over all ranks

/// `{1:3,2:9}`, as Python writes it.
std::vector<std::pair<int, double>> read_gain_map(std::string_view word, std::string_view text) {
  const auto refuse_form = [&] { refuse(word, "gains look like {1:3,2:9}"); };
  if (text.size() < 2 || text.front() != '{' || text.back() != '}') refuse_form();
  std::vector<std::pair<int, double>> gains;
  for (const auto part : formats::fields::split_at(text.substr(1, text.size() - 2), ',')) {
    const auto colon = part.find(':');
    if (colon == std::string_view::npos) refuse_form();
    gains.emplace_back(read_grade(word, text::trimmed(part.substr(0, colon))),
                       read_number(word, text::trimmed(part.substr(colon + 1))));
  }
  return gains;
}

bool read_truth(std::string_view word, std::string_view text) {
  if (text == "True" || text == "true") return true;
  if (text != "False" && text != "false") refuse(word, fmt::format("\"{}\" is neither True nor False", text));
  return false;
}

/// Whether the discount is 'exp-log2', else 'log2'.
bool read_is_exponential(std::string_view word, std::string_view text) {
  const bool quoted = text.size() >= 2 && (text.front() == '\'' || text.front() == '"');
  const auto name = quoted ? text.substr(1, text.size() - 2) : text;
  if (name != "exp-log2" && name != "log2") refuse(word, "dcg is 'log2' or 'exp-log2'");
  return name == "exp-log2";
}

/// The `key=value` parts; commas inside braces do not separate.
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

/// Numbers that a measure may be given, with ir_measures' defaults.
struct Numbers {
  double p = .8, beta_of_set = 1, alpha = .5, beta = .5, recall = -1, max_rel = 4, min_rel = 0, target = 1;
  bool normalize = true;
};

/// Reads the parameters of one measure.
class ArgumentReader {
 public:
  ArgumentReader(std::string_view word, const MeasureFamily& family) : word_(word) {
    measure_.family = &family;
    measure_.kind = family.kind;
    measure_.name = word;
  }

  void read(std::string_view key, std::string_view value) {
    const auto parameter = find(key);
    if (is_given(parameter)) refuse(word_, fmt::format("\"{}\" is given twice", key));
    given_.push_back(parameter);
    set(parameter, value);
  }

  /// The number behind the @.
  void read_at(std::string_view value) {
    const auto takes = measure_.family->takes;
    const bool at_recall = std::any_of(
        takes.begin(), takes.end(), [](const NamedParameter& taken) { return taken.parameter == Parameter::kRecall; });
    read(parameter_name(at_recall ? Parameter::kRecall : Parameter::kCutoff), value);
  }

  Measure finish() && {
    check();
    set_numbers();
    return std::move(measure_);
  }

 private:
  Parameter find(std::string_view key) const {
    const auto& family = *measure_.family;
    std::vector<std::string_view> names;
    for (const auto& taken : family.takes) {
      names.push_back(parameter_name(taken.parameter));
      if (names.back() == key) return taken.parameter;
    }
    refuse(word_, fmt::format("{} takes no \"{}\"{}{}", family.name, key, names.empty() ? "" : "; it takes ",
                              fmt::join(names, ", ")));
  }

  bool is_given(Parameter parameter) const {
    return std::find(given_.begin(), given_.end(), parameter) != given_.end();
  }

  void set(Parameter parameter, std::string_view value) {
    const auto within = [&](double low, double high) {
      return read_number_within(word_, parameter_name(parameter), value, low, high);
    };
    switch (parameter) {
      case Parameter::kCutoff:
        measure_.cutoff = read_cutoff(word_, value);
        break;
      case Parameter::kRel:
        measure_.min_grade = read_grade(word_, value);
        break;
      case Parameter::kJudgedOnly:
        measure_.judged_only = read_truth(word_, value);
        break;
      case Parameter::kRecall:
        numbers_.recall = within(0, 1);
        break;
      case Parameter::kP:
        numbers_.p = within(0, 1);
        break;
      case Parameter::kAlpha:
        numbers_.alpha = within(0, 1);
        break;
      case Parameter::kBeta:
        numbers_.beta = numbers_.beta_of_set = within(0, measure_.kind == MeasureKind::kSetF ? 1e6 : 1);
        break;
      case Parameter::kMaxRel:
        numbers_.max_rel = within(1, 127);
        break;
      case Parameter::kGains:
        measure_.gains = read_gain_map(word_, value);
        break;
      case Parameter::kDcg:
        if (read_is_exponential(word_, value)) measure_.kind = MeasureKind::kNdcgExp;
        break;
      case Parameter::kNormalize:
        numbers_.normalize = read_truth(word_, value);
        break;
      case Parameter::kMinRel:
        numbers_.min_rel = within(0, 127);
        break;
      case Parameter::kT:
        numbers_.target = read_number(word_, value);
        if (numbers_.target < 0.5 || numbers_.target > 1e6) refuse(word_, "T must lie between 0.5 and 1000000");
        break;
      case Parameter::kRelative:
        if (read_truth(word_, value)) measure_.kind = MeasureKind::kSetRelativePrecision;
        break;
    }
  }

  void check() const {
    const auto& family = *measure_.family;
    for (const auto& taken : family.takes) {
      if (!taken.needed || is_given(taken.parameter)) continue;
      refuse(word_, fmt::format("needs a {}, such as {}{}", parameter_name(taken.parameter), family.name,
                                taken.parameter == Parameter::kRecall   ? "@0.1"
                                : taken.parameter == Parameter::kMaxRel ? "(max_rel=3)"
                                                                        : "@10"));
    }
    const bool is_adaptive = measure_.kind == MeasureKind::kInst || measure_.kind == MeasureKind::kInsq;
    if (is_adaptive && numbers_.min_rel >= numbers_.max_rel) refuse(word_, "min_rel must be less than max_rel");
    if (measure_.kind == MeasureKind::kNdcgExp && !measure_.gains.empty())
      refuse(word_, "gains go with dcg='log2' only");
    if (measure_.needs_facets() && measure_.cutoff > kDeepestFacetCutoff)
      refuse(word_, fmt::format("a cutoff of a measure of facets must be at most {}", kDeepestFacetCutoff));
  }

  void set_numbers() {
    switch (measure_.kind) {
      case MeasureKind::kNumRet:
        if (measure_.min_grade) measure_.kind = MeasureKind::kNumRelRet;
        break;
      case MeasureKind::kIprec:
        measure_.numbers = {numbers_.recall};
        break;
      case MeasureKind::kSetF:
        measure_.numbers = {numbers_.beta_of_set};
        break;
      case MeasureKind::kRbp:
        measure_.numbers = {numbers_.p};
        break;
      case MeasureKind::kCompat:
        measure_.numbers = {is_given(Parameter::kP) ? numbers_.p : .95, numbers_.normalize ? 1.0 : 0.0};
        break;
      case MeasureKind::kInst:
      case MeasureKind::kInsq:
        measure_.numbers = {numbers_.target, numbers_.min_rel, numbers_.max_rel};
        break;
      case MeasureKind::kErr:
        measure_.numbers = {numbers_.max_rel};
        break;
      default:
        if (measure_.needs_facets()) measure_.numbers = {numbers_.alpha, numbers_.beta};
    }
  }

  std::string_view word_;
  Measure measure_;
  Numbers numbers_;
  std::vector<Parameter> given_;
};

}  // namespace

Measure make_ir_measures(std::string_view word, const MeasureFamily& family, std::string_view arguments,
                         std::string_view at) {
  ArgumentReader reader(word, family);
  if (!arguments.empty()) {
    for (const auto part : split_arguments(arguments)) {
      const auto equals = part.find('=');
      if (equals == std::string_view::npos) refuse(word, "parameters are written name=value");
      reader.read(text::trimmed(part.substr(0, equals)), text::trimmed(part.substr(equals + 1)));
    }
  }
  if (!at.empty()) reader.read_at(at);
  return std::move(reader).finish();
}

}  // namespace touchstone::analysis::measures::internal
