#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

namespace touchstone::judge_server {

using Json = nlohmann::ordered_json;

enum class Api { kOpenAi, kAnthropic };

/// Ways of answering with status 200 that are not quite right. Empty fields: the right way.
struct Flaws {
  bool ignore_schema = false;  ///< prose with digits and a yes in it instead of JSON
  bool no_logprobs = false;    ///< none, although asked for
  bool no_usage = false;
  bool refuse = false;               ///< the model declines
  bool content_filter = false;       ///< the provider withholds the reply
  bool length_limited = false;       ///< the text ends in the middle
  bool fenced = false;               ///< JSON between ``` lines
  bool empty = false;                ///< a message without content
  std::string answer;                ///< this text instead of the answer; empty: the answer
  std::uint64_t context_tokens = 0;  ///< longer prompts are cut to it without a word; 0: never
};

/// The texts of all messages of a request, joined; what an answer follows from. Empty when there is none.
std::string prompt_text(const Json& request);

/// About four bytes a token, as the tokenizer endpoints count too.
std::uint64_t count_tokens(std::string_view text);

/// Tokens of four bytes, with made-up numbers.
Json token_numbers(const std::string& text);

/// What a perfect model answers to the prompt, always the same for the same texts: one JSON object in the form that the
/// request's schema asks for or, without one, the prompt's words; the bare word or line that published prompts ask for.
/// A third of the answers is "yes".
std::string right_answer(const Json& request);

/// The answer cut into tokens as models do: words, and signs between them.
std::vector<std::string> tokens_of(std::string_view text);

/// A whole reply: a chat completion or a message.
std::string reply_body(Api api, const Json& request, const Flaws& flaws);

/// An error body in the API's form.
std::string error_body(Api api, std::string_view type, std::string_view code, std::string_view message);

}  // namespace touchstone::judge_server
