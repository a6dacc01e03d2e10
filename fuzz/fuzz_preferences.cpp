#include "analysis/measures/evaluate.hpp"
#include "common/error.hpp"
#include "formats/trec/preferences.hpp"
#include "tests/support/temporary_folder.hpp"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <string_view>
#include <vector>

/// Files of preferences and of qrels with judgment groups: none may crash. Values that come out are sound, else a
/// message says what is wrong. The first byte chooses the form; the run has the passages a to e of the topic t.
namespace {

using namespace touchstone;
using namespace touchstone::analysis::measures;

void check_values(const Evaluation& evaluation) {
  const auto& run = evaluation.runs.front();
  for (std::size_t m = 0; m < evaluation.measures.size(); ++m) {
    const auto& measure = evaluation.measures[m];
    if (measure.is_text()) continue;
    TS_CHECK(std::isfinite(run.means[m]) && run.means[m] >= 0, "values are numbers");
    TS_CHECK(measure.is_count() || run.means[m] <= 1, "shares are at most 1");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const testing::TemporaryFolder folder;
  static const std::vector<std::filesystem::path> runs = {folder / "run"};
  if (size == 0) return 0;
  std::ofstream(runs.front()) << "t Q0 a 1 5 x\nt Q0 b 2 4 x\nt Q0 c 3 3 x\nt Q0 d 4 3 x\nt Q0 e 5 3 x\n";
  const auto path = folder / "judgments";
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(data) + 1, static_cast<std::streamsize>(size - 1));
  constexpr JudgmentForm kForms[] = {JudgmentForm::kPreferences, JudgmentForm::kQrelsAsPreferences,
                                     JudgmentForm::kGroupedQrels};
  EvaluateOptions options;
  options.judgments = kForms[data[0] % 3];
  options.lenient = data[0] / 3 % 2 == 1;
  options.complete = true;
  options.threads = 1;
  const char* const set = options.judgments == JudgmentForm::kGroupedQrels ? "qrels_jg" : "all_prefs";
  try {
    check_values(evaluate(path, runs, parse_measure(set), options));
  } catch (const Error& error) {
    TS_CHECK(error.what()[0] != '\0', "a failure says why");
  }
  return 0;
}
