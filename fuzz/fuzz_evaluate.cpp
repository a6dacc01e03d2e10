#include "analysis/measures/measure.hpp"
#include "common/error.hpp"
#include "formats/trec/run.hpp"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

/// What `touchstone evaluate` takes from outside: lines of runs and names of measures. Neither may crash, and what was
/// read is sound. Lines of qrels: fuzz_trec_files.
namespace {

using namespace touchstone;

void check_run_line(std::string_view line) {
  const auto run = formats::trec::parse_run_line(line);
  if (!run) return;
  TS_CHECK(!run->topic.empty() && !run->docid.empty() && !run->tag.empty(), "no field is empty");
  TS_CHECK(std::isfinite(run->score), "scores can be ordered");
  const std::string again =
      std::string(run->topic) + " Q0 " + std::string(run->docid) + " 1 0 " + std::string(run->tag);
  const auto same = formats::trec::parse_run_line(again);
  TS_CHECK(same && same->topic == run->topic && same->docid == run->docid && same->tag == run->tag,
           "fields hold no white space");
}

void check_measure(std::string_view word) {
  try {
    for (const auto& measure : analysis::measures::parse_measure(word)) {
      TS_CHECK(measure.family != nullptr && !measure.name.empty(), "a measure has a name");
      for (const double number : measure.numbers) TS_CHECK(std::isfinite(number), "parameters are numbers");
    }
  } catch (const ConfigError& error) {
    TS_CHECK(std::string_view(error.what()).starts_with("measure \""), "the message names the word");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  if (data[0] % 2 == 0) {
    if (text.find('\n') == std::string_view::npos) check_run_line(text);  // readers get lines
  } else {
    check_measure(text);
  }
  return 0;
}
