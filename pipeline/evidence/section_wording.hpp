#pragma once

#include <string>
#include <string_view>

namespace touchstone::pipeline::evidence {

/// What a query says of its list: "annual festivals of Ostrand" and " in the 19th century".
struct WordedList {
  std::string subject;
  std::string narrowed;  ///< what follows the subject, with the blank or comma in front of it
};

/// What is known of a heading besides its words.
struct HeadingFacts {
  bool date = false;        ///< a day, a year, a decade or a century
  bool place = false;       ///< the heading above it says that places order the list, and an article has its title
  bool name_first = false;  ///< its first word alone is the title of an article, so that it keeps its capital
  bool ends_in_subject =
      false;  ///< its last word is the noun of the subject: "Annual festivals" in a list of festivals
};

/// Narrows what a query says by a heading, as a person would in English: " on the outer islands", " in the 1990s",
/// " served with the navy", "former " in front of the subject. Returns false, and changes nothing, where it is not
/// certain how. Pure.
bool narrow_in_english(WordedList& list, std::string_view heading, const HeadingFacts& facts);

/// Whether an English noun phrase ends in a plural.
bool is_english_plural(std::string_view phrase);

/// Whether an English heading says that places order what follows: "By island".
bool orders_by_place(std::string_view heading);

/// Whether an English title or heading names things of a kind: "Shrines in Ostrand", "Notable festivals", "Shrine
/// list".
bool names_things(std::string_view phrase);

/// A heading as it is inside a sentence. Title case goes where the words are common ones: known adjectives,
/// participles and a plural at the end.
std::string inside_sentence(std::string_view heading);

}  // namespace touchstone::pipeline::evidence
