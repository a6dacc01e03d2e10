#include "pipeline/evidence/phrase_options.hpp"

namespace touchstone::pipeline::evidence {

std::vector<Option<PhraseOptions>> PhraseOptions::options() {
  return {
      {"phrase.source", &PhraseOptions::source,
       "What words the queries: template (titles and headings), judge (the judge's model; what it words badly keeps "
       "the "
       "template's words), or auto: the model where the judge is one."},
      {"phrase.prompt", &PhraseOptions::prompt, OptionEffect::kRemembered,
       "Prompt for the judge's model: query, dmerit-query, or a prompt file."},
      {"phrase.subject", &PhraseOptions::subject,
       "What the wiki is about, added to keyword queries of one or two words, which may mean nothing outside the wiki: "
       "\"Openmoko\". "
       "Empty: nothing is added."},
      {"phrase.review", &PhraseOptions::review,
       "File in which a person decided which topics to keep, drop or reword (queries-review.tsv). Empty: no review."},
  };
}

}  // namespace touchstone::pipeline::evidence
