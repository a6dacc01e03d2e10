#pragma once

#include <string>
#include <string_view>

namespace touchstone::pipeline::evidence {

/// What an English heading says that its list lists, cut before the word that narrows it.
struct HeadingSubject {
  std::string noun;      ///< "main shrines"
  std::string narrowed;  ///< " enshrining Amber", with its blank; may be empty
  friend bool operator==(const HeadingSubject&, const HeadingSubject&) = default;
};

/// A heading without what belongs to headings only: a dot at its end.
std::string_view without_last_dot(std::string_view heading);

/// Whether an English heading names the members of a list: "List of shrines", "Shrine list", or a plural such as
/// "Shrines in Ostrand".
bool names_members(std::string_view heading);

/// Whether an English heading chooses among members, whose noun may have no plural form: "Notable Kofun".
bool chooses_members(std::string_view heading);

/// Whether an English heading ends in "list" or "lists".
bool is_about_lists(std::string_view heading);

/// Reads an English heading as what it lists: "List of Deities" and "Deity" give "deities", "Deities Enshrined"
/// "enshrined deities", "Tombs in Ostrand" "tombs" and " in Ostrand". Only known nouns are put into the plural. Pure.
HeadingSubject heading_subject(std::string_view heading);

/// "enshrined deities of Amber Shrine", "tombs of Long Hall in Ostrand", "shrines dedicated to Amber".
/// \param about_title  false if the heading says the title's words already
std::string subject_of_page(const HeadingSubject& subject, const std::string& title, bool about_title);

}  // namespace touchstone::pipeline::evidence
