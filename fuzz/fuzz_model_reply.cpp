// Any bytes as a model's reply, in each protocol and for each kind of answer: no crash, and a grade only where the text
// is the object or word that was asked for. The first byte chooses. The same bytes as a text of a wiki: what goes into
// a prompt holds no mark, and stays as it is a second time.
#include "llm_client/prompted_model.hpp"
#include "llm_client/prompts/inert_text.hpp"
#include "llm_client/providers/batch_files.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <iterator>
#include <string>
#include <string_view>

namespace {

using touchstone::JudgmentState;
using touchstone::llm_client::PromptedModel;
using namespace touchstone::llm_client::prompts;
using namespace touchstone::llm_client::providers;

const PromptedModel& model(std::size_t which) {
  static const PromptedModel kModels[] = {
      {Protocol::kOpenAi, {.model = "m"}, PromptTemplate::load("evidence-binary")},
      {Protocol::kOpenAi, {.model = "m"}, PromptTemplate::load("evidence-graded")},
      {Protocol::kOpenAi, {.model = "m"}, PromptTemplate::load("evidence-spans")},
      {Protocol::kAnthropic, {.model = "m"}, PromptTemplate::load("evidence-spans")},
      {Protocol::kOpenAi, {.model = "m"}, PromptTemplate::load("dmerit-evidence")},
      {Protocol::kAnthropic, {.model = "m"}, PromptTemplate::load("umbrela-reworded"), {}, 2}};
  return kModels[which % std::size(kModels)];
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  const auto& by = model(data[0]);
  const std::string_view passage = "The Amber Light is a light of Ostrand.";
  const auto reply = by.read(200, text, {passage, {}, {}});
  if (reply.grade.has_value() != (reply.state == JudgmentState::kJudged)) std::abort();
  if (reply.grade && (*reply.grade < 0 || *reply.grade > highest_grade(by.prompt().answer()))) std::abort();
  if (reply.probability && !(*reply.probability >= 0 && *reply.probability <= 1)) std::abort();
  for (const auto& [begin, end] : reply.spans) {
    if (begin >= end || end > passage.size()) std::abort();
  }
  if (by.read(500, text, {passage, {}, {}}).grade) std::abort();
  const auto answer = parse_answer(by.prompt().answer(), text);
  if (answer && has_schema(by.prompt().answer()) && !answer_object(text).starts_with('{')) std::abort();
  const auto inert = inert_text(text);
  if (inert.find_first_of("<>[]\n") != std::string::npos || inert_text(inert) != inert) std::abort();
  (void)parse_batch_result(by.protocol(), text);
  return 0;
}
