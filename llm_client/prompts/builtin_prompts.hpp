#pragma once

#include <span>
#include <string_view>

namespace touchstone::llm_client::prompts::internal {

/// A prompt of configs/prompts/, compiled in.
struct BuiltinPrompt {
  std::string_view name, text;
};
std::span<const BuiltinPrompt> builtin_prompts();

}  // namespace touchstone::llm_client::prompts::internal
