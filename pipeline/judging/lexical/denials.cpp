#include "pipeline/judging/lexical/denials.hpp"

#include <algorithm>
#include <array>

namespace touchstone::pipeline::judging::lexical {
namespace {

constexpr std::size_t kReach = 4;

struct DenialWords {
  std::string_view stemmer, denials, ends;
};
constexpr auto kWords = std::to_array<DenialWords>(
    {{"english", "no not never neither nor isn wasn aren weren cannot", "but only just merely other"},
     {"german", "kein keine keinen keiner keines keinem nicht nie niemals", "sondern aber nur andere anderer anderes"},
     {"french", "pas ni aucun aucune jamais", "mais seulement autre"},
     {"spanish", "no ni nunca ningún ninguna", "sino pero solo otro otra"},
     {"portuguese", "não nem nunca nenhum nenhuma", "mas só apenas outro outra"},
     {"italian", "non né mai nessun nessuna", "ma solo altro altra"},
     {"dutch", "geen niet nooit", "maar alleen ander andere"},
     {"swedish", "inte ingen inget inga aldrig", "men endast annan annat"},
     {"danish", "ikke ingen intet aldrig", "men kun anden andet"},
     {"norwegian", "ikke ingen intet aldri", "men bare annen annet"},
     {"russian", "не ни нет", "а но только другой другая другое"}});

StemSet stems_of(std::string_view words, std::string_view stemmer) {
  StemSet stems;
  for (auto& term : corpus::TermSplitter(stemmer).split(words)) stems.insert(std::move(term.stem));
  return stems;
}

}  // namespace

Denials::Denials(std::string_view stemmer) {
  const auto known =
      std::find_if(kWords.begin(), kWords.end(), [&](const auto& language) { return language.stemmer == stemmer; });
  if (known == kWords.end()) return;
  denials_ = stems_of(known->denials, stemmer);
  ends_ = stems_of(known->ends, stemmer);
}

std::vector<bool> Denials::denied(const std::vector<corpus::Term>& terms) const {
  std::vector<bool> denied(terms.size(), false);
  std::size_t left = 0;
  for (std::size_t i = 0; i < terms.size(); ++i) {
    if (i > 0 && terms[i].sentence != terms[i - 1].sentence) left = 0;
    if (denials_.contains(terms[i].stem)) {
      left = kReach;
    } else if (ends_.contains(terms[i].stem)) {
      left = 0;
    } else if (left > 0) {
      denied[i] = true;
      --left;
    }
  }
  return denied;
}

}  // namespace touchstone::pipeline::judging::lexical
