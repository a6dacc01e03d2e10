#pragma once

#include "pipeline/passages/passage.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace touchstone::pipeline::passages {

/// Cuts a passage into passages of whole sentences, each of at most `max_words` words; a sentence longer than that is
/// cut at blanks. Links that straddle a cut are left out. Thread-safe.
/// \param min_words  the last passage takes sentences over from the one before it until it has as many, where it can
/// \param step       from one ordinal to the next; the first is that of `whole`
/// Source: sentences as Unicode Standard Annex 29 defines them, by ICU's root locale.
std::vector<Passage> cut_at_sentences(const Passage& whole, std::size_t max_words, std::size_t min_words,
                                      std::uint32_t step);

}  // namespace touchstone::pipeline::passages
