#pragma once

#include "common/settings.hpp"

#include <string>
#include <vector>

namespace touchstone::pipeline::corpus {

/// What the wiki is called in docids and file names.
struct NameOptions {
  std::string name;  ///< empty: the dump's database name

  static std::vector<Option<NameOptions>> options();
  static std::vector<std::string> problems(const Settings& settings);
};

/// Which language the wiki's texts are in.
struct LanguageOptions {
  std::string language;  ///< empty: as the dump says

  static std::vector<Option<LanguageOptions>> options();
};

/// In which language titles, headings and texts are written, where it is another one than the dump says.
struct TextOptions {
  std::string text_language;  ///< empty: the wiki's language

  static std::vector<Option<TextOptions>> options();
};

/// Under which licence the wiki's texts are.
struct LicenseOptions {
  std::string license;

  static std::vector<Option<LicenseOptions>> options();
};

}  // namespace touchstone::pipeline::corpus
