#pragma once

#include <string_view>

namespace touchstone::pipeline::evidence::wording {

/// Whether a word is a preposition of the language: "in", "von", "de". False where the language's are not known.
/// Variants ("de-at") have those of their language.
bool is_preposition(std::string_view language, std::string_view word);

/// Whether a word is a preposition, an article or a conjunction of the language, and so tells no topic.
bool is_function_word(std::string_view language, std::string_view word);

/// Whether the function words of the language are known.
bool has_function_words(std::string_view language);

}  // namespace touchstone::pipeline::evidence::wording
