#pragma once

#include "retrieval/document.hpp"
#include "retrieval/index.hpp"

#include <cstddef>

/// Rankings by links between pages. Pure; thread-safe. Equal scores are ordered by docid in byte order.
namespace touchstone::retrieval {

/// The documents of `by_words`, by the sum of two numbers from 0 to 1: the score of the words over the best one, and
/// log(1 + texts that link to the document's page), over that of the page that most link to. Of several pages of a
/// document, the one that most link to counts.
Ranking rank_by_inlinks(const Index& index, const Ranking& by_words, std::size_t depth);

/// Documents of pages that are linked together with the pages of the first 10 of `by_words`, which are taken as
/// relevant without looking at judgments. A text with n links that links to one of these pages adds 1/n to each page it
/// links to. A document has the number of its best page over that of the best page of all, and half the score of the
/// words over the best one. Source of the idea: H. Small, Co-citation in the scientific literature, JASIS 1973.
Ranking rank_by_cocitation(const Index& index, const Ranking& by_words, std::size_t depth);

}  // namespace touchstone::retrieval
