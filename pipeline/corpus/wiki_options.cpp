#include "pipeline/corpus/wiki_options.hpp"

#include <algorithm>
#include <cctype>

namespace touchstone::pipeline::corpus {

std::vector<Option<NameOptions>> NameOptions::options() {
  return {
      {"wiki.name", &NameOptions::name,
       "Name of the wiki in docids and file names. Empty: the database name in the dump."},
  };
}

std::vector<std::string> NameOptions::problems(const Settings& settings) {
  const auto& name = settings.get<NameOptions>().name;
  const bool fits = std::all_of(name.begin(), name.end(), [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-' || c == '.';
  });
  if (fits) return {};
  return {"wiki.name is \"" + name + "\", but may hold only letters, digits, '_', '-' and '.': it is part of docids"};
}

std::vector<Option<LanguageOptions>> LanguageOptions::options() {
  return {
      {"wiki.language", &LanguageOptions::language,
       "Language code of the wiki; it selects names of namespaces, links between languages and template rules. Empty: "
       "the language in the dump."},
  };
}

std::vector<Option<TextOptions>> TextOptions::options() {
  return {
      {"wiki.text_language", &TextOptions::text_language,
       "Language code of titles, headings and texts, where the dump names another one; it selects list prefixes, words "
       "of headings and the stemmer. Empty: the language of the wiki."},
  };
}

std::vector<Option<LicenseOptions>> LicenseOptions::options() {
  return {
      {"wiki.license", &LicenseOptions::license,
       "Licence of the wiki's texts as an SPDX name, for the dataset card. Empty: unknown."},
  };
}

}  // namespace touchstone::pipeline::corpus
