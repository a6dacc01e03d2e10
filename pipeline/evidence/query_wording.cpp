#include "pipeline/evidence/query_wording.hpp"

#include <algorithm>
#include <iterator>

namespace touchstone::pipeline::evidence {
namespace {

constexpr ListWording kWordings[] = {
    {"en", "List of", "names", " of "},
    {"en", "Lists of", "names", " of "},
    {"de", "Liste der", "Namen", " der "},
    {"de", "Liste des", "Namen", " des "},
    {"de", "Liste von", "Namen", " von "},
    {"de", "Listen der", "Namen", " der "},
    {"fr", "Liste de", "noms", " de "},
    {"fr", "Liste des", "noms", " des "},
    {"fr", "Liste du", "noms", " du "},
    {"fr", "Liste d'", "noms", " d'"},
    {"fr", "Liste d’", "noms", " d’"},
    {"es", "Anexo:", "nombres", " de "},
    {"es", "Lista de", "nombres", " de "},
    {"it", "Lista di", "nomi", " di "},
    {"it", "Lista dei", "nomi", " dei "},
    {"it", "Lista delle", "nomi", " delle "},
    {"it", "Lista degli", "nomi", " degli "},
    {"pt", "Anexo:", "nomes", " de "},
    {"pt", "Lista de", "nomes", " de "},
    {"pt", "Lista dos", "nomes", " dos "},
    {"pt", "Lista das", "nomes", " das "},
    {"nl", "Lijst van", "namen", " van "},
    {"nl", "Lijst met", "namen", " van "},
    {"pl", "Lista", "nazwy", " "},
    {"ru", "Список", "названия", " "},
    {"uk", "Список", "назви", " "},
    {"cs", "Seznam", "názvy", " "},
    {"sv", "Lista över", "namn", " på "},
    {"da", "Liste over", "navne", " på "},
    {"ja", "*の一覧", "名前", "の"},
    {"ja", "*一覧", "名前", "の"},
    {"zh", "*列表", "名称", "的"},
    {"lv", "*saraksts", "nosaukumi", " "},
    {"ltg", "*saroksts", "nūsaukumi", " "},
};

struct HeaderWords {
  std::string_view language, header;
};
constexpr HeaderWords kHeaders[] = {
    {"en", "names?"},
    {"de", "\\p{L}*name[n]?\\b|bezeichnung"},
    {"fr", "noms?|nom et prénom"},
    {"es", "nombres?"},
    {"it", "nome|nomi|denominazione"},
    {"pt", "nomes?"},
    {"nl", "\\p{L}*na(am|men)\\b"},
    {"pl", "nazwa|nazwy|nazwisko|imię"},
    {"ru", "название|имя|наименование"},
    {"uk", "назва|ім'я"},
    {"cs", "název|jméno"},
    {"sv", "namn"},
    {"da", "navn"},
    {"ja", "名前|名称|氏名"},
    {"zh", "名称|名稱|姓名"},
    {"lv", "nosaukums|vārds"},
    {"ltg", "nūsaukums|vuords"},
};

std::string_view base_language(std::string_view language) {
  return language == "simple" ? "en" : language.substr(0, language.find('-'));
}

bool fits(const ListWording& wording, std::string_view title) {
  if (wording.list.starts_with('*'))
    return title.size() > wording.list.size() && title.ends_with(wording.list.substr(1));
  if (title.size() <= wording.list.size() + 1 || !title.starts_with(wording.list)) return false;
  const bool joined = wording.list.ends_with(':') || wording.joint.back() != ' ';
  return joined || title[wording.list.size()] == ' ';
}

}  // namespace

std::optional<ListWording> list_wording(std::string_view language, std::string_view title) {
  std::optional<ListWording> best;
  for (const auto& wording : kWordings) {
    if (wording.language != base_language(language) || !fits(wording, title)) continue;
    if (!best || wording.list.size() > best->list.size()) best = wording;
  }
  return best;
}

std::optional<ListWording> page_wording(std::string_view language) {
  const auto base = base_language(language);
  const auto* found = std::find_if(std::begin(kWordings), std::end(kWordings),
                                   [&](const auto& wording) { return wording.language == base; });
  if (found == std::end(kWordings)) return std::nullopt;
  const bool title_first = base == "ja" || base == "zh";
  return ListWording{found->language, title_first ? "*" : "", found->names, title_first ? found->joint : ": "};
}

std::string list_subject(const ListWording& wording, std::string_view title) {
  if (wording.list.starts_with('*')) title.remove_suffix(wording.list.size() - 1);
  if (!wording.list.starts_with('*')) title.remove_prefix(wording.list.size());
  const auto begin = std::min(title.find_first_not_of(' '), title.size());
  title.remove_prefix(begin);
  title = title.substr(0, title.find_last_not_of(' ') + 1);
  return std::string(title);
}

std::string default_header(std::string_view language) {
  for (const auto& words : kHeaders) {
    if (words.language == base_language(language)) return std::string(words.header);
  }
  return "names?";
}

}  // namespace touchstone::pipeline::evidence
