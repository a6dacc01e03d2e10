#include "analysis/measures/evaluate.hpp"
#include "analysis/measures/qrels_scorer.hpp"
#include "common/error.hpp"
#include "common/files.hpp"

#include <algorithm>
#include <charconv>
#include <map>
#include <sstream>
#include <utility>

#include <fmt/format.h>

namespace touchstone::analysis::measures {
namespace {

constexpr double kNoReference = -1000000;  // as trec_eval prints it
constexpr std::size_t kMaxLineBytes = 1 << 20;

struct Reference {
  double mean, deviation;
};

bool parse_number(const std::string& text, double& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size();
}

using References = std::map<std::pair<std::string, std::string>, Reference>;

References read_references(const std::filesystem::path& file) {
  References references;
  for_each_line(
      file,
      [&](std::string_view line, std::uint64_t number) {
        std::istringstream fields{std::string(line)};
        std::string topic, measure, mean, deviation, more;
        if (!(fields >> topic)) return true;
        Reference reference{};
        const bool complete = static_cast<bool>(fields >> measure >> mean >> deviation);
        if (!complete || fields >> more || !parse_number(mean, reference.mean) ||
            !parse_number(deviation, reference.deviation)) {
          throw FormatError(fmt::format("{}:{}: is no line \"topic measure mean deviation\"; repair or remove it",
                                        file.string(), number));
        }
        references[{topic, measure}] = reference;
        return true;
      },
      kMaxLineBytes);
  return references;
}

double z_score(const References& references, const std::string& topic, const std::string& measure, double value) {
  const auto found = references.find({topic, measure});
  if (found == references.end()) return kNoReference;
  const auto [mean, deviation] = found->second;
  if (deviation != 0) return (value - mean) / deviation;
  return value == mean ? 0 : kNoReference;
}

}  // namespace

void to_z_scores(Evaluation& evaluation, const std::filesystem::path& file) {
  const auto references = read_references(file);
  const auto& measures = evaluation.measures;
  evaluation.measure_prefix = "Z";
  evaluation.z_scores = file.string();
  for (auto& run : evaluation.runs) {
    for (std::size_t m = 0; m < measures.size(); ++m) {
      std::vector<double> column(run.topics.size());
      for (std::size_t row = 0; row < column.size(); ++row) {
        auto& value = run.values[row * measures.size() + m];
        value = z_score(references, evaluation.topics[run.topics[row]], measures[m].name, value);
        column[row] = value;
      }
      run.means[m] = internal::average(measures[m], column);
    }
  }
}

}  // namespace touchstone::analysis::measures
