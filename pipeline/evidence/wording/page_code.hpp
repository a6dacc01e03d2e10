#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace touchstone::pipeline::evidence::wording {

/// Why a title or heading does not consist of words of a person: the code of a page ("APIReference/Memory", "init.d"),
/// the number of a version, the name of a file, leftover markup, a question or sentence, a script that the wiki's
/// language is never written in. Empty if it is. Pure.
std::string why_no_words(std::string_view text, std::string_view language);

/// Whether most letters of the text are of scripts that the language is never written in. Pure.
bool is_in_other_script(std::string_view text, std::string_view language);

/// The parts of a title between slashes. Pure.
std::vector<std::string_view> parts_of_title(std::string_view title);

/// The parts of a word that capitals join: "API" and "Reference" of "APIReference". One part for other words. Pure.
std::vector<std::string> parts_of_word(std::string_view word);

}  // namespace touchstone::pipeline::evidence::wording
