#include "pipeline/judging/lexical/denials.hpp"

#include "common/unicode.hpp"

#include <algorithm>
#include <array>

namespace touchstone::pipeline::judging::lexical {
namespace {

constexpr std::size_t kReach = 6;

struct DenialWords {
  std::string_view stemmer, denials, ends, conditions;
};
constexpr auto kDenialWords = std::to_array<DenialWords>(
    {{"english", "no not never neither nor isn wasn aren weren cannot", "but only just merely other", "if unless"},
     {"german", "kein keine keinen keiner keines keinem nicht nie niemals", "sondern aber nur andere anderer anderes",
      "wenn falls ob"},
     {"french", "pas ni aucun aucune jamais", "mais seulement autre", "si"},
     {"spanish", "no ni nunca ningún ninguna", "sino pero solo otro otra", "si"},
     {"portuguese", "não nem nunca nenhum nenhuma", "mas só apenas outro outra", "se"},
     {"italian", "non né mai nessun nessuna", "ma solo altro altra", "se"},
     {"dutch", "geen niet nooit", "maar alleen ander andere", "als indien"},
     {"swedish", "inte ingen inget inga aldrig", "men endast annan annat", "om ifall"},
     {"danish", "ikke ingen intet aldrig", "men kun anden andet", "hvis"},
     {"norwegian", "ikke ingen intet aldri", "men bare annen annet", "hvis"},
     {"russian", "не ни нет", "а но только другой другая другое", "если"}});

StemSet stems_of(std::string_view words, std::string_view stemmer) {
  StemSet stems;
  for (auto& term : text::TermSplitter(stemmer).split(words)) stems.insert(std::move(term.stem));
  return stems;
}

}  // namespace

Denials::Denials(std::string_view stemmer) {
  const auto known = std::find_if(kDenialWords.begin(), kDenialWords.end(),
                                  [&](const auto& language) { return language.stemmer == stemmer; });
  if (known == kDenialWords.end()) return;
  denials_ = stems_of(known->denials, stemmer);
  ends_ = stems_of(known->ends, stemmer);
  conditions_ = stems_of(known->conditions, stemmer);
}

std::vector<bool> Denials::denied(const std::vector<text::Term>& terms, std::string_view text) const {
  std::vector<bool> denied(terms.size(), false);
  ByteCounter bytes(text);
  std::size_t left = 0, first = 0;  // words still denied; the first term of the sentence
  bool in_condition = false;
  for (std::size_t i = 0; i < terms.size(); ++i) {
    if (i == 0 || terms[i].sentence != terms[i - 1].sentence) {
      left = 0;
      first = i;
      in_condition = conditions_.contains(terms[i].stem);
    }
    if (denials_.contains(terms[i].stem)) {
      left = kReach;
    } else if (ends_.contains(terms[i].stem)) {
      left = 0;
    } else if (left > 0) {
      denied[i] = true;
      --left;
    }
    denied[i] = denied[i] || in_condition;
    const auto begin = bytes.at_code_point(terms[i].end);
    const auto end = i + 1 < terms.size() ? bytes.at_code_point(terms[i + 1].begin) : text.size();
    const auto signs = text.substr(begin, end - begin);
    if (signs.find_first_of(",;:()") != std::string_view::npos) {
      left = 0;
      in_condition = false;
    }
    if (signs.find('?') != std::string_view::npos)
      std::fill(denied.begin() + static_cast<std::ptrdiff_t>(first),
                denied.begin() + static_cast<std::ptrdiff_t>(i + 1), true);
  }
  return denied;
}

}  // namespace touchstone::pipeline::judging::lexical
