#include "pipeline/evidence/phrase_options.hpp"

namespace touchstone::pipeline::evidence {

std::vector<Option<PhraseOptions>> PhraseOptions::options() {
  return {
      {"phrase.source", &PhraseOptions::source, "What writes the queries: a template, or the judge's model."},
      {"phrase.prompt", &PhraseOptions::prompt, OptionEffect::kRemembered,
       "Prompt for the judge's model: query, dmerit-query, or a prompt file."},
  };
}

}  // namespace touchstone::pipeline::evidence
