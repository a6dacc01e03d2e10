#pragma once

#include <string>
#include <string_view>

namespace touchstone::llm_client::prompts {

/// Text of a wiki as it goes into a prompt, where it must be nothing but text: it can neither end the tags or the line
/// that it is in, nor be read as a mark of a chat template. One code point gives one code point, so that offsets
/// stay true, and inert text stays as it is:
/// - Control characters, line and paragraph separators, and the invisible tag characters become blanks.
/// - Less-than and greater-than signs become single guillemets: <|im_start|>, <start_of_turn>, <<SYS>>, </passage>.
/// - Square brackets become round ones: [INST], [gMASK].
/// - Forms of these that normalisation folds (full-width, small, vertical) go the same way, and so do white triangles,
///   which some models have in the place of the signs.
/// - Number signs in a row become sharps: ### Instruction:, ##final score.
/// - The colon behind a word for a role becomes the letter colon U+A789: Human:, ASSISTANT:.
/// Pure and thread-safe.
/// Sources: the chat templates of Llama 2 to 4, Mistral, ChatML (Qwen, Yi, gpt-oss), Gemma, Phi, Command R, DeepSeek,
/// GLM, EXAONE, Kimi, Zephyr, Vicuna and Alpaca models, and Anthropic's text completions (read 2026-11).
/// \param text  well-formed UTF-8
std::string inert_text(std::string_view text);

}  // namespace touchstone::llm_client::prompts
