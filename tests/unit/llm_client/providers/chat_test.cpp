#include "llm_client/providers/chat.hpp"

#include "common/json_tree.hpp"

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace touchstone::llm_client::providers {
namespace {

using Json = nlohmann::ordered_json;

prompts::RenderedPrompt prompt() {
  return {"Do \"it\".", "List\nMember\nPassage ä", 5, 12};
}

ChatParameters parameters() {
  ChatParameters chosen;
  chosen.model = "m";
  return chosen;
}

Json completion(const Json& message, const Json& finish = "stop") {
  return {
      {"choices", {{{"index", 0}, {"message", message}, {"finish_reason", finish}}}},
      {"usage", {{"prompt_tokens", 90}, {"completion_tokens", 5}, {"prompt_tokens_details", {{"cached_tokens", 64}}}}}};
}

ChatReply read(const Json& body) {
  return read_chat(Protocol::kOpenAi, body.dump(), true);
}

TEST(OpenAiChat, ABodyHoldsWhatWasConfigured) {
  const auto body = parse_json(chat_body(Protocol::kOpenAi, prompt(), prompts::AnswerKind::kBinary, parameters()));
  EXPECT_EQ(body.at("model"), "m");
  EXPECT_EQ(body.at("messages").at(0), (Json{{"role", "system"}, {"content", "Do \"it\"."}}));
  EXPECT_EQ(body.at("messages").at(1).at("content"), "List\nMember\nPassage ä");
  EXPECT_EQ(body.at("temperature"), 0);
  EXPECT_EQ(body.at("max_tokens"), 256);
  EXPECT_EQ(body.at("stream"), false);
  EXPECT_EQ(body.at("logprobs"), true);
  EXPECT_LE(body.at("top_logprobs"), 20);
  EXPECT_EQ(body.at("response_format").at("json_schema").at("schema").at("properties").at("evidence").at("enum"),
            (Json{"yes", "no"}));
  EXPECT_FALSE(body.contains("seed"));
}

TEST(OpenAiChat, WhatAServerRefusesIsLeftOut) {
  auto chosen = parameters();
  chosen.temperature = -1;
  chosen.completion_tokens_name = true;
  chosen.seed = 3;
  const auto body =
      parse_json(chat_body(Protocol::kOpenAi, prompt(), prompts::AnswerKind::kBinary, chosen, {true, true}));
  for (const auto* name : {"temperature", "max_tokens", "logprobs", "top_logprobs", "response_format"})
    EXPECT_FALSE(body.contains(name)) << name;
  EXPECT_EQ(body.at("max_completion_tokens"), 256);
  EXPECT_EQ(body.at("seed"), 3);
  chosen.structure = Structure::kVllm;
  EXPECT_TRUE(parse_json(chat_body(Protocol::kOpenAi, prompt(), prompts::AnswerKind::kBinary, chosen))
                  .at("structured_outputs")
                  .contains("json"));
}

TEST(Chat, FieldsOfTheUsersOwnAreAddedAndThoseOfTheProgramRefused) {
  auto chosen = parameters();
  chosen.extra_body = R"({"reasoning_effort": "low", "chat_template_kwargs": {"enable_thinking": false}})";
  for (const auto protocol : {Protocol::kOpenAi, Protocol::kAnthropic}) {
    const auto body = parse_json(chat_body(protocol, prompt(), prompts::AnswerKind::kBinary, chosen));
    EXPECT_EQ(body.at("reasoning_effort"), "low");
    EXPECT_EQ(body.at("chat_template_kwargs").at("enable_thinking"), false);
  }
  EXPECT_EQ(extra_body_problem(chosen.extra_body), "");
  for (const auto* text : {"", "x", "[]", "{", R"({"model": "other"})", R"({"stream": true})", R"({"a": "@user@"})"})
    EXPECT_NE(extra_body_problem(text), "") << text;
}

TEST(OpenAiChat, TextUsageAndTokensAreRead) {
  auto body = completion({{"role", "assistant"},
                          {"content", "{\"evidence\": \"yes\"}"},
                          {"refusal", nullptr},
                          {"reasoning_content", "hm 3"}});
  body["choices"][0]["logprobs"] = {
      {"content", {{{"token", "{"}, {"logprob", -0.1}, {"top_logprobs", {{{"token", "{"}, {"logprob", -0.1}}}}}}}};
  const auto reply = read(body);
  EXPECT_EQ(reply.state, JudgmentState::kJudged);
  EXPECT_EQ(reply.text, "{\"evidence\": \"yes\"}");
  ASSERT_TRUE(reply.usage);
  EXPECT_EQ(reply.usage->prompt, 90U);
  EXPECT_EQ(reply.usage->cached, 64U);
  EXPECT_EQ(reply.usage->reply, 5U);
  ASSERT_EQ(reply.tokens.size(), 1U);
  EXPECT_EQ(reply.tokens[0].alternatives.size(), 1U);
}

TEST(OpenAiChat, ContentInPartsIsJoined) {
  EXPECT_EQ(read(completion(
                     {{"content", {{{"type", "text"}, {"text", "{\"grade\""}}, {{"type", "text"}, {"text", ": 1}"}}}}}))
                .text,
            "{\"grade\": 1}");
  EXPECT_EQ(read(completion({{"content", {{{"type", "refusal"}, {"refusal", "no"}}}}})).state, JudgmentState::kRefused);
  EXPECT_EQ(read(completion({{"content", {{{"type", "image"}}}}})).state, JudgmentState::kUnparseable);
}

TEST(OpenAiChat, StatesAreToldApart) {
  const Json yes = {{"content", "{\"evidence\": \"yes\"}"}};
  EXPECT_EQ(read(completion(yes, nullptr)).state, JudgmentState::kJudged) << "some servers leave finish_reason null";
  EXPECT_EQ(read(completion(yes, "length")).state, JudgmentState::kLengthLimited);
  EXPECT_EQ(read(completion(yes, "content_filter")).state, JudgmentState::kFiltered);
  EXPECT_EQ(read(completion({{"content", nullptr}, {"refusal", "I will not"}})).state, JudgmentState::kRefused);
  EXPECT_EQ(read(completion({{"content", "{\"evidence\": \"yes\"}"}, {"refusal", true}})).state,
            JudgmentState::kRefused);
  EXPECT_EQ(read(completion({{"content", "{\"evidence\": \"yes\"}"}, {"refusal", false}})).state,
            JudgmentState::kJudged);
  EXPECT_EQ(read(completion({{"content", nullptr}})).state, JudgmentState::kUnparseable);
  EXPECT_EQ(read(completion(Json::object())).state, JudgmentState::kUnparseable);
  auto two = completion(yes);
  two["choices"].push_back(two["choices"][0]);
  EXPECT_EQ(read(two).state, JudgmentState::kUnparseable);
}

TEST(OpenAiChat, OnlyAReplyThatEndedByItselfIsAnAnswer) {
  const Json yes = {{"content", "{\"evidence\": \"yes\"}"}};
  for (const auto* word : {"stop", "eos", "eos_token", "end_turn", "STOP"})
    EXPECT_EQ(read(completion(yes, word)).state, JudgmentState::kJudged) << word;
  for (const auto* word : {"length", "max_tokens", "model_length"})
    EXPECT_EQ(read(completion(yes, word)).state, JudgmentState::kLengthLimited) << word;
  for (const auto* word : {"content_filter", "content_filter: RECITATION", "SAFETY", "PROHIBITED_CONTENT"})
    EXPECT_EQ(read(completion(yes, word)).state, JudgmentState::kFiltered) << word;
  for (const auto* word : {"tool_calls", "function_call"})
    EXPECT_EQ(read(completion(yes, word)).state, JudgmentState::kUnparseable) << word;
  for (const auto* word : {"error", "abort", "cancelled", "", "Stop", "stop ", "unknown\n\u202e"}) {
    const auto reply = read(completion(yes, word));
    EXPECT_EQ(reply.state, JudgmentState::kFailed) << word;
    EXPECT_EQ(reply.reason.find('\n'), std::string::npos);
  }
  EXPECT_EQ(read(completion(yes, 1)).state, JudgmentState::kFailed);
  EXPECT_EQ(read(completion(yes, Json{{"type", "stop"}})).state, JudgmentState::kFailed);
}

TEST(OpenAiChat, WhatSaysThatItIsSomethingElseIsNoAnswer) {
  const Json yes = {{"role", "assistant"}, {"content", "{\"evidence\": \"yes\"}"}};
  const auto state = [&](const std::function<void(Json&)>& change) {
    auto body = completion(yes);
    change(body);
    return read(body).state;
  };
  EXPECT_EQ(state([](Json&) {}), JudgmentState::kJudged);
  EXPECT_EQ(state([](Json& body) { body["choices"][0]["index"] = 1; }), JudgmentState::kFailed);
  EXPECT_EQ(state([](Json& body) { body["choices"][0]["index"] = "0"; }), JudgmentState::kFailed);
  EXPECT_EQ(state([](Json& body) { body["object"] = "chat.completion.chunk"; }), JudgmentState::kFailed);
  EXPECT_EQ(state([](Json& body) { body["object"] = "chat.completion"; }), JudgmentState::kJudged);
  EXPECT_EQ(state([](Json& body) { body["choices"][0]["message"]["role"] = "user"; }), JudgmentState::kFailed);
  EXPECT_EQ(state([](Json& body) { body["choices"][0]["error"] = {{"message", "x"}}; }), JudgmentState::kFailed);
  EXPECT_EQ(state([](Json& body) {
              body["choices"][0]["message"]["refusal"] = {{"a", "b"}};
            }),
            JudgmentState::kRefused);
  EXPECT_EQ(state([](Json& body) {
              body["choices"][0]["message"]["tool_calls"] = {{{"id", "a"}}};
            }),
            JudgmentState::kUnparseable);
  EXPECT_EQ(state([](Json& body) { body["promptFeedback"] = {{"blockReason", "SAFETY"}}; }), JudgmentState::kJudged);
  EXPECT_EQ(state([](Json& body) {
              body["choices"] = Json::array();
              body["promptFeedback"] = {{"blockReason", "SAFETY"}};
            }),
            JudgmentState::kFiltered);
}

TEST(OpenAiChat, TokensBeyondTheCompletionAreCountedWithTheReply) {
  auto body = completion({{"content", "x"}});
  body["usage"] = {{"prompt_tokens", 90}, {"completion_tokens", 5}, {"total_tokens", 400}};
  EXPECT_EQ(read(body).usage->reply, 310U);
  EXPECT_TRUE(read(body).usage->reply_counted);
  body["usage"] = {{"prompt_tokens", 90}};
  EXPECT_FALSE(read(body).usage->reply_counted);
}

TEST(OpenAiChat, WhatIsNoCompletionFailed) {
  for (const std::string body :
       {"", "hello", "[]", "{}", "{\"error\": {\"message\": \"overloaded\"}}", "{\"error\": \"no\"}",
        "{\"choices\": []}", "{\"choices\": [{}]}", "{\"choices\": [{\"message\": 1}]}", "data: {\"choices\": []}\n\n",
        "{\"choices\": [{\"message\":", "\xFF\xFE"}) {
    const auto reply = read_chat(Protocol::kOpenAi, body, true);
    EXPECT_EQ(reply.state, JudgmentState::kFailed) << body;
    EXPECT_FALSE(reply.reason.empty()) << body;
  }
  EXPECT_NE(read_chat(Protocol::kOpenAi, "{\"error\": {\"message\": \"overloaded\"}}", true).reason.find("overloaded"),
            std::string::npos);
  EXPECT_NE(read_chat(Protocol::kOpenAi, "data: {}", true).reason.find("streamed"), std::string::npos);
}

TEST(OpenAiChat, CountsThatCannotBeCountsAreNone) {
  const auto with = [](const Json& usage) {
    auto body = completion({{"content", "x"}});
    body["usage"] = usage;
    return read_chat(Protocol::kOpenAi, body.dump(), false).usage;
  };
  EXPECT_FALSE(with({{"prompt_tokens", 0}, {"completion_tokens", 0}}));
  EXPECT_FALSE(with({{"prompt_tokens", -5}}));
  EXPECT_FALSE(with({{"prompt_tokens", 18446744073709551615U}}));
  EXPECT_FALSE(with(nullptr));
  EXPECT_EQ(with({{"prompt_tokens", 9}, {"completion_tokens", 9223372036854775807}})->reply, 0U);
  EXPECT_EQ(with({{"prompt_tokens", 9}, {"prompt_tokens_details", {{"cached_tokens", 12}}}})->cached, 9U);
}

TEST(OpenAiChat, LlamaCppTellsCachedTokensBesideItsTimes) {
  auto body = completion({{"content", "x"}});
  body["usage"] = {{"prompt_tokens", 90}, {"completion_tokens", 7}};
  body["timings"] = {{"cache_n", 64}, {"prompt_n", 26}};
  EXPECT_EQ(read(body).usage->cached, 64U);
  body["usage"]["prompt_tokens_details"] = {{"cached_tokens", 60}};
  EXPECT_EQ(read(body).usage->cached, 60U);
}

TEST(OpenAiChat, AMessageWithoutTextSaysWhy) {
  const auto reason = [](const Json& message) {
    const auto reply = read(completion(message));
    EXPECT_EQ(reply.state, JudgmentState::kUnparseable);
    return reply.reason;
  };
  EXPECT_NE(reason({{"content", nullptr}, {"reasoning_content", "yes"}}).find("thought"), std::string::npos);
  EXPECT_NE(reason({{"content", ""}, {"reasoning", "yes"}}).find("thought"), std::string::npos);
  EXPECT_NE(reason({{"content", nullptr}, {"tool_calls", {{{"id", "a"}}}}}).find("tool"), std::string::npos);
  EXPECT_NE(reason({{"content", nullptr}, {"tool_calls", Json::array()}}).find("no text"), std::string::npos);
}

TEST(OpenAiChat, AFieldThatStandsTwiceIsNotChosenFrom) {
  for (const std::string body :
       {R"({"choices":[{"message":{"content":"no","content":"yes"},"finish_reason":"stop"}]})",
        R"({"choices":[{"message":{"content":"no"},"message":{"content":"yes"}}]})",
        R"({"choices":[{"message":{"content":"no"}}],"choices":[{"message":{"content":"yes"}}]})"}) {
    const auto reply = read_chat(Protocol::kOpenAi, body, false);
    EXPECT_EQ(reply.state, JudgmentState::kFailed) << body;
    EXPECT_NE(reply.reason.find("twice"), std::string::npos);
  }
}

TEST(OpenAiChat, BytesTellATokenThatIsNoWholeText) {
  auto body = completion({{"content", "ä"}});
  body["choices"][0]["logprobs"] = {{"content",
                                     {{{"token", "\uFFFD"},
                                       {"bytes", {195}},
                                       {"logprob", -0.1},
                                       {"top_logprobs", {{{"token", ""}, {"bytes", {195}}, {"logprob", -0.1}}}}},
                                      {{"token", "x"}, {"bytes", {164}}, {"logprob", -0.2}},
                                      {{"token", "end"}, {"bytes", nullptr}, {"logprob", -0.3}}}}};
  const auto tokens = read_chat(Protocol::kOpenAi, body.dump(), true).tokens;
  ASSERT_EQ(tokens.size(), 3U);
  EXPECT_EQ(tokens[0].token + tokens[1].token, "ä");
  EXPECT_EQ(tokens[0].alternatives.at(0).first, "\xC3");
  EXPECT_EQ(tokens[2].token, "end");
}

TEST(OpenAiChat, AMarkBeforeTheBodyAndMissingUsageAreBorne) {
  auto body = completion({{"content", "x"}});
  body.erase("usage");
  const auto reply = read_chat(Protocol::kOpenAi, "\xEF\xBB\xBF " + body.dump() + "\n", false);
  EXPECT_EQ(reply.state, JudgmentState::kJudged);
  EXPECT_FALSE(reply.usage);
}

TEST(Chat, ABareAnswerHasNoSchema) {
  for (const auto protocol : {Protocol::kOpenAi, Protocol::kAnthropic}) {
    for (const auto structure : {Structure::kJsonSchema, Structure::kVllm}) {
      auto asked = parameters();
      asked.structure = structure;
      const auto text = chat_body(protocol, prompt(), prompts::AnswerKind::kYesNo, asked);
      for (const auto* field : {"response_format", "structured_outputs", "output_config"})
        EXPECT_EQ(text.find(field), std::string::npos) << field;
    }
  }
}

TEST(AnthropicChat, ABodyMarksWhatTheServerShouldKeep) {
  const auto body = parse_json(chat_body(Protocol::kAnthropic, prompt(), prompts::AnswerKind::kGraded, parameters()));
  EXPECT_EQ(body.at("max_tokens"), 256);
  EXPECT_TRUE(body.at("system").at(0).contains("cache_control"));
  const auto& content = body.at("messages").at(0).at("content");
  EXPECT_EQ(content.at(0).at("text"), "List\n");
  EXPECT_TRUE(content.at(0).contains("cache_control"));
  EXPECT_EQ(content.at(1).at("text"), "Member\nPassage ä");
  EXPECT_FALSE(content.at(1).contains("cache_control"));
  EXPECT_FALSE(body.contains("logprobs"));
}

TEST(AnthropicChat, RepliesAreRead) {
  Json body = {
      {"type", "message"},
      {"content", {{{"type", "thinking"}, {"thinking", "2?"}}, {{"type", "text"}, {"text", "{\"grade\": 1}"}}}},
      {"stop_reason", "end_turn"},
      {"usage",
       {{"input_tokens", 10},
        {"cache_read_input_tokens", 70},
        {"cache_creation_input_tokens", 20},
        {"output_tokens", 4}}}};
  const auto read_it = [&] { return read_chat(Protocol::kAnthropic, body.dump(), false); };
  EXPECT_EQ(read_it().text, "{\"grade\": 1}");
  EXPECT_EQ(read_it().usage->prompt, 100U);
  EXPECT_EQ(read_it().usage->cached, 70U);
  EXPECT_EQ(read_it().usage->cache_written, 20U);
  body["stop_reason"] = "max_tokens";
  EXPECT_EQ(read_it().state, JudgmentState::kLengthLimited);
  for (const auto* word : {"pause_turn", "error", ""}) {
    body["stop_reason"] = word;
    EXPECT_EQ(read_it().state, JudgmentState::kFailed) << word;
  }
  body["stop_reason"] = "refusal";
  EXPECT_EQ(read_it().state, JudgmentState::kRefused);
  body["stop_reason"] = "end_turn";
  body["content"].push_back({{"type", "tool_use"}, {"id", "t1"}, {"name", "grade"}, {"input", Json::object()}});
  EXPECT_EQ(read_it().state, JudgmentState::kUnparseable) << "text beside the call of a tool";
  body["content"] = Json::array();
  EXPECT_EQ(read_it().state, JudgmentState::kUnparseable);
  EXPECT_EQ(
      read_chat(Protocol::kAnthropic, R"({"type":"error","error":{"type":"overloaded_error","message":"busy"}})", false)
          .state,
      JudgmentState::kFailed);
}

TEST(Chat, NamesOfOneModelDifferInMakerCaseAndOneVersion) {
  for (const auto& [asked, answered] :
       std::vector<std::pair<std::string, std::string>>{{"gpt-4o-mini", "gpt-4o-mini-2024-07-18"},
                                                        {"openai/gpt-4o-mini", "gpt-4o-mini"},
                                                        {"Qwen/Qwen3-8B", "qwen3-8b"},
                                                        {"llama3.1:8b", "llama3.1:8b"},
                                                        {"claude-sonnet-4-0", "claude-sonnet-4-20250514"},
                                                        {"m:latest", "m"}})
    EXPECT_TRUE(is_same_model(asked, answered)) << asked << " " << answered;
  for (const auto& [asked, answered] : std::vector<std::pair<std::string, std::string>>{
           {"gpt-4o", "gpt-4o-mini"}, {"llama3.1:8b", "llama3.1:70b"}, {"gpt-3.5", "gpt-4"}, {"m", ""}})
    EXPECT_FALSE(is_same_model(asked, answered)) << asked << " " << answered;
}

}  // namespace
}  // namespace touchstone::llm_client::providers
