#include "pipeline/passages/near_duplicates/near_duplicate_options.hpp"

namespace touchstone::pipeline::passages::near_duplicates {

std::vector<Option<NearDuplicatesOptions>> NearDuplicatesOptions::options() {
  using N = NearDuplicatesOptions;
  constexpr double kGiB = 1024.0 * 1024 * 1024;
  return {
      {"near_duplicates.enabled", &N::enabled,
       "Replace near-duplicate paragraphs by the first of their group. false: keep all paragraphs, equal ones too."},
      {"near_duplicates.threshold", &N::threshold, between(0.1, 1),
       "Lowest overlap of the word bigrams of two near-duplicates. Published: 0.5."},
      {"near_duplicates.measure", &N::measure,
       "How the overlap is computed: shared bigrams as a share of all bigrams of both (jaccard), of their mean number "
       "(dice), or of those of the shorter paragraph (containment)."},
      {"near_duplicates.keep_facts", &N::keep_facts,
       "Never take texts for near-duplicates that differ in a number, in the target of a link, or in words of their "
       "pages' titles, such as stubs of one pattern about different places. false: the overlap alone decides, as "
       "published."},
      {"near_duplicates.vectors", &N::vectors,
       "File of word vectors in GloVe's text format. With it, random hyperplanes over summed word vectors propose the "
       "pairs that are compared. Empty: MinHash over word bigrams proposes them."},
      {"near_duplicates.seed", &N::seed, "Seed of the hash functions and hyperplanes that propose pairs."},
      {"near_duplicates.memory_bytes", &N::memory_bytes, between(1 << 20, 256 * kGiB), OptionEffect::kNone,
       "Memory for finding near-duplicates; the rest is spilled to the work directory."},
  };
}

}  // namespace touchstone::pipeline::passages::near_duplicates
