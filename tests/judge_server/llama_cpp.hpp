#pragma once

#include "tests/judge_server/answers.hpp"
#include "tests/judge_server/routes.hpp"

#include <string>

namespace touchstone::judge_server {

/// The server plays llama.cpp's, in the shapes of its replies. Source: tools/server of ggml-org/llama.cpp (read
/// 2026-11): error codes are numbers, `timings` beside `usage`, tokens with ids and bytes, log-probabilities of the
/// model without the grammar, a model's own name whatever was asked for.

/// Answers a chat request as llama.cpp refuses it: while the model is loaded, without the key, when it is not a
/// request, or has more tokens than the context. False when it does not.
bool refuse_as_llama_cpp(const httplib::Request& request, httplib::Response& response, const ServerOptions& options);

/// A chat completion.
std::string llama_cpp_reply(const Json& request, const Flaws& flaws, const ServerOptions& options);

/// Models, tokenizer, template, properties, health, and what else answers 404. To be called before the other routes are
/// added, which it goes before.
void add_llama_cpp_routes(httplib::Server& server, Ledger& ledger, const ServerOptions& options);

}  // namespace touchstone::judge_server
