#include "extractors/wikitext_dump/disambiguation_templates.hpp"

namespace touchstone::extractors::wikitext_dump {
namespace {

struct Language {
  std::string_view code;
  std::vector<std::string> templates;
};

// Source: the Wikipedias' own main disambiguation templates with their synonyms.
const std::vector<Language>& languages() {
  static const std::vector<Language> table = {
      {"en",
       {"Disambiguation", "Disambig", "Disamb", "Dab", "Hndis", "Human name disambiguation", "Geodis",
        "Place name disambiguation", "Airport disambiguation", "Letter-number combination disambiguation",
        "Mil-unit-dis", "Numberdis", "School disambiguation"}},
      {"simple", {"Disambiguation", "Disambig", "Dab"}},
      {"de", {"Begriffsklärung"}},
      {"fr", {"Homonymie", "Patronymie", "Toponymie"}},
      {"es", {"Desambiguación", "Desambiguacion"}},
      {"it", {"Disambigua"}},
      {"pt", {"Desambiguação"}},
      {"nl", {"Dp", "Doorverwijspagina"}},
      {"sv", {"Gren", "Förgrening", "Grensida"}},
      {"da", {"Flertydig"}},
      {"no", {"Peker"}},
      {"nn", {"Fleirtyding"}},
      {"fi", {"Täsmennyssivu"}},
      {"hu", {"Egyért"}},
      {"ro", {"Dezambiguizare"}},
      {"ru", {"Неоднозначность", "Disambig"}},
      {"tr", {"Anlam ayrımı"}},
      {"pl", {"Ujednoznacznienie"}},
      {"cs", {"Rozcestník"}},
      {"uk", {"Неоднозначність", "Disambig"}},
      {"ja", {"Aimai", "曖昧さ回避"}},
      {"zh", {"Disambig", "消歧义", "消歧義"}},
      {"lv", {"Nozīmju atdalīšana", "Disambig"}},
      {"ltg", {"Nūzeimu atdaleišona", "Disambig"}},
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

}  // namespace

std::vector<std::string> disambiguation_templates(std::string_view language) {
  const auto* found = find(language);
  return (found == nullptr ? languages().front() : *found).templates;
}

}  // namespace touchstone::extractors::wikitext_dump
