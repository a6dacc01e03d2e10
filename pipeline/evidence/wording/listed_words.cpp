#include "pipeline/evidence/wording/listed_words.hpp"

#include "common/unicode.hpp"

#include <algorithm>
#include <iterator>

#include <unicode/uchar.h>

namespace touchstone::pipeline::evidence::wording {
namespace {

/// Words for "list" after which a noun is as it is alone; with a leading '*', those that end a title. The longest
/// counts, so that articles go with it.
struct ListWords {
  std::string_view language, words;
};
constexpr ListWords kListWords[] = {
    {"de", "Liste der "},  {"fr", "Liste des "},    {"fr", "Liste de la "},  {"fr", "Liste de l'"},
    {"fr", "Liste de l’"}, {"fr", "Liste de "},     {"fr", "Liste du "},     {"fr", "Liste d'"},
    {"fr", "Liste d’"},    {"es", "Lista de los "}, {"es", "Lista de las "}, {"es", "Lista de la "},
    {"es", "Lista de "},   {"es", "Listas de "},    {"es", "Lista del "},    {"es", "Anexo:"},
    {"it", "Lista dei "},  {"it", "Lista delle "},  {"it", "Lista degli "},  {"it", "Lista di "},
    {"it", "Elenco dei "}, {"it", "Elenco delle "}, {"it", "Elenco degli "}, {"it", "Elenco di "},
    {"pt", "Lista de "},   {"pt", "Lista dos "},    {"pt", "Lista das "},    {"pt", "Lista do "},
    {"pt", "Lista da "},   {"pt", "Anexo:"},        {"nl", "Lijst van de "}, {"nl", "Lijst van het "},
    {"nl", "Lijst van "},  {"nl", "Lijst met "},    {"sv", "Lista över "},   {"da", "Liste over "},
    {"no", "Liste over "}, {"nb", "Liste over "},   {"nn", "Liste over "},   {"ro", "Listă de "},
    {"tr", "* listesi"},   {"ja", "*の一覧"},       {"ja", "*一覧"},         {"zh", "*列表"},
};

std::string_view without(std::string_view title, std::string_view words) {
  if (!words.starts_with('*')) return title.starts_with(words) ? title.substr(words.size()) : std::string_view();
  words.remove_prefix(1);
  return title.ends_with(words) ? title.substr(0, title.size() - words.size()) : std::string_view();
}

/// German: after "Liste der" a noun is as it is alone; an adjective, or a noun that is inflected like one, is not.
bool is_german_noun(std::string_view listed) {
  std::size_t at = 0;
  if (u_isupper(static_cast<UChar32>(next_code_point(listed, at))) == 0) return false;
  constexpr std::string_view kLikeAdjectives[] = {"ordneten", "igen",      "enden",   "ierten",    "sandten",
                                                  "amten",    "allenen",   "wandten", "Toten",     "Kranken",
                                                  "Adligen",  "Deutschen", "letzten", "storbenen", "borenen"};
  const auto word = listed.substr(0, listed.find(' '));
  return std::none_of(std::begin(kLikeAdjectives), std::end(kLikeAdjectives),
                      [&](std::string_view ending) { return word.ends_with(ending); });
}

}  // namespace

std::string listed_as_it_stands(std::string_view title, std::string_view language) {
  const auto base = language.substr(0, language.find('-'));
  std::string_view listed, by;
  for (const auto& known : kListWords) {
    if (known.language != base || known.words.size() <= by.size()) continue;
    if (const auto rest = without(title, known.words); !rest.empty()) {
      listed = rest;
      by = known.words;
    }
  }
  if (base == "de" && !listed.empty() && !is_german_noun(listed)) return {};
  if (by.ends_with(':')) {
    if (auto inner = listed_as_it_stands(listed, language); !inner.empty()) return inner;
  }
  return std::string(listed);
}

}  // namespace touchstone::pipeline::evidence::wording
