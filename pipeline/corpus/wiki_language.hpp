#pragma once

#include "pipeline/headings/wiki_language.hpp"

namespace touchstone::pipeline::corpus {

// What texts of a language need is known in the room of headings, which this one uses.
using headings::list_prefixes;
using headings::stemmer_name;

}  // namespace touchstone::pipeline::corpus
