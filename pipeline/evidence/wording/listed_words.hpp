#pragma once

#include <string>
#include <string_view>

namespace touchstone::pipeline::evidence::wording {

/// What the title of a list page lists, where the words are right without the word for "list": "Burgen in Hessen" of
/// "Liste der Burgen in Hessen", "城" of "城の一覧". Empty for other titles, for languages that are not known, and
/// where the words would have the wrong case: "Liste der höchsten Berge", "Список озёр". Not for English, whose lists
/// have their own rules. Pure.
std::string listed_as_it_stands(std::string_view title, std::string_view language);

}  // namespace touchstone::pipeline::evidence::wording
