#pragma once

#include <string>
#include <string_view>

namespace touchstone::pipeline::evidence::wording {

/// What a wiki is about by its name, without the words for what it is: "Emberfall" of "Emberfall Wiki", "Valmer" of
/// "Wiki du Valmer". Empty for general encyclopedias, and where nothing that looks like a name is left. Pure.
std::string wiki_subject(std::string_view site_name);

}  // namespace touchstone::pipeline::evidence::wording
