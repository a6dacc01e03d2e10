#include "pipeline/evidence/subject_noun.hpp"

#include "common/unicode.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace touchstone::pipeline::evidence {
namespace {

struct Prepositions {
  std::string_view language;
  std::string_view words;  ///< a blank before and after each
};
/// Prepositions and the articles that begin what follows a noun.
constexpr Prepositions kPrepositions[] = {
    {"de", " in im an am auf bei aus von vom zu zum zur mit ohne nach für über unter vor seit bis der des den dem um "},
    {"fr", " de du des d à au aux en dans sur sous par pour avec sans chez depuis entre l "},
    {"es", " de del en a al por para con sin sobre bajo desde entre según "},
    {"it",
     " di del della dei delle degli dell in nel nella nei nelle a al alla da dal dalla per con su sul sulla tra "},
    {"pt", " de do da dos das em no na nos nas a ao por para com sem sobre entre desde "},
    {"nl", " van in op aan bij met zonder uit naar voor over onder door te ten ter sinds "},
    {"sv", " i på av från med utan över under vid för till om efter "},
    {"da", " i på af fra med uden over under ved for til om efter "},
    {"pl", " w we na z ze do od dla o po przy pod nad przez bez według "},
    {"cs", " v ve na z ze do od pro o po při pod nad přes bez podle "},
    {"ru", " в во на с со из от для о по при под над без у к за "},
    {"uk", " в у на з із зі від для о по при під над без до за "},
};

bool is_preposition(std::string_view language, std::string_view word) {
  const auto base = language.substr(0, language.find('-'));
  const auto* found = std::find_if(std::begin(kPrepositions), std::end(kPrepositions),
                                   [&](const auto& known) { return known.language == base; });
  return found != std::end(kPrepositions) && found->words.find(" " + lower_case(word) + " ") != std::string_view::npos;
}

}  // namespace

std::string subject_noun(corpus::TermSplitter& splitter, std::string_view language, std::string_view subject) {
  std::string noun;
  ByteCounter positions(subject);
  for (auto& term : splitter.split(subject)) {
    const auto begin = positions.at_code_point(term.begin);
    const auto word = subject.substr(begin, positions.at_code_point(term.end) - begin);
    const bool ends = splitter.is_stop_word(term.stem) || is_preposition(language, word);
    if (ends && !noun.empty()) break;
    if (!ends) noun = std::move(term.stem);
  }
  return noun;
}

bool is_same_noun(const std::string& stem, const std::string& other, bool has_stemmer) {
  if (stem == other) return !stem.empty();
  if (has_stemmer) return false;
  constexpr std::size_t kEnding = 2, kLeast = 2;
  const auto shared = static_cast<std::size_t>(
      std::mismatch(stem.begin(), stem.end(), other.begin(), other.end()).first - stem.begin());
  return shared >= kLeast && stem.size() - shared <= kEnding && other.size() - shared <= kEnding &&
         shared * 2 >= std::max(stem.size(), other.size());
}

}  // namespace touchstone::pipeline::evidence
