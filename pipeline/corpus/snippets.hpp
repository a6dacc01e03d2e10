#pragma once

#include "pipeline/corpus/passages.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace touchstone::pipeline::corpus {

/// Cuts a passage into snippets of whole sentences, each of at most `max_words` words; a sentence longer than that is
/// cut at blanks. Links that straddle a cut are left out. Thread-safe.
/// \param ordinal  of the first snippet; afterwards that of the snippet after the last
/// Source: sentences as Unicode Standard Annex 29 defines them, by ICU's root locale.
std::vector<Passage> cut_snippets(const Passage& whole, std::size_t max_words, std::uint32_t& ordinal);

}  // namespace touchstone::pipeline::corpus
