#include "pipeline/headings/wiki_language.hpp"

namespace touchstone::pipeline::headings {
namespace {

struct Language {
  std::string_view code, stemmer;
  std::vector<std::string> list_prefixes;
};

// Source: the Wikipedias' own conventions for list titles.
const std::vector<Language>& languages() {
  static const std::vector<Language> table = {
      {"en", "english", {"List of", "Lists of"}},
      {"simple", "english", {"List of", "Lists of"}},
      {"de", "german", {"Liste der", "Liste von", "Liste des", "Listen der", "Liste"}},
      {"fr", "french", {"Liste de", "Liste des", "Liste du", "Liste d'", "Liste d’"}},
      {"es", "spanish", {"Anexo:", "Lista de", "Lista del", "Listas de"}},
      {"it", "italian", {"Lista di", "Lista dei", "Lista delle", "Lista degli", "Lista del", "Lista della", "Elenco"}},
      {"pt", "portuguese", {"Lista de", "Lista dos", "Lista das", "Lista do", "Lista da", "Anexo:"}},
      {"nl", "dutch", {"Lijst van", "Lijst met"}},
      {"sv", "swedish", {"Lista över"}},
      {"da", "danish", {"Liste over"}},
      {"no", "norwegian", {"Liste over"}},
      {"nn", "norwegian", {"Liste over"}},
      {"fi", "finnish", {"Luettelo"}},
      {"hu", "hungarian", {"*listája"}},
      {"ro", "romanian", {"Lista", "Listă de"}},
      {"ru", "russian", {"Список"}},
      {"tr", "turkish", {"*listesi"}},
      {"pl", "", {"Lista"}},
      {"cs", "", {"Seznam"}},
      {"uk", "", {"Список"}},
      {"ja", "", {"*一覧"}},
      {"zh", "", {"*列表"}},
      {"lv", "", {"*saraksts", "*uzskaitījums"}},
      {"ltg", "", {"*saroksts"}},
      {"ast", "", {"Anexu:", "Llista de"}},
      {"be", "", {"Спіс"}},
      {"bg", "", {"Списък"}},
      {"bs", "", {"Spisak", "Popis"}},
      {"ca", "", {"Llista de", "Llista d'", "Llista d’"}},
      {"cy", "", {"Rhestr"}},
      {"el", "", {"Κατάλογος", "Λίστα"}},
      {"eo", "", {"Listo de"}},
      {"et", "", {"*loend", "*loetelu"}},
      {"eu", "", {"*zerrenda"}},
      {"ga", "", {"Liosta"}},
      {"gl", "", {"Lista de", "Listaxe de"}},
      {"hr", "", {"Popis"}},
      {"id", "", {"Daftar"}},
      {"is", "", {"Listi yfir"}},
      {"ko", "", {"*목록"}},
      {"lt", "", {"*sąrašas"}},
      {"mk", "", {"Список на", "Список"}},
      {"ms", "", {"Senarai"}},
      {"nb", "norwegian", {"Liste over"}},
      {"sh", "", {"Spisak", "Popis"}},
      {"sk", "", {"Zoznam"}},
      {"sl", "", {"Seznam"}},
      {"sr", "", {"Списак", "Spisak"}},
      {"vi", "", {"Danh sách"}},
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

std::vector<std::string> list_prefixes(std::string_view language) {
  const auto* found = find(language);
  return found == nullptr ? std::vector<std::string>{} : found->list_prefixes;
}

std::string_view stemmer_name(std::string_view language) {
  const auto* found = find(language);
  return found == nullptr ? std::string_view{} : found->stemmer;
}

}  // namespace touchstone::pipeline::headings
