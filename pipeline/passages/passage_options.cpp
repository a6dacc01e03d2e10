#include "pipeline/passages/passage_options.hpp"

namespace touchstone::pipeline::passages {

std::vector<Option<PassagesOptions>> PassagesOptions::options() {
  using P = PassagesOptions;
  constexpr double kGiB = 1024.0 * 1024 * 1024;
  return {
      {"passages.scope", &P::scope, "Part of an article that is in the corpus: its lead section, or all sections."},
      {"passages.granularity", &P::granularity,
       "Unit of a passage: a section (with scope lead: the lead), a paragraph, or a snippet of whole sentences."},
      {"passages.min_words", &P::min_words, between(0, 1000),
       "A text of fewer words is no passage. In scripts without blanks, two letters count as a word. 0: every text "
       "is."},
      {"passages.max_words", &P::max_words, between(0, 10000),
       "Highest number of words in a passage. Longer ones are cut at sentences. 0: 130 for snippets, 500 for all "
       "others."},
      {"passages.include_lists", &P::include_lists, "Include list items in the text of passages."},
      {"passages.max_link_share", &P::max_link_share, between(0, 1),
       "A text with a larger share of its letters in links is no passage. 1: every text is."},
      {"passages.max_number_share", &P::max_number_share, between(0, 1),
       "A text with a larger share of digits among its letters and digits is no passage. 1: every text is."},
      {"passages.max_property_share", &P::max_property_share, between(0, 1),
       "A text with a larger share of property names, identifiers and markup among its words is no passage. 1: every "
       "text is."},
      {"passages.keep_markup", &P::keep_markup,
       "Keep texts that are damaged: with markup that was not read, without the words that a template shows, cut off "
       "in "
       "front of a list, of code or links alone, signed comments. false: such a sentence is left out, and such a text "
       "is "
       "no passage."},
      {"passages.boilerplate_share", &P::boilerplate_share, between(0, 1),
       "Sentences on a larger share of all pages with text are boilerplate and are left out. 1: none is."},
      {"passages.boilerplate_pages", &P::boilerplate_pages, between(2, 1e9),
       "Lowest number of pages that make a sentence boilerplate."},
      {"passages.repeats", &P::repeats,
       "Passages that repeat another one, which replaces them: keep them all, fold those with exactly the same text, "
       "also those that are nearly the same (near), or also those that say the same of other pages or numbers "
       "(similar)."},
      {"passages.repeat_threshold", &P::repeat_threshold, between(0.1, 1),
       "Lowest overlap of the word bigrams of two passages that are nearly the same."},
      {"passages.memory_bytes", &P::memory_bytes, between(1 << 20, 256 * kGiB), OptionEffect::kNone,
       "Memory for finding passages that repeat others; the rest is spilled to the work directory."},
  };
}

}  // namespace touchstone::pipeline::passages
