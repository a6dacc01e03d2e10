#include "pipeline/corpus/passage_options.hpp"

namespace touchstone::pipeline::corpus {

std::vector<Option<PassagesOptions>> PassagesOptions::options() {
  using P = PassagesOptions;
  return {
      {"passages.scope", &P::scope, "Which part of an article is in the corpus: its lead section or all of it."},
      {"passages.granularity", &P::granularity,
       "What one passage is: a section (with scope lead: the lead), a paragraph, or a snippet of whole sentences."},
      {"passages.max_words", &P::max_words, between(10, 10000), "Snippets: most words in one."},
      {"passages.include_lists", &P::include_lists, "List items are text of a passage, like paragraphs."},
  };
}

}  // namespace touchstone::pipeline::corpus
