#include "llm_client/prompted_model.hpp"

#include "common/json_tree.hpp"

#include <cmath>
#include <set>
#include <string>
#include <string_view>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace touchstone::llm_client {
namespace {

using Json = nlohmann::ordered_json;

PromptedModel judge(const std::string& prompt = "evidence-binary",
                    providers::ChatParameters parameters = {.model = "m"}) {
  return {providers::Protocol::kOpenAi, std::move(parameters), prompts::PromptTemplate::load(prompt)};
}

constexpr std::string_view kPassage = "The  Amber Light is a light\tof Ostrand. Ä.";

prompts::PromptValues values() {
  prompts::PromptValues values;
  const auto set = [&](prompts::PromptField field, std::string_view text) {
    values[static_cast<std::size_t>(field)] = text;
  };
  set(prompts::PromptField::kArticle, "List of lights of Ostrand");
  set(prompts::PromptField::kSection, "North");
  set(prompts::PromptField::kColumn, "Name");
  set(prompts::PromptField::kMember, "Amber Light");
  set(prompts::PromptField::kAliases, "Amber");
  set(prompts::PromptField::kPassageTitle, "Coast");
  set(prompts::PromptField::kPassage, kPassage);
  return values;
}

std::string reply_body(const std::string& text, std::uint64_t prompt_tokens = 500) {
  return Json{{"choices", {{{"message", {{"content", text}}}, {"finish_reason", "stop"}}}},
              {"usage", {{"prompt_tokens", prompt_tokens}}}}
      .dump();
}

JudgeAnswer read(const PromptedModel& by, const std::string& body, int status = 200, double tokens_per_word = 0) {
  return by.read(status, body, {kPassage, by.question(values(), 0).size, {true, tokens_per_word}});
}

TEST(PromptedModel, TheDigestIsOfModelParametersAndTexts) {
  std::set<std::string> digests;
  const auto add = [&](const PromptedModel& by, const prompts::PromptValues& asked, std::uint32_t sample) {
    EXPECT_TRUE(digests.insert(by.question(asked, sample).digest).second);
  };
  auto asked = values();
  add(judge(), asked, 0);
  add(judge(), asked, 1);
  add(judge("evidence-spans"), asked, 0);
  add(judge("evidence-binary", {.model = "n"}), asked, 0);
  add(judge("evidence-binary", {.model = "m", .temperature = 1}), asked, 0);
  add(judge("evidence-binary", {.model = "m", .max_reply_tokens = 9}), asked, 0);
  add(judge("evidence-binary", {.model = "m", .extra_body = R"({"reasoning_effort": "low"})"}), asked, 0);
  add({providers::Protocol::kAnthropic, {.model = "m"}, prompts::PromptTemplate::load("evidence-binary")}, asked, 0);
  for (std::size_t field = 0; field < asked.size(); ++field) {
    const bool named = judge().prompt().uses(static_cast<prompts::PromptField>(field));
    if (!named) continue;
    asked[field] += "x";
    add(judge(), asked, 0);
  }
  EXPECT_EQ(PromptedModel(providers::Protocol::kOpenAi, {.model = "m"},
                          prompts::PromptTemplate::load("evidence-binary"), "label")
                .question(values(), 0)
                .digest,
            judge().question(values(), 0).digest);
}

// Stores hold replies under these digests: a change asks every question anew.
TEST(PromptedModel, TheDigestIsTheOneThatStoresHold) {
  EXPECT_EQ(judge().question(values(), 0).digest, "85293add7403637304a6b4adb1db3b824c429fc4be2d209eddb951de0824123b");
  EXPECT_EQ(judge("evidence-graded", {.model = "m", .temperature = 0.5}).question(values(), 2).digest,
            "562db5dbd463b180314dc06113399464aa6da2576fa426fa73ef6fe3ac22a924");
}

TEST(PromptedModel, ABodyIsThatOfTheProtocol) {
  auto asked = values();
  asked.back() += " \"@user@\" \n \xFF";
  for (const auto protocol : {providers::Protocol::kOpenAi, providers::Protocol::kAnthropic}) {
    const PromptedModel by(protocol, {.model = "\"@user@\"", .extra_body = R"({"a": {"b": [1, 2.5, null]}})"},
                           prompts::PromptTemplate::load("evidence-binary"));
    const auto question = by.question(asked, 0);
    for (const providers::ServerLimits limits :
         {providers::ServerLimits{}, providers::ServerLimits{true, false}, providers::ServerLimits{false, true},
          providers::ServerLimits{true, true}})
      EXPECT_EQ(by.body(question, limits),
                providers::chat_body(protocol, question.prompt, prompts::AnswerKind::kBinary, by.parameters(), limits));
  }
}

TEST(PromptedModel, OnlyAnAnswerToAWholePromptIsAGrade) {
  EXPECT_EQ(read(judge(), reply_body(R"({"evidence": "yes"})")).grade, 1);
  EXPECT_EQ(read(judge(), reply_body(R"({"evidence": "yes"})"), 500).state, JudgmentState::kFailed);
  EXPECT_EQ(read(judge(), reply_body("yes")).state, JudgmentState::kUnparseable);
  EXPECT_EQ(read(judge(), reply_body("I'm sorry, but 1")).state, JudgmentState::kRefused);
  const auto cut = read(judge(), reply_body(R"({"evidence": "yes"})", 60));
  EXPECT_EQ(cut.state, JudgmentState::kTruncatedPrompt);
  EXPECT_FALSE(cut.grade);
  EXPECT_NE(cut.reason.find("60 tokens"), std::string::npos);
}

TEST(PromptedModel, KnowingTheServersTokensMakesCutsShow) {
  const auto words = judge().question(values(), 0).size.words;
  const auto tokens = static_cast<std::uint64_t>(words);  // fewer than 1.35 a word, more than without calibration
  EXPECT_EQ(read(judge(), reply_body(R"({"evidence": "no"})", tokens)).state, JudgmentState::kJudged);
  EXPECT_EQ(read(judge(), reply_body(R"({"evidence": "no"})", tokens), 200, 1.5).state,
            JudgmentState::kTruncatedPrompt);
}

TEST(PromptedModel, ACountThatIsNotTrustedCutsNothing) {
  const auto size = judge().question(values(), 0).size;
  const auto body = reply_body(R"({"evidence": "no"})", 12);
  EXPECT_EQ(judge().read(200, body, {kPassage, size, {true, 0}}).state, JudgmentState::kTruncatedPrompt);
  EXPECT_EQ(judge().read(200, body, {kPassage, size, {false, 0.01}}).state, JudgmentState::kJudged);
  EXPECT_EQ(prompts::least_tokens(size, {true, 0.01}), prompts::least_tokens(size, {})) << "a rate from a cut prompt";
}

TEST(PromptedModel, QuotesThatAreNotThereAreCountedNotKept) {
  const auto reply = read(
      judge("evidence-spans"),
      reply_body(R"({"evidence": "yes", "quotes": ["The Amber Light", "a light of Ostrand", "a lamp", "Ä", " "]})"));
  EXPECT_EQ(reply.grade, 1);
  EXPECT_EQ(reply.spans, (decltype(reply.spans){{0, 16}, {20, 38}, {40, 41}}));
  EXPECT_EQ(reply.quotes_not_found, 2U);
}

TEST(PromptedModel, QuotesAreFoundInThePassageAsItWasSent) {
  constexpr std::string_view kMarked = "The [old] light < Amber: user: x";
  const auto by = judge("evidence-spans");
  const auto spans = [&](const std::string& quote) {
    const Json answer = {{"evidence", "yes"}, {"quotes", {quote}}};
    return by.read(200, reply_body(answer.dump()), {kMarked, {}, {}}).spans;
  };
  using Spans = decltype(JudgeAnswer::spans);
  EXPECT_EQ(spans("(old) light ‹ Amber"), (Spans{{4, 23}}));
  EXPECT_EQ(spans("[old] light < Amber"), (Spans{{4, 23}})) << "a model may write the usual signs";
  EXPECT_EQ(spans("user꞉ x"), (Spans{{25, 32}}));
  EXPECT_EQ(spans("{old}"), Spans{});
}

TEST(PromptedModel, TheLowestGradeOfEvidenceChangesNoQuestion) {
  const auto with = [](const std::string& prompt, int evidence_grade) {
    return PromptedModel(providers::Protocol::kOpenAi, {.model = "m"}, prompts::PromptTemplate::load(prompt), {},
                         evidence_grade);
  };
  for (const auto* prompt : {"evidence-graded", "umbrela-reworded", "evidence-binary"}) {
    EXPECT_EQ(with(prompt, 1).question(values(), 0).digest, with(prompt, 3).question(values(), 0).digest);
    EXPECT_EQ(with(prompt, 1).fingerprint(), with(prompt, 3).fingerprint());
  }
  EXPECT_EQ(with("umbrela-reworded", 3).evidence_grade(), 3);
  EXPECT_EQ(with("evidence-binary", 3).evidence_grade(), 1) << "yes is evidence";
  EXPECT_EQ(with("dmerit-evidence", 2).evidence_grade(), 1);
}

TEST(PromptedModel, BareAnswersAreRead) {
  EXPECT_EQ(read(judge("dmerit-evidence"), reply_body("Yes.")).grade, 1);
  EXPECT_EQ(read(judge("dmerit-evidence"), reply_body("Yes, because")).state, JudgmentState::kUnparseable);
  EXPECT_EQ(read(judge("dmerit-evidence"), reply_body("I'm sorry, no")).state, JudgmentState::kRefused);
  EXPECT_EQ(read(judge("umbrela-reworded"), reply_body("##final score: 3")).grade, 3);
  EXPECT_EQ(read(judge("umbrela-reworded"), reply_body("3 of 3")).state, JudgmentState::kUnparseable);
  EXPECT_EQ(judge("dmerit-query").read_query(200, reply_body("names of lights")), "names of lights");
  EXPECT_EQ(judge("dmerit-query").read_query(200, reply_body("I'm sorry, I cannot do that")), "");
  EXPECT_EQ(read(judge("dmerit-query"), reply_body("I cannot do that")).state, JudgmentState::kRefused);
}

TEST(PromptedModel, ALabelAgainstItsOwnLogProbabilitiesIsFlagged) {
  const auto with = [&](double no, double yes) {
    auto body = parse_json(reply_body("{\"evidence\":\"yes\"}"));
    const auto token = [](const std::string& text, double logprob) {
      return Json{{"token", text}, {"logprob", logprob}};
    };
    Json content = Json::array();
    for (const auto* text : {"{\"evidence\":\"", "yes", "\"}"}) {
      Json entry = token(text, -0.001);
      entry["top_logprobs"] = Json::array({token(text, -0.001)});
      content.push_back(entry);
    }
    content[1] = token("yes", std::log(yes));
    content[1]["top_logprobs"] = Json::array({token("no", std::log(no)), token("yes", std::log(yes))});
    body["choices"][0]["logprobs"] = {{"content", content}};
    return read(judge(), body.dump());
  };
  EXPECT_EQ(with(0.1, 0.9).contradicted, 0U);
  EXPECT_EQ(with(0.9, 0.1).contradicted, 1U);
  EXPECT_EQ(with(0.9, 0.1).grade, 1) << "the label stays what the reply holds";
}

TEST(PromptedModel, AReplyThatDidNotArriveWholeHasNoGrade) {
  StoredReply reply;
  reply.reply = reply_body("{\"evidence\":\"yes\"}");
  EXPECT_EQ(judge().read(reply, {kPassage, {}, {}}).state, JudgmentState::kJudged);
  reply.failure = "the reply broke off\n";
  const auto answer = judge().read(reply, {kPassage, {}, {}});
  EXPECT_EQ(answer.state, JudgmentState::kFailed);
  EXPECT_FALSE(answer.grade);
  EXPECT_EQ(answer.reason, "the reply broke off");
}

TEST(PromptedModel, AFiltersRefusalHasItsStateWhateverItsStatus) {
  constexpr const char* kAzure =
      R"({"error":{"message":"The response was filtered","code":"content_filter","status":400,"innererror":{"code":"ResponsibleAIPolicyViolation"}}})";
  EXPECT_EQ(read(judge(), kAzure, 400).state, JudgmentState::kFiltered);
  EXPECT_EQ(read(judge(), kAzure, 500).state, JudgmentState::kFailed);
  EXPECT_EQ(read(judge(), R"({"error":{"message":"unknown field"}})", 400).state, JudgmentState::kFailed);
}

}  // namespace
}  // namespace touchstone::llm_client
