#pragma once

#include <string>
#include <string_view>

namespace touchstone::judge_server {

/// A text as it may be between quotation marks in JSON, in one of the forms in which a server may echo it: plain,
/// upper, slash (`\\/`), unicode, percent, percent_twice, html, hex, base64, base64_1 and base64_2 (one and two bytes
/// ahead).
std::string echoed(std::string_view text, std::string_view form);

/// The body of a reply with `key` in it beside the answer. Besides the forms above: parts (in two parts of the
/// content), tokens (in the tokens of the log-probabilities), stream (in the events of a stream).
void echo_beside(std::string_view key, std::string_view form, std::string& body);

/// Likewise as a field of the answer, which makes it none.
void echo_as_answer(std::string_view key, std::string_view form, std::string& body);

}  // namespace touchstone::judge_server
