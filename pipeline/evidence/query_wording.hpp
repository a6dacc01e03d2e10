#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace touchstone::pipeline::evidence {

/// How a language asks for what a list lists: "List of lights" becomes "names of lights" or "architect of lights".
struct ListWording {
  std::string_view language;
  std::string_view list;  ///< how the title starts, or with a leading '*' ends
  std::string_view names;
  std::string_view joint;  ///< between "names" or the column and the subject, blanks included
};

/// The wording for a title; the longest start or ending counts. Nothing where the language or the form is not known.
std::optional<ListWording> list_wording(std::string_view language, std::string_view title);

/// The wording for a page that is no list: "names: Ostrand, lights", since titles and headings cannot be inflected.
/// Nothing where the language is not known.
std::optional<ListWording> page_wording(std::string_view language);

/// Words of one list title, without its list words: "lights of Ostrand".
std::string list_subject(const ListWording& wording, std::string_view title);

/// Regular expression for headers of columns that hold names, by default. That of English where no other is known.
std::string default_header(std::string_view language);

}  // namespace touchstone::pipeline::evidence
