#include "linking/linker_options.hpp"

namespace touchstone::linking {

std::vector<Option<LinkerOptions>> LinkerOptions::options() {
  using L = LinkerOptions;
  return {
      {"linker.disambiguation", &L::disambiguation,
       "How the meaning of a phrase is chosen: \"voting\" by what the phrases around it mean, \"prior\" by the number "
       "of "
       "links alone, which is a baseline."},
      {"linker.min_link_probability", &L::min_link_probability, between(0, 1),
       "Phrases that are a link on a smaller share of the pages that have them are left out."},
      {"linker.min_commonness", &L::min_commonness, between(0, 1),
       "Meanings that a smaller share of a phrase's links has are left out."},
      {"linker.max_meanings", &L::max_meanings, between(1, 100), "Most meanings of a phrase that are considered."},
      {"linker.voters", &L::voters, between(0, 1000),
       "Number of other phrases, the nearest ones, that vote on the meaning of a phrase."},
      {"linker.near_best", &L::near_best, between(0, 1),
       "Meanings whose votes are less than this share below the best are equally good; the most common of them is "
       "chosen."},
      {"linker.min_score", &L::min_score, between(0, 1),
       "Links with a lower score are left out: the mean of the link probability and the coherence with the links "
       "around. Raise it for fewer and safer links."},
  };
}

}  // namespace touchstone::linking
