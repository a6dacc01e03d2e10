#include "pipeline/evidence/wording/function_words.hpp"

#include "common/unicode.hpp"

#include <algorithm>
#include <iterator>
#include <string>

namespace touchstone::pipeline::evidence::wording {
namespace {

struct FunctionWords {
  std::string_view language;
  std::string_view prepositions;  ///< a blank before and after each
  std::string_view others;        ///< articles and conjunctions, likewise
};
constexpr FunctionWords kFunctionWords[] = {
    {"en", " of in on at from for with by to under over near between within ", " a an the and or that which who "},
    {"de", " in im an am auf bei aus von vom zu zum zur mit ohne nach für über unter vor seit bis der des den dem um ",
     " die das ein eine einer eines einem einen und oder "},
    {"fr", " de du des d à au aux en dans sur sous par pour avec sans chez depuis entre l ",
     " le la les un une et ou "},
    {"es", " de del en a al por para con sin sobre bajo desde entre según ",
     " el la los las un una unos unas y e o u "},
    {"it", " di del della dei delle degli dell in nel nella nei nelle a al alla da dal dalla per con su sul sulla tra ",
     " il lo la i gli le l un uno una e ed o "},
    {"pt", " de do da dos das em no na nos nas a ao por para com sem sobre entre desde ", " o os as um uma e ou "},
    {"nl", " van in op aan bij met zonder uit naar voor over onder door te ten ter sinds ", " de het een en of "},
    {"sv", " i på av från med utan över under vid för till om efter ", " en ett den det de och eller "},
    {"da", " i på af fra med uden over under ved for til om efter ", " en et den det de og eller "},
    {"pl", " w we na z ze do od dla o po przy pod nad przez bez według ", " i oraz lub "},
    {"cs", " v ve na z ze do od pro o po při pod nad přes bez podle ", " a i nebo "},
    {"ru", " в во на с со из от для о по при под над без у к за ", " и или "},
    {"uk", " в у на з із зі від для о по при під над без до за ", " і й та або "},
    {"cy", " o yn yng ym ar at am i dan dros gan heb trwy wrth ", " y yr a ac neu "},
};

const FunctionWords* words_of(std::string_view language) {
  const auto base = language == "simple" ? "en" : language.substr(0, language.find('-'));
  const auto* found = std::find_if(std::begin(kFunctionWords), std::end(kFunctionWords),
                                   [&](const auto& known) { return known.language == base; });
  return found == std::end(kFunctionWords) ? nullptr : found;
}

bool holds(std::string_view words, std::string_view word) {
  return words.find(" " + lower_case(word) + " ") != std::string_view::npos;
}

}  // namespace

bool is_preposition(std::string_view language, std::string_view word) {
  const auto* words = words_of(language);
  return words != nullptr && holds(words->prepositions, word);
}

bool is_function_word(std::string_view language, std::string_view word) {
  const auto* words = words_of(language);
  return words != nullptr && (holds(words->prepositions, word) || holds(words->others, word));
}

bool has_function_words(std::string_view language) {
  return words_of(language) != nullptr;
}

}  // namespace touchstone::pipeline::evidence::wording
