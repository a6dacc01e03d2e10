#pragma once

#include "extractors/document.hpp"

#include <string>
#include <string_view>

namespace touchstone::extractors::html {

/// Takes the heading above all others out of the outline; what was in front of it and below it is the lead. Of several
/// headings of one level, the first one is above the others if the page has its title.
/// \param head_title  in the head of the page; may be empty
/// \return            the title; empty if no heading is above all others
std::string take_title(Document& document, std::string_view head_title);

}  // namespace touchstone::extractors::html
