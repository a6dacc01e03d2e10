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

/// Languages that put the words that narrow a noun in front of it.
constexpr std::string_view kNounLast = " en simple de nl sv da no nb nn fi hu tr et ja zh ko lv ltg lt ";
constexpr std::string_view kConjunctions =
    " and or und oder et ou y o e и или і та ja en och og eller a i lub nebo un ";

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

std::vector<std::string> subject_nouns(corpus::TermSplitter& splitter, std::string_view language,
                                       std::string_view subject) {
  const auto base = language.substr(0, language.find('-'));
  const bool noun_last = kNounLast.find(" " + std::string(base) + " ") != std::string_view::npos;
  std::vector<std::string> nouns;
  ByteCounter positions(subject);
  std::size_t last_end = 0;
  bool joined = true;  // with what is before it
  for (auto& term : splitter.split(subject)) {
    const auto begin = positions.at_code_point(term.begin);
    const auto between = subject.substr(last_end, begin - last_end);
    last_end = positions.at_code_point(term.end);
    const auto word = lower_case(subject.substr(begin, last_end - begin));
    joined |= between.find_first_of("/,(&") != std::string_view::npos;
    if (kConjunctions.find(" " + word + " ") != std::string_view::npos) {
      joined = true;
    } else if (splitter.is_stop_word(term.stem) || is_preposition(language, word)) {
      if (!nouns.empty()) break;
    } else {
      if (noun_last && !joined && !nouns.empty()) nouns.pop_back();
      nouns.push_back(std::move(term.stem));
      joined = false;
    }
  }
  return nouns;
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
