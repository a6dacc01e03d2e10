#include "pipeline/corpus/boilerplate.hpp"

#include "common/digest.hpp"
#include "pipeline/corpus/sentences.hpp"

namespace touchstone::pipeline::corpus {

std::uint64_t sentence_hash(std::string_view sentence) {
  return xxh3_64(without_blanks(sentence));
}

void strip_boilerplate(const Boilerplate& boilerplate, storage::ParagraphRecord& paragraph,
                       const std::function<void(std::string_view sentence)>& taken) {
  if (boilerplate.empty()) return;
  strip_sentences(paragraph, [&](std::string_view sentence, std::uint32_t, std::uint32_t) {
    const bool goes = boilerplate.contains(sentence_hash(sentence));
    if (goes) taken(without_blanks(sentence));
    return goes;
  });
}

}  // namespace touchstone::pipeline::corpus
