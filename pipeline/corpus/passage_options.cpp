#include "pipeline/corpus/passage_options.hpp"

namespace touchstone::pipeline::corpus {

std::vector<Option<PassagesOptions>> PassagesOptions::options() {
  using P = PassagesOptions;
  return {
      {"passages.scope", &P::scope, "Part of an article that is in the corpus: its lead section, or all sections."},
      {"passages.granularity", &P::granularity,
       "Unit of a passage: a section (with scope lead: the lead), a paragraph, or a snippet of whole sentences."},
      {"passages.max_words", &P::max_words, between(10, 10000), "Highest number of words in a snippet."},
      {"passages.include_lists", &P::include_lists, "Include list items in the text of passages."},
  };
}

}  // namespace touchstone::pipeline::corpus
