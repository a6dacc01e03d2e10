#include "pipeline/corpus/wiki_language.hpp"

namespace touchstone::pipeline::corpus {
namespace {

struct Language {
  std::string_view code, stemmer;
  std::vector<std::string> list_prefixes, disambiguation_templates;
};

// Sources: the Wikipedias' own conventions for list titles and their main disambiguation templates with synonyms.
const std::vector<Language>& languages() {
  static const std::vector<Language> table = {
      {"en",
       "english",
       {"List of", "Lists of"},
       {"Disambiguation", "Disambig", "Disamb", "Dab", "Hndis", "Human name disambiguation", "Geodis",
        "Place name disambiguation", "Airport disambiguation", "Letter-number combination disambiguation",
        "Mil-unit-dis", "Numberdis", "School disambiguation"}},
      {"simple", "english", {"List of", "Lists of"}, {"Disambiguation", "Disambig", "Dab"}},
      {"de", "german", {"Liste der", "Liste von", "Liste des", "Listen der", "Liste"}, {"Begriffsklärung"}},
      {"fr",
       "french",
       {"Liste de", "Liste des", "Liste du", "Liste d'", "Liste d’"},
       {"Homonymie", "Patronymie", "Toponymie"}},
      {"es", "spanish", {"Anexo:", "Lista de", "Listas de"}, {"Desambiguación", "Desambiguacion"}},
      {"it", "italian", {"Lista di", "Lista dei", "Lista delle", "Lista degli", "Elenco"}, {"Disambigua"}},
      {"pt", "portuguese", {"Lista de", "Lista dos", "Lista das", "Anexo:"}, {"Desambiguação"}},
      {"nl", "dutch", {"Lijst van", "Lijst met"}, {"Dp", "Doorverwijspagina"}},
      {"sv", "swedish", {"Lista över"}, {"Gren", "Förgrening", "Grensida"}},
      {"da", "danish", {"Liste over"}, {"Flertydig"}},
      {"no", "norwegian", {"Liste over"}, {"Peker"}},
      {"nn", "norwegian", {"Liste over"}, {"Fleirtyding"}},
      {"fi", "finnish", {"Luettelo"}, {"Täsmennyssivu"}},
      {"hu", "hungarian", {"*listája"}, {"Egyért"}},
      {"ro", "romanian", {"Lista", "Listă de"}, {"Dezambiguizare"}},
      {"ru", "russian", {"Список"}, {"Неоднозначность", "Disambig"}},
      {"tr", "turkish", {"*listesi"}, {"Anlam ayrımı"}},
      {"pl", "", {"Lista"}, {"Ujednoznacznienie"}},
      {"cs", "", {"Seznam"}, {"Rozcestník"}},
      {"uk", "", {"Список"}, {"Неоднозначність", "Disambig"}},
      {"ja", "", {"*一覧"}, {"Aimai", "曖昧さ回避"}},
      {"zh", "", {"*列表"}, {"Disambig", "消歧义", "消歧義"}},
      {"lv", "", {"*saraksts", "*uzskaitījums"}, {"Nozīmju atdalīšana", "Disambig"}},
      {"ltg", "", {"*saroksts"}, {"Nūzeimu atdaleišona", "Disambig"}},
  };
  return table;
}

const Language* find(std::string_view code) {
  for (const auto& language : languages()) {
    if (language.code == code) return &language;
  }
  const auto dash = code.find('-');
  return dash == std::string_view::npos ? nullptr : find(code.substr(0, dash));
}

const Language& english() {
  return languages().front();
}

}  // namespace

std::vector<std::string> list_prefixes(std::string_view language) {
  const auto* found = find(language);
  return (found == nullptr || found->list_prefixes.empty() ? english() : *found).list_prefixes;
}

std::vector<std::string> disambiguation_templates(std::string_view language) {
  const auto* found = find(language);
  return (found == nullptr ? english() : *found).disambiguation_templates;
}

std::string_view stemmer_name(std::string_view language) {
  const auto* found = find(language);
  return found == nullptr ? std::string_view{} : found->stemmer;
}

}  // namespace touchstone::pipeline::corpus
